// Gift wraps that no key opens, signed rightly, made by the ten thousand: one key, and nonces that follow each other, which
// makes a signature as cheap as a point addition. Never do this with a key that matters.
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { eventId, type NostrEvent } from '../../src/nostr/event/index.js'
import { noise } from '../support/hostile-slatepacks.js'

const { Point } = secp256k1
const { ORDER } = Point.Fn
const KEY = 1n // its point is the base point, whose y is even

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const TAG = sha256(Buffer.from('BIP0340/challenge'))
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const pubkey = bytesOf(Point.BASE.x).toString('hex')

/** So many wraps to one receiver, each with its own id and a true signature. `now` in epoch milliseconds. */
export function junkWraps(to: string, count: number, now: number): readonly NostrEvent[] {
  let nonce = BigInt(`0x${createHash('sha256').update(`${to} ${now}`).digest('hex')}`) % (ORDER - BigInt(count) - 1n)
  let point = Point.BASE.multiply(nonce)
  const created_at = Math.floor(now / 1000)
  return Array.from({ length: count }, (_, at) => {
    nonce += 1n
    point = point.add(Point.BASE)
    const content = Buffer.concat([Buffer.of(2), noise(320, `junk ${at}`)]).toString('base64')
    const unsigned = { pubkey, created_at: created_at - at, kind: 1059, tags: [['p', to]], content }
    const id = eventId(unsigned)
    return { id, ...unsigned, sig: signature(id, nonce, point) }
  })
}

/** BIP-340: the nonce is negated when its point has an odd y. */
function signature(id: string, nonce: bigint, point: InstanceType<typeof Point>): string {
  const { x, y } = point.toAffine()
  const k = y % 2n === 0n ? nonce : ORDER - nonce
  const digest = sha256(TAG, TAG, bytesOf(x), Buffer.from(pubkey, 'hex'), Buffer.from(id, 'hex'))
  const e = BigInt(`0x${digest.toString('hex')}`) % ORDER
  return Buffer.concat([bytesOf(x), bytesOf((k + e * KEY) % ORDER)]).toString('hex')
}
