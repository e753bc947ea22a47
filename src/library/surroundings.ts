// What the library takes from its surroundings when the caller does not give it: randomness (Web Crypto) and the clock.
import { toHex } from '../lib/bytes.js'
import type { RandomBytes } from '../lib/random-bytes.js'

/** Returns that many cryptographically secure random bytes. Default: Web Crypto (`crypto.getRandomValues`). */
export type RandomSource = (length: number) => Uint8Array

/** Web Crypto: browsers, their workers, Node, Deno and Bun have it. */
export const webCrypto: RandomSource = (length) => crypto.getRandomValues(new Uint8Array(length))

/** The random source as modules of the protocol take it. */
export const randomFrom = (source: RandomSource = webCrypto): RandomBytes => ({ bytes: source })

/** Epoch milliseconds. */
export const now = (): number => Date.now()

/** A random UUID, version 4 (RFC 9562), lower case with hyphens. Unlike `crypto.randomUUID` it also works on pages without TLS. */
export function newSlateId(source: RandomSource = webCrypto): string {
  const bytes = source(16)
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16)
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
