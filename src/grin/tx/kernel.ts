// Kernels: features, the signed message, three binary versions, the hash. Specification: grin-wallet, 2.5 and 2.9.
import { toHex } from '../../lib/bytes.js'
import { blake2b256, rawToCompact } from '../crypto/index.js'
import type { Commitment, KernelSignature } from '../kinds/index.js'
import type { Slate } from '../slate/index.js'
import { type ByteWriter, createByteWriter } from '../wire/index.js'
import { txInvalid } from './errors.js'

/** The kind of a kernel with its arguments. `fee` is the whole fee field. */
export type KernelFeatures =
  | { readonly kind: 'plain'; readonly fee: bigint }
  | { readonly kind: 'coinbase' }
  | { readonly kind: 'height-locked'; readonly fee: bigint; readonly lockHeight: bigint }
  | { readonly kind: 'no-recent-duplicate'; readonly fee: bigint; readonly relativeHeight: number }

/** What remains of a transaction on the chain: its excess, signed. */
export interface Kernel {
  readonly features: KernelFeatures
  /** Sum of the participants' keys as a commitment, 33 bytes starting 08 or 09. */
  readonly excess: Commitment
  /** 64 bytes in raw order. */
  readonly signature: KernelSignature
}

/** Version of Grin's binary protocol; hashes are always over version 1. */
export type ProtocolVersion = 1 | 2 | 3

const FEATURE_BYTE = { plain: 0, coinbase: 1, 'height-locked': 2, 'no-recent-duplicate': 3 } as const
const MAX_RELATIVE_HEIGHT = 10_080n

/** The fee field of a kernel; a coinbase kernel has none. */
export const feeOf = (features: KernelFeatures): bigint => (features.kind === 'coinbase' ? 0n : features.fee)

/** The kernel features of a slate. Throws TX_INVALID for coinbase, unknown numbers and missing arguments. */
export function featuresOfSlate({ features, fee, lockHeight }: Slate): KernelFeatures {
  if (features === FEATURE_BYTE.plain) return { kind: 'plain', fee }
  if (features !== 2 && features !== 3) throw txInvalid(`kernel feature ${features} cannot stand in a slate`)
  if (lockHeight === undefined) throw txInvalid(`kernel feature ${features} without its argument`)
  if (features === FEATURE_BYTE['height-locked']) return { kind: 'height-locked', fee, lockHeight }
  if (lockHeight < 1n || lockHeight > MAX_RELATIVE_HEIGHT) throw txInvalid(`relative height ${lockHeight} out of range`)
  return { kind: 'no-recent-duplicate', fee, relativeHeight: Number(lockHeight) }
}

function writeFeatures(features: KernelFeatures): ByteWriter {
  const to = createByteWriter().u8(FEATURE_BYTE[features.kind])
  switch (features.kind) {
    case 'coinbase':
      return to
    case 'plain':
      return to.u64(features.fee)
    case 'height-locked':
      return to.u64(features.fee).u64(features.lockHeight)
    case 'no-recent-duplicate':
      return to.u64(features.fee).u16(features.relativeHeight)
  }
}

/** Version 1 has 17 bytes for every variant: feature, fee, right-aligned argument. */
function writeFeaturesV1(features: KernelFeatures): ByteWriter {
  const to = createByteWriter().u8(FEATURE_BYTE[features.kind]).u64(feeOf(features))
  if (features.kind === 'height-locked') return to.u64(features.lockHeight)
  return to.u64(features.kind === 'no-recent-duplicate' ? BigInt(features.relativeHeight) : 0n)
}

/** The message that participants sign, 32 bytes. */
export const kernelMessage = (features: KernelFeatures): Uint8Array => blake2b256(writeFeatures(features).done())

/** Binary kernel of a protocol version. */
export function encodeKernel({ features, excess, signature }: Kernel, version: ProtocolVersion): Uint8Array {
  const to = version === 1 ? writeFeaturesV1(features) : writeFeatures(features)
  return to.bytes(excess, 33, 'excess').bytes(signature, 64, 'signature').done()
}

/** BLAKE2b-256 of the version 1 form, 32 bytes: a node's name of the kernel. */
export const kernelHash = (kernel: Kernel): Uint8Array => blake2b256(encodeKernel(kernel, 1))

/** Features in JSON, where fee fields and heights are numbers. */
export type KernelFeaturesJson =
  | 'Coinbase'
  | { readonly Plain: { readonly fee: number } }
  | { readonly HeightLocked: { readonly fee: number; readonly lock_height: number } }
  | { readonly NoRecentDuplicate: { readonly fee: number; readonly relative_height: number } }

export function featuresJson(features: KernelFeatures): KernelFeaturesJson {
  switch (features.kind) {
    case 'plain':
      return { Plain: { fee: Number(features.fee) } }
    case 'coinbase':
      return 'Coinbase'
    case 'height-locked':
      return { HeightLocked: { fee: Number(features.fee), lock_height: Number(features.lockHeight) } }
    case 'no-recent-duplicate':
      return { NoRecentDuplicate: { fee: Number(features.fee), relative_height: features.relativeHeight } }
  }
}

/** JSON carries signatures in compact order. */
export const signatureJson = (signature: Uint8Array): string => toHex(rawToCompact(signature))
