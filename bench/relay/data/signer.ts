// Signs events (BIP-340) fast enough for a million of them: the native module multiplies points, and its scalar sums make the rest.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { NostrEvent } from '../../../src/nostr/event/index.js'

export interface Signer {
  /** Hex. */
  readonly pubkey: string
  sign(draft: Draft, nonceBytes: Buffer): NostrEvent
}

export interface Draft {
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
}

/** The parts of the native module that are used here; it ships no types. */
interface Secp256k1 {
  /** 33 bytes. */
  publicKeyCreate(secret: Uint8Array): Uint8Array
  /** These three change `secret` in place. */
  privateKeyNegate(secret: Uint8Array): Uint8Array
  privateKeyTweakAdd(secret: Uint8Array, tweak: Uint8Array): Uint8Array
  privateKeyTweakMul(secret: Uint8Array, tweak: Uint8Array): Uint8Array
}
const secp256k1 = createRequire(import.meta.url)('secp256k1') as Secp256k1

const ODD = 3
const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const TAG = sha256(Buffer.from('BIP0340/challenge'))
const CHALLENGE = Buffer.concat([TAG, TAG])

/** The point of even y that belongs to a secret, and the secret that belongs to it: negated in place when its y was odd. */
function evenPoint(secret: Uint8Array): Uint8Array {
  const point = secp256k1.publicKeyCreate(secret)
  if (point[0] === ODD) secp256k1.privateKeyNegate(secret)
  return point.subarray(1)
}

/** `secretBytes`: 32, below the order as good as always. */
export function createSigner(secretBytes: Uint8Array): Signer {
  const secret = Uint8Array.from(secretBytes)
  const key = evenPoint(secret)
  const pubkey = Buffer.from(key).toString('hex')

  function signatureOf(id: Buffer, nonceBytes: Buffer): string {
    const nonce = Uint8Array.from(nonceBytes)
    const point = evenPoint(nonce)
    const sum = Uint8Array.from(secret)
    secp256k1.privateKeyTweakMul(sum, sha256(CHALLENGE, point, key, id))
    secp256k1.privateKeyTweakAdd(sum, nonce)
    return Buffer.from(point).toString('hex') + Buffer.from(sum).toString('hex')
  }

  return {
    pubkey,
    sign({ created_at, kind, tags, content }, nonceBytes) {
      const id = sha256(Buffer.from(JSON.stringify([0, pubkey, created_at, kind, tags, content])))
      return { id: id.toString('hex'), pubkey, created_at, kind, tags, content, sig: signatureOf(id, nonceBytes) }
    },
  }
}
