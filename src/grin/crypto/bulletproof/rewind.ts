// Reads value and message out of a proof with its rewind nonce (specification: grin-crypto, 7.5). No point arithmetic.
import { chacha20 } from '@noble/ciphers/chacha.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { checkKind } from '../../../lib/kinds.js'
import type { Amount, Commitment, RangeProof, RewindNonce } from '../../kinds/index.js'
import { badLength } from '../errors.js'
import { H } from '../generators.js'
import { modN, N, scalarToBytes, toInteger } from '../scalar.js'
import { commitmentX, flagged, readHead } from './layout.js'
import { openTranscript, scalarPair } from './transcript.js'

/** Value in nanogrin, message of 20 bytes (zeros if the proof has none). */
export interface Rewound {
  readonly value: Amount
  readonly message: Uint8Array
}

/**
 * Undefined if the nonce does not fit the proof. This neither verifies the proof nor proves ownership: a foreign output
 * rewinds to random values with probability 2^-32, so the owner recomputes the commitment (keychain `rewindOutput`).
 * Throws BAD_LENGTH for a commitment or nonce of the wrong length.
 */
export function rewindRange(
  commitment: Commitment,
  proof: RangeProof,
  nonce: RewindNonce,
  extra?: Uint8Array,
): Rewound | undefined {
  if (commitment.length !== 33) throw badLength('commitment', 33, commitment.length)
  if (nonce.length !== 32) throw badLength('rewind nonce', 32, nonce.length)
  checkKind('rewind nonce', nonce)
  const head = readHead(proof)
  if (!head) return undefined
  const transcript = openTranscript(commitmentX(commitment), extra)
  transcript.yz(head.A, head.S)
  const x = transcript.x(head.T1, head.T2)
  const [alpha, rho] = scalarPair(nonce, 0)
  const hidden = scalarToBytes(modN(head.minusMu + rho * x + alpha))
  const view = new DataView(hidden.buffer, hidden.byteOffset, 32)
  if (view.getUint32(0) !== 0) return undefined
  return { value: view.getBigUint64(24), message: hidden.slice(4, 24) }
}

// Tells outputs that may belong to a wallet from foreign ones, which nearly all are: what rewinding needs to know, and nothing else.
const VALUE_GENERATOR = flagged(H.toAffine())
const HEAD_LENGTH = 193
/** The hidden number holds 4 zero bytes, the message and the value: below 2^224. */
const HIDDEN_LIMIT = 1n << 224n
const ZEROS = new Uint8Array(64)
const FIRST_BLOCK = new Uint8Array(12)

/** Whether an output (commitment of 33 bytes, at least 193 bytes of its proof) may be the wallet's. */
export type Sieve = (commitment: Uint8Array, proof: Uint8Array) => boolean

/**
 * A test for outputs of the wallet with this rewind hash (32 bytes, the view key). False for every output that `Keychain.rewindOutput` does
 * not recognise, but for one in 2^32; never false for one that it recognises. Throws BAD_LENGTH for a hash of another length.
 */
export function createSieve(rewindHash: Uint8Array): Sieve {
  if (rewindHash.length !== 32) throw badLength('rewind hash', 32, rewindHash.length)
  const transcript = new Uint8Array(97)

  /** One step of the transcript: the state stands in the first 32 bytes, before and after. */
  function mix(flags: number, left: Uint8Array, right: Uint8Array): void {
    transcript[32] = flags
    transcript.set(left, 33)
    transcript.set(right, 65)
    transcript.set(sha256(transcript))
  }

  /** The challenge x, as in `openTranscript`. */
  function challengeOf(commitment: Uint8Array, proof: Uint8Array): bigint {
    const [flags = 0, parity = 0] = [proof[64], commitment[0]]
    transcript.fill(0, 0, 32)
    mix(2 * (parity & 1) + VALUE_GENERATOR.flag, commitment.subarray(1), VALUE_GENERATOR.x)
    const [A, S] = [proof.subarray(65, 97), proof.subarray(97, 129)]
    const bitsOfAS = 2 * (flags & 1) + ((flags >> 1) & 1)
    mix(bitsOfAS, A, S)
    mix(bitsOfAS, A, S)
    mix(2 * ((flags >> 2) & 1) + ((flags >> 3) & 1), proof.subarray(129, 161), proof.subarray(161, HEAD_LENGTH))
    return toInteger(transcript.subarray(0, 32))
  }

  return (commitment, proof) => {
    if (commitment.length !== 33 || proof.length < HEAD_LENGTH) return false
    const nonce = blake2b(rewindHash, { dkLen: 32, key: commitment })
    const block = chacha20(nonce, FIRST_BLOCK, ZEROS)
    const [alpha, rho] = [toInteger(block.subarray(0, 32)), toInteger(block.subarray(32))]
    // Then the next block of the cipher counts (chance 2^-127): let the whole computation decide.
    if (alpha >= N || rho >= N) return true
    const hidden = (toInteger(proof.subarray(32, 64)) + rho * challengeOf(commitment, proof) + alpha) % N
    return hidden < HIDDEN_LIMIT
  }
}
