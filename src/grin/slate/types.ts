import type { NanoGrin } from '../amount/index.js'
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
