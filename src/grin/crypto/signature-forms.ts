// The two encodings of a signature: raw on the chain, compact in JSON (specification: grin-crypto, 8.6).
import { concatBytes } from '../../lib/bytes.js'
import { badLength, badSignature } from './errors.js'
import { N, toInteger } from './scalar.js'

function swapHalves(signature: Uint8Array): Uint8Array {
  if (signature.length !== 64) throw badLength('signature', 64, signature.length)
  return concatBytes(signature.slice(0, 32).reverse(), signature.slice(32).reverse())
}

/** Each half byte-reversed on its own, 64 bytes. */
export const rawToCompact = (raw: Uint8Array): Uint8Array => swapHalves(raw)

/**
 * The inverse of `rawToCompact`. A half that is not below n when read big-endian is refused, because grin's reader
 * takes the compact form for an ECDSA signature.
 */
export function compactToRaw(compact: Uint8Array): Uint8Array {
  const raw = swapHalves(compact)
  if (toInteger(compact.subarray(0, 32)) >= N || toInteger(compact.subarray(32)) >= N)
    throw badSignature('a half of the compact form is not below the group order')
  return raw
}
