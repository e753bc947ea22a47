// Vectors: test/vectors/pay/derive.json and receipt.json, recomputed with independent code (see the README there).
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import { Secret } from '../../src/lib/secret.js'
import {
  childSecret,
  deriveChild,
  endpubContext,
  invoiceContext,
  isSignedBy,
  publicKeyOf,
  sharedX,
  signDigest,
} from '../../src/nostr/keys/index.js'
import { formatNpub } from '../../src/nostr/nip19/index.js'
import { payVectors } from './vectors.js'

interface DeriveVector {
  master_secret: string
  invoice_id: string
  user_id: string
  epoch: number
  child_secret: string
  child_pubkey: string
  npub: string
}

const { invoice, endpub }: { invoice: DeriveVector[]; endpub: DeriveVector[] } = payVectors('derive')
const master = (hex: string) => new Secret(fromHex(hex, 32))

function expectChild(vector: DeriveVector, context: Uint8Array): void {
  const child = deriveChild(master(vector.master_secret), context)
  expect(toHex(child.secret.reveal())).toBe(vector.child_secret)
  expect(child.pubkey).toBe(vector.child_pubkey)
  expect(formatNpub(child.pubkey)).toBe(vector.npub)
}

test.each(invoice)('the key of invoice $invoice_id under $master_secret', (vector) =>
  expectChild(vector, invoiceContext(vector.invoice_id)),
)

test.each(endpub)('the key of user $user_id in epoch $epoch under $master_secret', (vector) =>
  expectChild(vector, endpubContext(vector.user_id, vector.epoch)),
)

describe('public keys', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const secretOf = (number: bigint) => master(number.toString(16).padStart(64, '0'))
  const expectLibraryKey = (number: bigint) =>
    expect(publicKeyOf(secretOf(number))).toBe(toHex(schnorr.getPublicKey(secretOf(number).reveal())))

  test('are those of the library at the edges: small, near the order, with zero bytes anywhere', () => {
    const edges = [1n, 2n, 255n, 256n, 257n, 2n ** 248n, 2n ** 248n - 1n, order / 2n, order / 2n + 1n]
    for (const number of [...edges, ...edges.map((edge) => order - edge)]) expectLibraryKey(number)
  })

  test('are those of the library for any secret, sparse ones included', () => {
    const byte = fc.oneof(fc.constant(0), fc.constant(255), fc.nat(255))
    const secret = fc
      .array(byte, { minLength: 32, maxLength: 32 })
      .map((bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes))}`))
    fc.assert(
      fc.property(secret, (number) => {
        fc.pre(number > 0n && number < order)
        expectLibraryKey(number)
      }),
    )
  })

  test('exist only for valid secrets', () => {
    for (const number of [0n, order, order + 1n, 2n ** 256n - 1n])
      expect(() => publicKeyOf(secretOf(number))).toThrow(RangeError)
    expect(() => publicKeyOf(new Secret(new Uint8Array(31).fill(1)))).toThrow(RangeError)
  })
})

test('a hash that is no valid key is made again with a counter after the context', () => {
  const asked: string[] = []
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  const answers = ['00'.repeat(32), order, '01'.repeat(32)]
  const secret = childSecret(master('07'.repeat(32)), invoiceContext('a'), (preimage) => {
    asked.push(toHex(preimage))
    return fromHex(answers[asked.length - 1] ?? '', 32)
  })
  const first = `${'07'.repeat(32)}61`
  expect(asked).toEqual([first, `${first}00000001`, `${first}00000002`])
  expect(toHex(secret.reveal())).toBe('01'.repeat(32))
})

describe('signatures', () => {
  const receipts: {
    server_secret: string
    sha256: string
    signed: { receipt: { server_pubkey: string }; sig: string }
  }[] = payVectors('receipt').vectors

  test.each(receipts)('receipt digest $sha256 is signed as in the vectors', ({ server_secret, sha256, signed }) => {
    const secret = master(server_secret)
    expect(publicKeyOf(secret)).toBe(signed.receipt.server_pubkey)
    expect(signDigest(fromHex(sha256, 32), secret)).toBe(signed.sig)
    expect(isSignedBy(signed.receipt.server_pubkey, fromHex(sha256, 32), signed.sig)).toBe(true)
  })

  test('a changed digest, another key and malformed text are not signed', () => {
    const [{ sha256, signed }] = receipts as [(typeof receipts)[0]]
    const digest = fromHex(sha256, 32)
    const { server_pubkey } = signed.receipt
    expect(isSignedBy(server_pubkey, digest.with(0, (digest[0] ?? 0) ^ 1), signed.sig)).toBe(false)
    expect(isSignedBy('b6b4cfc353832cc5da93651e603624765192ce8da148bdd98e3a24e8461754d5', digest, signed.sig)).toBe(
      false,
    )
    expect(isSignedBy(server_pubkey, digest, signed.sig.slice(2))).toBe(false)
    fc.assert(fc.property(fc.string(), fc.string(), (key, sig) => !isSignedBy(key, digest, sig)))
  })
})

test('a secret does not print', () => {
  const child = deriveChild(master('07'.repeat(32)), invoiceContext('a'))
  expect(JSON.stringify(child)).toContain('"secret":"[secret]"')
})

test('what two keys share is what the library says, edges of the curve included', () => {
  const edges = [1n, 2n, 3n, 2n ** 128n, 2n ** 255n, secp256k1.Point.Fn.ORDER - 1n, secp256k1.Point.Fn.ORDER - 2n]
  const keys = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...edges) },
    { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: secp256k1.Point.Fn.ORDER - 1n }) },
  )
  const toKey = (key: bigint) => fromHex(key.toString(16).padStart(64, '0'), 32)
  fc.assert(
    fc.property(keys, keys, (ours, theirs) => {
      const pubkey = toHex(schnorr.getPublicKey(toKey(theirs)))
      const shared = secp256k1.getSharedSecret(toKey(ours), fromHex(`02${pubkey}`, 33)).subarray(1)
      expect(toHex(sharedX(new Secret(toKey(ours)), pubkey) ?? new Uint8Array())).toBe(toHex(shared))
    }),
    { numRuns: 60 },
  )
})
