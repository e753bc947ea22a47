// What the library takes from its surroundings when the caller does not give it: randomness (Web Crypto) and the clock.

import { type Prover, proveRange, verifyRange } from '../grin/crypto/index.js'
import type { RandomBytes, RandomSource } from '../lib/random-bytes.js'
import { newUuid } from '../lib/random-bytes.js'

export type { RandomSource }

/** Web Crypto (`crypto.getRandomValues`), the default: browsers, their workers, Node, Deno and Bun have it. */
export const webCrypto: RandomSource = (length) => crypto.getRandomValues(new Uint8Array(length))

/** The random source as modules of the protocol take it. */
export const randomFrom = (source: RandomSource = webCrypto): RandomBytes => ({ bytes: source })

/** Epoch milliseconds. */
export const now = (): number => Date.now()

/** A random UUID, version 4 (RFC 9562), lower case with hyphens. Unlike `crypto.randomUUID` it also works on pages without TLS. */
export const newSlateId = (source: RandomSource = webCrypto): string => newUuid(source)

// Range proofs in the same thread: the default of everything that takes a prover.
export type { Prover }

/** Proves in the calling thread, which is busy for tens of milliseconds per proof; the first builds tables and takes longer. */
export const localProver: Prover = {
  prove: async (input) => proveRange(input),
  verify: async (commitment, proof) => verifyRange(commitment, proof),
}
