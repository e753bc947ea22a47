// Pairs of scalars out of ChaCha20 (RFC 8439 block function; specification: grin-crypto, 2.2).
import { chacha20 } from '@noble/ciphers/chacha.js'
import { N, type Scalar, toInteger } from '../scalar.js'

const ZEROS = new Uint8Array(64)

/** Words 13 … 15 of the block: 0 (the high half of the index), 0, attempt; little-endian. */
function tailWords(attempt: number): Uint8Array {
  const words = new Uint8Array(12)
  new DataView(words.buffer).setUint32(8, attempt, true)
  return words
}

/** Scalars number `index` (below 2^32) of a 32-byte seed, which keys ChaCha20 as it is. Zero is accepted. */
export function scalarPair(seed: Uint8Array, index: number): readonly [Scalar, Scalar] {
  for (let attempt = 0; ; attempt++) {
    const block = chacha20(seed, tailWords(attempt), ZEROS, undefined, index)
    const [first, second] = [toInteger(block.subarray(0, 32)), toInteger(block.subarray(32))]
    // The probability of failure is 2^-127 per block.
    if (first < N && second < N) return [first, second]
  }
}
