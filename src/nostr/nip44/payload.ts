// Checks of an encrypted text that need no key. Specification: invoicing, 4.5.
import { equalBytes, utf8 } from '../../lib/bytes.js'

export type Nip44Version = 2 | 3

/** The event of a text. A text of version 3 decrypts in no other. */
export interface EncryptionContext {
  /** Unsigned 32-bit. */
  readonly kind: number
  readonly scope: string
}

/** Reasons for a failed decryption. Those before `key` need no key. */
export type PayloadRefusal =
  | 'future-form' // a leading '#': some other encoding
  | 'not-base64' // or not the one standard way to write these bytes
  | 'version'
  | 'too-short'
  | 'scope-length' // beyond the end
  | 'kind' // made for another kind of event
  | 'scope'
  | 'key' // the other side's key is no point of the curve
  | 'mac' // not between these two keys, or altered
  | 'length' // the plaintext would be longer than its padded form
  | 'padding'
  | 'not-utf8'

/** Minimum bytes by version: version byte, nonce, mac, and 2-byte prefix with 32 padded bytes; or kind, scope length and 4-byte prefix. */
const SHORTEST = { 2: 1 + 32 + 32 + 2 + 32, 3: 1 + 32 + 32 + 4 + 4 + 4 } as const

/** Offsets in a payload of version 3: kind and scope length, and the scope. */
export const CONTEXT = 65
const SCOPE = CONTEXT + 8

/** A payload of a known version and for the expected context. */
export interface Payload {
  readonly version: Nip44Version
  readonly text: string
  readonly bytes: Uint8Array
}

/** Reads the outer form. The caller limits the length of the text. */
export function readPayload(text: string, context: EncryptionContext): Payload | { readonly refusal: PayloadRefusal } {
  if (text.startsWith('#')) return { refusal: 'future-form' }
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return { refusal: 'not-base64' }
  const [version] = bytes
  if (version === undefined) return { refusal: 'too-short' }
  if (version !== 2 && version !== 3) return { refusal: 'version' }
  if (bytes.length < SHORTEST[version]) return { refusal: 'too-short' }
  const refusal = version === 3 ? contextRefusal(bytes, context) : undefined
  return refusal ? { refusal } : { version, text, bytes }
}

/** The fault in the context of a payload of at least 77 bytes; undefined: none. Needs no key. */
function contextRefusal(payload: Uint8Array, { kind, scope }: EncryptionContext): PayloadRefusal | undefined {
  const scopeLength = readU32(payload, CONTEXT + 4)
  if (scopeLength > payload.length - SCOPE) return 'scope-length'
  if (payload.length - SCOPE - scopeLength < 4) return 'too-short'
  if (readU32(payload, CONTEXT) !== kind) return 'kind'
  return equalBytes(payload.subarray(SCOPE, SCOPE + scopeLength), utf8(scope)) ? undefined : 'scope'
}

export const readU32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)
