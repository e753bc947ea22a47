// Which ed25519 signatures of a payment proof count: those that a verifier without the cofactor takes, under keys of prime order.
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { makeReceiverProof, paymentProofMessage, verifyReceiverProof } from '../../../src/grin/proof/index.js'
import { concatBytes } from '../../../src/lib/bytes.js'

const { Point } = ed25519
const L = Point.CURVE().n
/** A point of order 8. */
const TORSION = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
/** (0, 1), the point of order 1. */
const IDENTITY = Point.ZERO

const contentOf = (amount: number) => ({
  amount: nanoGrin(BigInt(amount)),
  excess: new Uint8Array(33).fill(8),
  sender: ed25519.getPublicKey(new Uint8Array(32).fill(3)),
})

const littleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
const toNumber = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
const modL = (value: bigint): bigint => ((value % L) + L) % L

const challengeOf = (r: Uint8Array, key: Uint8Array, amount: number): bigint =>
  modL(toNumber(sha512(concatBytes(r, key, paymentProofMessage(contentOf(amount))))))

interface Forgery {
  readonly key: InstanceType<typeof Point>
  readonly nonce: InstanceType<typeof Point>
  /** Of `key` and of `nonce`, without what they have of small order. */
  readonly secret: bigint
  readonly nonceSecret: bigint
}

/** A proof whose equation holds up to points of small order. */
function forged({ key, nonce, secret, nonceSecret }: Forgery, amount = 1) {
  const [r, recipient] = [nonce.toBytes(), key.toBytes()]
  const s = modL(nonceSecret + challengeOf(r, recipient, amount) * secret)
  return { ...contentOf(amount), recipient, signature: concatBytes(r, littleEndian(s)) }
}

const SECRET = 12_345n
const NONCE = 67_890n
const [KEY, R] = [Point.BASE.multiply(SECRET), Point.BASE.multiply(NONCE)]

test('an honest signature counts, one for another amount does not', () => {
  const proof = makeReceiverProof(contentOf(1), new Uint8Array(32).fill(5))
  expect(verifyReceiverProof(proof)).toBe(true)
  expect(verifyReceiverProof({ ...proof, amount: nanoGrin(2n) })).toBe(false)
  expect(verifyReceiverProof(forged({ key: KEY, nonce: R, secret: SECRET, nonceSecret: NONCE }))).toBe(true)
})

describe('a signature does not count', () => {
  test.each([
    ['of order 1', IDENTITY],
    ['of order 8', TORSION],
    ['of order 2', TORSION.multiplyUnsafe(4n)],
  ])('under a key %s, which signs everything', (_, key) => {
    for (let amount = 1; amount <= 16; amount += 1)
      expect(verifyReceiverProof(forged({ key, nonce: R, secret: 0n, nonceSecret: NONCE }, amount))).toBe(false)
  })

  test('under a key of mixed order, whatever the challenge is', () => {
    const key = KEY.add(TORSION)
    for (let amount = 1; amount <= 32; amount += 1)
      expect(verifyReceiverProof(forged({ key, nonce: R, secret: SECRET, nonceSecret: NONCE }, amount))).toBe(false)
  })

  test('with a nonce of mixed order: the equation without the cofactor does not hold', () => {
    const nonce = R.add(TORSION)
    expect(verifyReceiverProof(forged({ key: KEY, nonce, secret: SECRET, nonceSecret: NONCE }))).toBe(false)
  })

  test('with the point of order 1 as its nonce', () => {
    expect(verifyReceiverProof(forged({ key: KEY, nonce: IDENTITY, secret: SECRET, nonceSecret: 0n }))).toBe(false)
  })

  test('with an s at or above the group order', () => {
    const proof = forged({ key: KEY, nonce: R, secret: SECRET, nonceSecret: NONCE })
    const s = toNumber(proof.signature.subarray(32))
    const signature = concatBytes(proof.signature.subarray(0, 32), littleEndian(s + L))
    expect(verifyReceiverProof({ ...proof, signature })).toBe(false)
  })

  test('under a key or with a nonce that is spelled in a second way', () => {
    // y = 1 is also spelled p + 1; both are the point of order 1.
    const second = littleEndian(2n ** 255n - 19n + 1n)
    const proof = forged({ key: KEY, nonce: R, secret: SECRET, nonceSecret: NONCE })
    expect(verifyReceiverProof({ ...proof, recipient: second })).toBe(false)
    expect(verifyReceiverProof({ ...proof, signature: concatBytes(second, proof.signature.subarray(32)) })).toBe(false)
  })

  test('of the wrong length, or under bytes that are no point', () => {
    const proof = makeReceiverProof(contentOf(1), new Uint8Array(32).fill(5))
    expect(verifyReceiverProof({ ...proof, signature: proof.signature.subarray(1) })).toBe(false)
    expect(verifyReceiverProof({ ...proof, recipient: littleEndian(2n) })).toBe(false)
  })
})
