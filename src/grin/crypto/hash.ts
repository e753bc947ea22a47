// Hashes, by the names that the rules use (specification: grin-crypto, 2).
import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../lib/bytes.js'

/** SHA-256 of the concatenation, 32 bytes. */
export const sha = (...parts: readonly Uint8Array[]): Uint8Array => sha256(concatBytes(...parts))

/** BLAKE2b-256, unkeyed or with a key of up to 64 bytes; no salt, no personalisation. */
export const blake2b256 = (data: Uint8Array, key?: Uint8Array): Uint8Array =>
  blake2b(data, key ? { dkLen: 32, key } : { dkLen: 32 })
