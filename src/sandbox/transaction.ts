// Transactions as a Grin node reads them from JSON: checked in form, not yet in arithmetic. Specification: grin-wallet, 2.9.
import { blake2b256 } from '../grin/crypto/index.js'
import { type KernelFeaturesJson, type Shape, shiftedFee, splitFee } from '../grin/tx/index.js'
import { fromHex, toHex } from '../lib/bytes.js'

/** The words a node uses for inputs and outputs. */
type OutputFeatures = 'Plain' | 'Coinbase'

export interface InputJson {
  readonly features: OutputFeatures
  /** 66 hex. */
  readonly commit: string
  /** Pushed as a commitment alone, which also changes its place in the order. */
  readonly bare?: true
}

export interface OutputJson extends InputJson {
  /** 1350 hex. */
  readonly proof: string
}

export interface KernelJson {
  /** `fee` is the whole fee field, shift included. */
  readonly features: KernelFeaturesJson
  /** 66 hex. */
  readonly excess: string
  /** 128 hex, compact order: both halves byte-reversed. */
  readonly excess_sig: string
}

/** All hex is lower case. */
export interface TransactionJson {
  readonly offset: string
  readonly body: {
    readonly inputs: readonly InputJson[]
    readonly outputs: readonly OutputJson[]
    readonly kernels: readonly KernelJson[]
  }
}

/** The whole fee field of a kernel; 0 for a coinbase. */
export function feeFieldsOf(features: KernelFeaturesJson): bigint {
  if (features === 'Coinbase') return 0n
  if ('Plain' in features) return BigInt(features.Plain.fee)
  return BigInt('HeightLocked' in features ? features.HeightLocked.fee : features.NoRecentDuplicate.fee)
}

export const transactionShape = ({ body }: TransactionJson): Shape => ({
  inputs: body.inputs.length,
  outputs: body.outputs.length,
  kernels: body.kernels.length,
})

/** Nanogrin all kernels name together; `paid` is what counts for the pool, after the shift. */
export function feesOf({ body }: TransactionJson): { readonly named: bigint; readonly paid: bigint } {
  const fields = body.kernels.map((kernel) => feeFieldsOf(kernel.features))
  return {
    named: fields.reduce((sum, field) => sum + splitFee(field).fee, 0n),
    paid: fields.reduce((sum, field) => sum + shiftedFee(field), 0n),
  }
}

/** The order Grin wants: ascending by the hash of features byte and commitment, of the commitment alone when bare. */
export function jsonSortKey({ features, commit, bare }: InputJson): string {
  const prefix = bare ? [] : [features === 'Coinbase' ? 1 : 0]
  return toHex(blake2b256(new Uint8Array([...prefix, ...fromHex(commit, 33, 'commit')])))
}

/** Strictly ascending, so doubles are refused as well. */
export function isSorted(entries: readonly InputJson[]): boolean {
  const keys = entries.map(jsonSortKey)
  return keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key)
}

/** One text per kernel set: what makes two pushes the same transaction. */
export const kernelIdentity = ({ body }: TransactionJson): string =>
  body.kernels
    .map((kernel) => `${kernel.excess}:${kernel.excess_sig}`)
    .sort()
    .join(' ')
