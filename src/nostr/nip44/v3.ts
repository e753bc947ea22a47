// NIP-44 version 3 (specification: invoicing, 4.5): like version 2, and the kind of the event is authenticated with it.
//   03 || nonce[32] || mac[32] || kind u32be || scope length u32be || scope || ciphertext
import { timingSafeEqual } from 'node:crypto'
import { chacha20 } from '@noble/ciphers/chacha.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import { CONTEXT, type EncryptionContext, type PayloadRefusal, readU32 } from './payload.js'

const VERSION = 3
const SALT = Uint8Array.of(...utf8('nip44-v3'), 0)
/** Every nonce gives a fresh key, so the stream may start at zero. */
const STREAM_START = new Uint8Array(12)
const MAX_LENGTH = 2 ** 31 - 1
const [NONCE, MAC] = [1, 33]

/** Encryption and authentication key (32 bytes each) of one message; `secret` is the shared x coordinate. */
export function messageKeys(secret: Uint8Array, nonce: Uint8Array) {
  const prk = extract(sha256, secret, concatBytes(SALT, nonce))
  const key = (use: string) => expand(sha256, prk, utf8(use), 32)
  return { prk, encryption: key('encryption_key'), mac: key('mac_key') }
}

/** kind u32be || scope length u32be || scope. */
export function contextOf({ kind, scope }: EncryptionContext): Uint8Array {
  const text = utf8(scope)
  return concatBytes(u32(kind), u32(text.length), text)
}

/** The payload bytes. `nonce`: 32 bytes that were never used before. */
export function encryptV3(
  plaintext: Uint8Array,
  secret: Uint8Array,
  nonce: Uint8Array,
  context: EncryptionContext,
): Uint8Array {
  const keys = messageKeys(secret, nonce)
  const padded = new Uint8Array(paddedLength(4 + plaintext.length))
  padded.set(u32(plaintext.length))
  padded.set(plaintext, 4)
  const ciphertext = chacha20(keys.encryption, STREAM_START, padded)
  const bound = contextOf(context)
  const mac = hmac(sha256, keys.mac, concatBytes(nonce, bound, ciphertext))
  return concatBytes(Uint8Array.of(VERSION), nonce, mac, bound, ciphertext)
}

/** The plaintext of a payload that passed `contextRefusal`. */
export function decryptV3(payload: Uint8Array, secret: Uint8Array): Uint8Array | PayloadRefusal {
  const nonce = payload.subarray(NONCE, MAC)
  const bound = payload.subarray(CONTEXT)
  const keys = messageKeys(secret, nonce)
  const mac = hmac(sha256, keys.mac, concatBytes(nonce, bound))
  if (!timingSafeEqual(mac, payload.subarray(MAC, CONTEXT))) return 'mac'
  const ciphertext = bound.subarray(8 + readU32(bound, 4))
  return unpad(chacha20(keys.encryption, STREAM_START, ciphertext))
}

/** Accepts every amount of padding, which must be zero bytes. */
function unpad(padded: Uint8Array): Uint8Array | PayloadRefusal {
  const length = readU32(padded, 0)
  if (length > MAX_LENGTH || length > padded.length - 4) return 'length'
  const isZero = padded.subarray(4 + length).every((byte) => byte === 0)
  return isZero ? padded.subarray(4, 4 + length) : 'padding'
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/**
 * The padded length in version 3 of `length` bytes (4 bytes of prefix and the plaintext): steps of an eighth to a quarter of the
 * next power of two, at least 32.
 */
export function paddedLength(length: number): number {
  if (length === 0) return 32
  const power = 2 ** Math.ceil(Math.log2(length))
  const chunk = Math.max(32, power / (power >= 32_768 ? 8 : 4))
  return chunk * Math.ceil(length / chunk)
}
