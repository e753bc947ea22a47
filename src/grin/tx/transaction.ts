// Transactions: from a slate, sorted, as JSON for `push_transaction`, as bytes. Specification: grin-wallet, 2.9.
import { compareBytes, concatBytes, toHex } from '../../lib/bytes.js'
import { blake2b256 } from '../crypto/index.js'
import type { Commitment, Offset, RangeProof } from '../kinds/index.js'
import type { SlateCommitment } from '../slate/index.js'
import { createByteWriter } from '../wire/index.js'
import {
  encodeKernel,
  featuresJson,
  type Kernel,
  type KernelFeaturesJson,
  type ProtocolVersion,
  signatureJson,
} from './kernel.js'

/** An output that is spent: 33 bytes, and whether it is a coinbase. */
export interface TxInput {
  readonly coinbase: boolean
  readonly commitment: Commitment
}

/** A new output with its range proof. */
export interface TxOutput extends TxInput {
  /** 675 bytes. */
  readonly proof: RangeProof
}

/** A complete transaction, as nodes take it. The offset is a scalar, 32 bytes. */
export interface Transaction {
  readonly offset: Offset
  /** Sorted by `sortKey`. */
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxOutput[]
  readonly kernels: readonly Kernel[]
}

/** The sort key of inputs and outputs: BLAKE2b-256 of feature byte and commitment. */
export const sortKey = ({ coinbase, commitment }: TxInput): Uint8Array =>
  blake2b256(concatBytes(Uint8Array.of(coinbase ? 1 : 0), commitment))

/** Sorts as nodes require, with one hash per member. */
export function sortByHash<T extends TxInput>(members: readonly T[]): T[] {
  return members
    .map((one) => ({ one, key: sortKey(one) }))
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ one }) => one)
}

/** Splits a slate's commitments: those with a proof are outputs. Both sorted. */
export function transactionBody(commitments: readonly SlateCommitment[]): Pick<Transaction, 'inputs' | 'outputs'> {
  const inputs = commitments.filter(({ proof }) => !proof)
  const outputs = commitments.flatMap(({ proof, ...one }) => (proof ? [{ ...one, proof }] : []))
  return { inputs: sortByHash(inputs), outputs: sortByHash(outputs) }
}

/** Inputs, then outputs, as a final slate carries them. */
export const commitmentsOf = ({ inputs, outputs }: Pick<Transaction, 'inputs' | 'outputs'>): SlateCommitment[] => [
  ...inputs,
  ...outputs,
]

const featureText = ({ coinbase }: TxInput): 'Plain' | 'Coinbase' => (coinbase ? 'Coinbase' : 'Plain')

interface InputJson {
  readonly features: 'Plain' | 'Coinbase'
  /** 66 hex digits. */
  readonly commit: string
}

/** The JSON of `push_transaction`. Bytes are hex. */
export interface TransactionJson {
  readonly offset: string
  readonly body: {
    readonly inputs: readonly InputJson[]
    readonly outputs: readonly (InputJson & { readonly proof: string })[]
    readonly kernels: readonly {
      readonly features: KernelFeaturesJson
      readonly excess: string
      /** In compact order. */
      readonly excess_sig: string
    }[]
  }
}

/** The JSON for a node. Inputs have features: the only form that nodes accept in JSON. */
export function transactionJson({ offset, inputs, outputs, kernels }: Transaction): TransactionJson {
  return {
    offset: toHex(offset),
    body: {
      inputs: inputs.map((one) => ({ features: featureText(one), commit: toHex(one.commitment) })),
      outputs: outputs.map((one) => ({
        features: featureText(one),
        commit: toHex(one.commitment),
        proof: toHex(one.proof),
      })),
      kernels: kernels.map(({ features, excess, signature }) => ({
        features: featuresJson(features),
        excess: toHex(excess),
        excess_sig: signatureJson(signature),
      })),
    },
  }
}

function inputsAsBytes(inputs: readonly TxInput[], version: ProtocolVersion): Uint8Array[] {
  if (version < 3) return inputs.map((one) => concatBytes(Uint8Array.of(one.coinbase ? 1 : 0), one.commitment))
  // Version 3 omits the features, so it sorts by another hash.
  return inputs
    .map(({ commitment }) => ({ commitment, key: blake2b256(commitment) }))
    .sort((a, b) => compareBytes(a.key, b.key))
    .map(({ commitment }) => commitment)
}

/** Binary form of a protocol version. */
export function encodeTransaction(tx: Transaction, version: ProtocolVersion): Uint8Array {
  const to = createByteWriter().bytes(tx.offset, 32, 'offset')
  for (const list of [tx.inputs, tx.outputs, tx.kernels]) to.u64(BigInt(list.length))
  for (const input of inputsAsBytes(tx.inputs, version)) to.bytes(input)
  for (const { coinbase, commitment, proof } of tx.outputs)
    to.u8(coinbase ? 1 : 0)
      .bytes(commitment, 33, 'output')
      .u64(BigInt(proof.length))
      .bytes(proof)
  for (const kernel of tx.kernels) to.bytes(encodeKernel(kernel, version))
  return to.done()
}

/** BLAKE2b-256 of the version 1 form, 32 bytes. */
export const transactionHash = (tx: Transaction): Uint8Array => blake2b256(encodeTransaction(tx, 1))
