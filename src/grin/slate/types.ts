import { ed25519 } from '@noble/curves/ed25519.js'
import { checkKind, isOfKind, ofKind } from '../../lib/kinds.js'
import type { NanoGrin } from '../amount/index.js'
import { isPublicKey } from '../crypto/index.js'
import type {
  AddressKey,
  AddressSignature,
  Commitment,
  KernelSignature,
  Offset,
  PublicKey,
  RangeProof,
} from '../kinds/index.js'

/** S1 S2 S3: standard flow. I1 I2 I3: invoice flow. NA: unknown to this version. */
export const SLATE_STATES = ['NA', 'S1', 'S2', 'S3', 'I1', 'I2', 'I3'] as const
/** The step of a slate: S1 to S3 of the standard flow, I1 to I3 of the invoice flow, NA unknown. */
export type SlateState = (typeof SLATE_STATES)[number]

/** One participant's part of the kernel: public keys in 33-byte SEC form, the partial signature in raw order. */
export interface Participant {
  readonly excess: PublicKey
  readonly nonce: PublicKey
  /** 64 bytes; absent until the participant signs. */
  readonly part?: KernelSignature
}

/** An input (no proof) or an output (with its 675-byte range proof). */
export interface SlateCommitment {
  readonly coinbase: boolean
  /** 33 bytes starting 08 or 09; slate readers do not check that it is a point. */
  readonly commitment: Commitment
  readonly proof?: RangeProof
}

/** A payer's request for a payment proof, and the receiver's signature. Keys are ed25519, 32 bytes. */
export interface SlateProof {
  readonly sender: AddressKey
  readonly receiver: AddressKey
  /** 64 bytes; absent until the receiver signs. */
  readonly signature?: AddressSignature
}

/** A version 4 slate. Specification: grin-wallet, 2.1. */
export interface Slate {
  /** Block header version of the writer; a reply copies it. */
  readonly headerVersion: number
  /** UUID, lower case with hyphens. */
  readonly id: string
  readonly state: SlateState
  /** Kernel offset so far, 32 bytes. */
  readonly offset: Offset
  readonly numParts: number
  readonly amount: NanoGrin
  /** The whole fee field: bits 0..39 nanogrin, 40..43 shift. */
  readonly fee: bigint
  readonly features: number
  /** Block height at which the slate expires; 0 for never. */
  readonly ttl: bigint
  readonly participants: readonly Participant[]
  /** Absent and empty are different on the wire. */
  readonly commitments?: readonly SlateCommitment[]
  readonly proof?: SlateProof
  /** Argument of kernel features 2 and 3. */
  readonly lockHeight?: bigint
}

export const SLATE_VERSION = 4
export const RANGE_PROOF_LENGTH = 675
export const ZERO_OFFSET: Offset = new Uint8Array(32)

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

// Curve checks of both slate readers.
/** No wallet makes slates with more participants, and every key costs a square root. */
const MAX_PARTICIPANTS = 16

/** A participant's key, 33 bytes. Throws RangeError when it is not on the curve. */
export function participantKey(bytes: PublicKey, what: string): PublicKey {
  if (!isPublicKey(bytes)) throw new RangeError(`${what}: not a public key`)
  return bytes
}

/** An ed25519 key, 32 bytes. Throws RangeError for an invalid key, and for bytes that are known to be something else, such as a seed. */
export function addressKey(bytes: AddressKey, what: string): AddressKey {
  if (isOfKind('address key', bytes)) return bytes
  if (!isEd25519Key(checkKind('address key', bytes, what))) throw new RangeError(`${what}: not an ed25519 key`)
  return ofKind('address key', bytes)
}

/** Whether 32 bytes are an ed25519 point, except the eight of small order: anyone can sign for those, and encryption to them fails. */
export function isEd25519Key(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder()
  } catch {
    return false
  }
}

/** An ed25519 signature, 64 bytes. Throws RangeError when its second half has one of its three highest bits set: that is no scalar. */
export function addressSignature(bytes: AddressSignature, what: string): AddressSignature {
  if ((bytes[63] ?? 0) > 0x1f) throw new RangeError(`${what}: not an ed25519 signature`)
  return bytes
}

/** Throws RangeError above `MAX_PARTICIPANTS`. */
export function participantCount(count: number): number {
  if (count > MAX_PARTICIPANTS) throw new RangeError(`sigs: ${count} participants, at most ${MAX_PARTICIPANTS}`)
  return count
}
