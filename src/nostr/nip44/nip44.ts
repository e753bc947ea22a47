// Encrypted texts between two Nostr keys (NIP-44). Version 2 comes from nostr-tools, version 3 is in v3.ts. Specification: invoicing, 4.5.
import { extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { v2 } from 'nostr-tools/nip44'
import { utf8 } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import type { EncryptionContext, Nip44Version, Payload, PayloadRefusal } from './payload.js'
import { decryptV3, encryptV3 } from './v3.js'

export type { EncryptionContext, Nip44Version } from './payload.js'

export type Decrypted = { readonly text: string } | { readonly refusal: PayloadRefusal }

interface Sealing extends EncryptionContext {
  readonly version: Nip44Version
  /** Shared x coordinate of the two keys, 32 bytes. */
  readonly shared: Uint8Array
  /** 32 bytes, never used before with this pair of keys. */
  readonly nonce: Uint8Array
}

/** Version 2 binds neither kind nor scope. Throws for an empty text in version 2. */
export function encrypt(text: string, { version, shared, nonce, kind, scope }: Sealing): string {
  if (version === 2) return v2.encrypt(text, conversationKey(shared), nonce)
  return Buffer.from(encryptV3(utf8(text), shared, nonce, { kind, scope })).toString('base64')
}

/** Decrypts a payload of `readPayload`. Never throws for untrusted bytes. */
export const decrypt = (payload: Payload, shared: Uint8Array): Decrypted =>
  payload.version === 2 ? decryptV2(payload.text, shared) : decodeText(decryptV3(payload.bytes, shared))

const conversationKey = (shared: Uint8Array): Uint8Array => extract(sha256, shared, utf8('nip44-v2'))

function decryptV2(text: string, shared: Uint8Array): Decrypted {
  try {
    return { text: v2.decrypt(text, conversationKey(shared)) }
  } catch (thrown) {
    return { refusal: messageOf(thrown) === 'invalid MAC' ? 'mac' : 'padding' }
  }
}

function decodeText(plaintext: Uint8Array | PayloadRefusal): Decrypted {
  if (typeof plaintext === 'string') return { refusal: plaintext }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plaintext) }
  } catch {
    return { refusal: 'not-utf8' }
  }
}
