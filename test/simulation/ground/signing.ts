// Signing at a fiftieth of the usual cost: people in a world have no secrets to protect, so nothing here takes constant time. What is signed
// is verified by the product's own code.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { N } from '../../../src/curve/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { type EventTemplate, eventId, type NostrEvent, signWith } from '../../../src/nostr/event/index.js'
import { publicKeyOf } from '../../../src/nostr/keys/index.js'
import type { Chance } from './chance.js'

/** A Nostr key, and what its owner signs. */
export interface Signer {
  readonly secret: Secret<Uint8Array>
  /** 64 hex. */
  readonly pubkey: string
  sign(template: EventTemplate): NostrEvent
}

interface Library {
  publicKeyCreate(secret: Uint8Array, compressed: boolean, output: Uint8Array): Uint8Array
}

const isLibrary = (value: unknown): value is Library =>
  typeof value === 'object' && value !== null && 'publicKeyCreate' in value

function loadLibrary(): Library | undefined {
  try {
    const loaded: unknown = createRequire(import.meta.url)('secp256k1/bindings.js')
    return isLibrary(loaded) ? loaded : undefined
  } catch {
    return undefined
  }
}

const library = loadLibrary()
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0')
const TAG = createHash('sha256').update('BIP0340/challenge').digest()

/** The same key and nonces for the same stream. */
export function createSigner(chance: Chance): Signer {
  const bytes = chance.bytes(32)
  const secret = new Secret(bytes)
  const pubkey = publicKeyOf(secret)
  const key = Buffer.from(pubkey, 'hex')
  const d = library && evenSecret(library, bytes)
  return {
    secret,
    pubkey,
    sign(template) {
      const nonce = chance.bytes(32)
      if (!library || d === undefined) return signWith(nonce, template, secret)
      const unsigned = { pubkey, ...template }
      const id = eventId(unsigned)
      const point = library.publicKeyCreate(nonce, true, new Uint8Array(33))
      const k = point[0] === 2 ? numberOf(nonce) : N - numberOf(nonce)
      const r = point.subarray(1)
      const e = numberOf(createHash('sha256').update(TAG).update(TAG).update(r).update(key).update(id, 'hex').digest())
      const sig = Buffer.from(r).toString('hex') + hex32((k + (e % N) * d) % N)
      return { id, ...unsigned, sig }
    },
  }
}

/** The scalar whose public point has an even y (BIP-340). */
function evenSecret({ publicKeyCreate }: Library, bytes: Uint8Array): bigint {
  const isEven = publicKeyCreate(bytes, true, new Uint8Array(33))[0] === 2
  return isEven ? numberOf(bytes) : N - numberOf(bytes)
}
