// The form in which tor takes an ed25519 key (specification: invoicing, 5.1).
import { createHash } from 'node:crypto'
import { Secret } from '../lib/secret.js'

/** SHA-512 of the 32-byte seed with the clamping of RFC 8032, 5.1.5: 32 bytes of scalar, 32 bytes of prefix. */
export function expandedKey(seed: Secret<Uint8Array>): Secret<Uint8Array> {
  const bytes = seed.reveal()
  if (bytes.length !== 32) throw new RangeError(`an ed25519 seed has 32 bytes, not ${bytes.length}`)
  const hash = new Uint8Array(createHash('sha512').update(bytes).digest())
  hash[0] = (hash[0] ?? 0) & 0xf8
  hash[31] = ((hash[31] ?? 0) & 0x7f) | 0x40
  return new Secret(hash)
}
