// Tells outputs that may belong to a wallet from foreign ones, which nearly all are: what rewinding needs to know, and nothing else.
import { chacha20 } from '@noble/ciphers/chacha.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { badLength } from '../errors.js'
import { H } from '../generators.js'
import { N, toInteger } from '../scalar.js'
import { flagged } from './layout.js'

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
