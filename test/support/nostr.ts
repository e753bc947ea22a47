import { createHash } from 'node:crypto'
import { chacha20 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../src/lib/bytes.js'
import type { RandomBytes } from '../../src/lib/random-bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { publicKeyOf, sharedX } from '../../src/nostr/keys/index.js'
import { encrypt } from '../../src/nostr/nip44/index.js'
import { contextOf, messageKeys } from '../../src/nostr/nip44/v3.js'

const hash = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/** Bytes that look random and are the same in every run. */
export function seededRandom(seed: string): RandomBytes {
  let drawn = 0
  const block = () => [...hash(`${seed} ${drawn++}`)]
  return {
    bytes: (length) =>
      Uint8Array.from(
        Array.from({ length: Math.ceil(length / 32) }, block)
          .flat()
          .slice(0, length),
      ),
  }
}

/** A key pair, always the same for a name. */
export function keyPairOf(name: string) {
  const secret = new Secret(hash(`key of ${name}`))
  return { secret, pubkey: publicKeyOf(secret) }
}

/** A version 3 payload with a right MAC around any padded plaintext and any context. */
export function authenticV3(padded: Uint8Array, shared: Uint8Array, nonce: Uint8Array, context: Uint8Array): string {
  const keys = messageKeys(shared, nonce)
  const ciphertext = chacha20(keys.encryption, new Uint8Array(12), padded)
  const mac = hmac(sha256, keys.mac, concatBytes(nonce, context, ciphertext))
  return Buffer.concat([Uint8Array.of(3), nonce, mac, context, ciphertext]).toString('base64')
}

/** Version 3 with as little padding as possible: none. */
function unpadded(text: string, shared: Uint8Array, nonce: Uint8Array, kind: number): string {
  const plaintext = Buffer.from(`\0\0\0\0${text}`)
  plaintext.writeUInt32BE(plaintext.length - 4)
  return authenticV3(plaintext, shared, nonce, contextOf({ kind, scope: '' }))
}

interface Layer {
  readonly from: Secret<Uint8Array>
  readonly to: string
  readonly kind: number
  readonly version: 2 | 3 | 'unpadded'
  readonly tags?: readonly (readonly string[])[]
  /** Kind that version 3 authenticates; `kind` unless given. */
  readonly boundKind?: number
}

/** A seal or wrap around any text at all, honest or not. */
export function layerAround(text: string, { from, to, kind, version, tags = [], boundKind = kind }: Layer): NostrEvent {
  const random = seededRandom(`${text} ${kind}`)
  const shared = sharedX(from, to)
  if (!shared) throw new RangeError(`${to} is no point`)
  const nonce = random.bytes(32)
  const content =
    version === 'unpadded'
      ? unpadded(text, shared, nonce, boundKind)
      : encrypt(text, { version, shared, nonce, kind: boundKind, scope: '' })
  return signEvent({ created_at: 1_782_850_000, kind, tags, content }, from, random)
}
