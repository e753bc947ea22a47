import type { NanoGrin } from '../amount/index.js'

/** S1 S2 S3: a payer sends. I1 I2 I3: a receiver invoices. NA: anything this version does not know. */
export const SLATE_STATES = ['NA', 'S1', 'S2', 'S3', 'I1', 'I2', 'I3'] as const
export type SlateState = (typeof SLATE_STATES)[number]

/** What one side adds to the kernel: public keys in 33-byte SEC form, the partial signature in raw order. */
export interface Participant {
  readonly excess: Uint8Array
  readonly nonce: Uint8Array
  /** 64 bytes; absent until that side has signed. */
  readonly part?: Uint8Array
}

/** An input (no proof) or an output (with its 675-byte range proof). */
export interface SlateCommitment {
  readonly coinbase: boolean
  /** 33 bytes starting 08 or 09; not checked to be a point when a slate is read. */
  readonly commitment: Uint8Array
  readonly proof?: Uint8Array
}

/** A payer's wish for a payment proof, and the receiver's answer. Keys are ed25519, 32 bytes. */
export interface SlateProof {
  readonly sender: Uint8Array
  readonly receiver: Uint8Array
  /** 64 bytes; absent until the receiver has signed. */
  readonly signature?: Uint8Array
}

/** A version 4 slate. Specification: grin-wallet.md 2.1. */
export interface Slate {
  /** Block header version of the writer; a reply copies it. */
  readonly headerVersion: number
  /** UUID, lower case with hyphens. */
  readonly id: string
  readonly state: SlateState
  /** Kernel offset so far, 32 bytes. */
  readonly offset: Uint8Array
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
export const ZERO_OFFSET: Uint8Array = new Uint8Array(32)

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
