// The HMAC-SHA256 generator of RFC 6979 with an arbitrary seed (specification: grin-crypto, 2.1).
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../lib/bytes.js'

const MARK_0 = Uint8Array.of(0)
const MARK_1 = Uint8Array.of(1)

/** Deterministic randomness: every call of the returned function gives the next 32 bytes. */
export function createDrbg(seed: Uint8Array): () => Uint8Array {
  let key: Uint8Array = new Uint8Array(32)
  let value: Uint8Array = new Uint8Array(32).fill(1)
  const step = (...mixed: Uint8Array[]): void => {
    key = hmac(sha256, key, concatBytes(value, ...mixed))
    value = hmac(sha256, key, value)
  }
  step(MARK_0, seed)
  step(MARK_1, seed)
  let first = true
  return () => {
    if (!first) step(MARK_0)
    first = false
    value = hmac(sha256, key, value)
    return value
  }
}
