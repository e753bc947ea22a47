// Who writes to a relay in its fault rounds. They sign by themselves and quickly: with a few nonces that are used again and again, which gives their
// keys away and makes signatures as good as any.
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'

/** An event as a client has it. */
export interface Signed {
  readonly id: string
  readonly pubkey: string
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
  readonly sig: string
}

export type Draft = Pick<Signed, 'created_at' | 'kind' | 'tags' | 'content'>

export interface Person {
  readonly pubkey: string
  sign(draft: Draft): Signed
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const NONCES = 8

export const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const TAG = sha256('BIP0340/challenge')
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** A secret whose point has an even y, and the x of that point. */
function evenPair(seed: string) {
  const bytes = sha256(seed)
  const point = secp256k1.getPublicKey(bytes, true)
  const secret = numberOf(bytes)
  return { secret: point[0] === 2 ? secret : ORDER - secret, x: Buffer.from(point.subarray(1)) }
}

const nonces = Array.from({ length: NONCES }, (_, at) => evenPair(`nonce ${at}`))

/** Always the same for a name. */
function personOf(name: string): Person {
  const { secret, x } = evenPair(`key of ${name}`)
  const pubkey = x.toString('hex')
  return {
    pubkey,
    sign(draft) {
      const { created_at, kind, tags, content } = draft
      const id = sha256(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
      const nonce = nonces[id.readUInt8(0) % NONCES]!
      const challenge = numberOf(sha256(TAG, TAG, nonce.x, x, id)) % ORDER
      const sum = (nonce.secret + challenge * secret) % ORDER
      const sig = nonce.x.toString('hex') + sum.toString(16).padStart(64, '0')
      return { id: id.toString('hex'), pubkey, created_at, kind, tags, content, sig }
    },
  }
}

export interface Society {
  /** Whose public notes are taken. */
  readonly writers: readonly Person[]
  readonly recipients: readonly Person[]
  /** Keys of gift wraps; each is used more than once. */
  readonly throwAway: readonly Person[]
  /** Whose events the operator removes, all of them. */
  readonly doomed: Person
  /** Whose public notes are refused. */
  readonly stranger: Person
}

const several = (name: string, count: number) => Array.from({ length: count }, (_, at) => personOf(`${name} ${at}`))

export const newSociety = (): Society => ({
  writers: several('writer', 8),
  recipients: several('recipient', 6),
  throwAway: several('throw-away', 30),
  doomed: personOf('doomed'),
  stranger: personOf('stranger'),
})

export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: Math.min(count, all.length) }, () => all[Math.floor(Math.random() * all.length)]!)
}
