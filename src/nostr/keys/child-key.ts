// One-time receiving keys (specification: invoicing, 3.5). The derivation is fixed: it keeps old links payable after a till moves.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import { Secret } from '../../lib/secret.js'
import { isSecretKey, publicKeyOf } from './key-pair.js'

export interface ChildKey {
  readonly secret: Secret<Uint8Array>
  /** 64 lower-case hex, x-only. */
  readonly pubkey: string
}

/** EncryptionContext of an invoice's own key: its id as UTF-8. */
export const invoiceContext = (invoiceId: string): Uint8Array => utf8(invoiceId)

/** EncryptionContext of a user's key of one epoch: id as UTF-8, then the epoch as signed 64-bit big-endian. */
export function endpubContext(userId: string, epoch: number): Uint8Array {
  const number = Buffer.alloc(8)
  number.writeBigInt64BE(BigInt(epoch))
  return concatBytes(utf8(userId), number)
}

/**
 * SHA-256(master || context); if that is no valid key, a 32-bit counter 1, 2, … is appended to the context.
 * `master` is the till's 32-byte Nostr secret, never the Grin seed. Tests set `hash` to reach the counter.
 */
export function childSecret(
  master: Secret<Uint8Array>,
  context: Uint8Array,
  hash: (message: Uint8Array) => Uint8Array = sha256,
): Secret<Uint8Array> {
  const preimage = concatBytes(master.reveal(), context)
  for (let counter = 0; counter < 2 ** 32; counter++) {
    const candidate = hash(counter === 0 ? preimage : concatBytes(preimage, u32(counter)))
    if (isSecretKey(candidate)) return new Secret(candidate)
  }
  throw new RangeError('no valid child key')
}

/** The child key of a context, with its public half. */
export function deriveChild(master: Secret<Uint8Array>, context: Uint8Array): ChildKey {
  const secret = childSecret(master, context)
  return { secret, pubkey: publicKeyOf(secret) }
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
