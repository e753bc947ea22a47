// The running hash that yields the challenges (specification: grin-crypto, 7.2; Fiat-Shamir for Bulletproofs, Bünz et al. 2018).
import { chacha20 } from '@noble/ciphers/chacha.js'
import { H } from '../generators.js'
import { sha } from '../hash.js'
import { checkSecretKey, N, type Scalar, scalarToBytes, toInteger } from '../scalar.js'
import { type FlaggedX, flagged } from './layout.js'

// Pairs of scalars out of ChaCha20 (RFC 8439 block function; specification: grin-crypto, 2.2).
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

const VALUE_GENERATOR = flagged(H.toAffine())

const mix = (state: Uint8Array, left: FlaggedX, right: FlaggedX): Uint8Array =>
  sha(state, Uint8Array.of(2 * left.flag + right.flag), left.x, right.x)

/** Throws for a challenge of 0 or not below n, whose probability is negligible. */
const challenge = (state: Uint8Array): Scalar => checkSecretKey(toInteger(state), 'challenge')

/** The transcript of one proof. Call each method once, in this order; `round` five times. */
export function openTranscript(commitment: FlaggedX, extra?: Uint8Array) {
  let state = mix(new Uint8Array(32), commitment, VALUE_GENERATOR)
  // Empty extra data is hashed too: it differs from absent data.
  if (extra) state = sha(state, extra)

  const next = (left: FlaggedX, right: FlaggedX): Scalar => {
    state = mix(state, left, right)
    return challenge(state)
  }

  return {
    /** The library hashes A and S twice, once for each challenge. */
    yz(A: FlaggedX, S: FlaggedX): { y: Scalar; z: Scalar } {
      return { y: next(A, S), z: next(A, S) }
    },
    x: (T1: FlaggedX, T2: FlaggedX): Scalar => next(T1, T2),
    /** `u` scales the inner product; `weight` joins the verifier's two equations. */
    u(minusTauX: Scalar, minusMu: Scalar, t: Scalar): { u: Scalar; weight: Scalar } {
      state = sha(state, scalarToBytes(minusTauX), scalarToBytes(minusMu))
      const weight = challenge(sha(state))
      state = sha(state, scalarToBytes(t))
      return { u: challenge(state), weight }
    },
    round: (L: FlaggedX, R: FlaggedX): Scalar => next(L, R),
  }
}

export type Transcript = ReturnType<typeof openTranscript>
