// What the library takes from its surroundings when the caller does not give it: randomness (Web Crypto) and the clock.

import { newUuid, type RandomBytes, type RandomSource } from '../lib/random-bytes.js'

export type { RandomSource }

/** Web Crypto (`crypto.getRandomValues`), the default: browsers, their workers, Node, Deno and Bun have it. */
export const webCrypto: RandomSource = (length) => crypto.getRandomValues(new Uint8Array(length))

/** The random source as modules of the protocol take it. */
export const randomFrom = (source: RandomSource = webCrypto): RandomBytes => ({ bytes: source })

/** Epoch milliseconds. */
export const now = (): number => Date.now()

/** A random UUID, version 4 (RFC 9562), lower case with hyphens. Unlike `crypto.randomUUID` it also works on pages without TLS. */
export const newSlateId = (source: RandomSource = webCrypto): string => newUuid(source)
