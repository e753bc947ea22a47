// Our BIP-340 against the curve library's: the same signatures to the byte, and the same verdict on whatever is none.
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { N, P } from '../../src/curve/index.js'
import { openNativeSum } from '../../src/curve/native.js'
import {
  bytesToInteger,
  integerToBytes,
  secretScalar,
  sign,
  signatureCheck,
  verify,
  verifyWith,
} from '../../src/nostr/keys/key-pair.js'
import { bytes as ofHex, vectors } from '../support/vectors.js'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const scalars = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(1n, 2n, 3n, N - 1n, N - 2n, N >> 1n, 2n ** 128n) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: N - 1n }) },
)
const keyOf = (secret: bigint) => schnorr.getPublicKey(integerToBytes(secret))
const signature = (r: bigint | Uint8Array, s: bigint) =>
  Uint8Array.from([...(typeof r === 'bigint' ? integerToBytes(r) : r), ...integerToBytes(s)])

describe('signing', () => {
  test('gives the bytes of the curve library, whatever the key, message and auxiliary bytes', () => {
    fc.assert(
      fc.property(scalars, bytes, bytes, (secret, message, auxiliary) => {
        expect(sign(message, secret, auxiliary)).toEqual(schnorr.sign(message, integerToBytes(secret), auxiliary))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a secret key', () => {
  test.each([0n, 1n, N - 1n, N, N + 1n, 2n ** 256n - 1n])('%s is one exactly when the library takes it', (value) => {
    expect(secretScalar(integerToBytes(value)) !== undefined).toBe(
      secp256k1.utils.isValidSecretKey(integerToBytes(value)),
    )
  })

  test('has 32 bytes', () => {
    expect(secretScalar(new Uint8Array(31).fill(1))).toBeUndefined()
    expect(secretScalar(new Uint8Array(33).fill(1))).toBeUndefined()
    expect(secretScalar(new Uint8Array())).toBeUndefined()
  })
})

describe('checking', () => {
  const secret = 0xb7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfefn
  const message = new Uint8Array(32).fill(9)
  const key = keyOf(secret)
  const good = sign(message, secret, new Uint8Array(32))
  const [r, s] = [good.slice(0, 32), bytesToInteger(good.slice(32))]

  /** With the library in C, without it, and the curve library. */
  const both = (sig: Uint8Array, m: Uint8Array, pubkey: Uint8Array): boolean => {
    const ours = verifyWith(undefined, sig, m, pubkey)
    expect(verify(sig, m, pubkey)).toBe(ours)
    expect(ours).toBe(schnorr.verify(sig, m, pubkey))
    return ours
  }

  /** With s = e * d the sum is infinite, for any r. */
  const withInfiniteSum = () => {
    const d = secp256k1.Point.BASE.multiply(secret).y % 2n === 0n ? secret : N - secret
    const e = bytesToInteger(schnorrChallenge(r, key, message)) % N
    return signature(r, (e * d) % N)
  }

  test('takes a good signature', () => expect(both(good, message, key)).toBe(true))

  test.each([
    ['s is not below the order', signature(r, s + N < 2n ** 256n ? s + N : N)],
    ['s is the order', signature(r, N)],
    ['s is zero', signature(r, 0n)],
    ['s has the other sign', signature(r, N - s)],
    ['r is the field prime', signature(P, s)],
    ['r is above the field prime', signature(2n ** 256n - 1n, s)],
    ['r is zero', signature(0n, s)],
    ['r is the x of no point', signature(5n, s)],
    ['everything is zero', new Uint8Array(64)],
    ['everything is ones', new Uint8Array(64).fill(255)],
    ['the sum of its points is infinite', withInfiniteSum()],
  ])('refuses it when %s', (_, bad) => expect(both(bad, message, key)).toBe(false))

  test.each([
    ['zero', 0n],
    ['the x of no point', 5n],
    ['the field prime', P],
    ['a valid x plus the field prime', P + 1n],
    ['the largest number', 2n ** 256n - 1n],
    ['the x of another point', bytesToInteger(keyOf(3n))],
  ])('refuses a public key that is %s', (_, x) => expect(both(good, message, integerToBytes(x))).toBe(false))

  test('refuses a nonce point with an odd y', () => {
    // k and -k have the same r; only the even one is valid, so s computed with the odd one must not pass.
    const R = secp256k1.Point.BASE.multiply(12345n)
    const odd = R.y % 2n === 0n ? N - 12345n : 12345n
    const d = secp256k1.Point.BASE.multiply(secret).y % 2n === 0n ? secret : N - secret
    const x = integerToBytes(R.x)
    const e = bytesToInteger(schnorrChallenge(x, key, message)) % N
    expect(both(signature(x, (odd + e * d) % N), message, key)).toBe(false)
    expect(both(signature(x, (N - odd + e * d) % N), message, key)).toBe(true)
  })

  test('says what the library says about altered signatures, messages and keys', () => {
    const flip = (data: Uint8Array, at: number, bits: number) => data.map((byte, i) => (i === at ? byte ^ bits : byte))
    fc.assert(
      fc.property(scalars, bytes, fc.nat(127), fc.integer({ min: 1, max: 255 }), (who, m, at, bits) => {
        const pubkey = keyOf(who)
        const sig = sign(m, who, m)
        expect(both(sig, m, pubkey)).toBe(true)
        if (at < 64) expect(both(flip(sig, at, bits), m, pubkey)).toBe(false)
        else if (at < 96) expect(both(sig, flip(m, at - 64, bits), pubkey)).toBe(false)
        else expect(both(sig, m, flip(pubkey, at - 96, bits))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  test('says what the library says about any bytes', () => {
    const anySignature = fc.uint8Array({ minLength: 64, maxLength: 64 })
    fc.assert(
      fc.property(anySignature, bytes, bytes, (sig, m, pubkey) => void both(sig, m, pubkey)),
      { numRuns: 60 },
    )
  })
})

interface PublicCase {
  secret_key: string
  public_key: string
  aux_rand: string
  message: string
  signature: string
  valid: boolean
}

describe('the public cases', () => {
  const { cases }: { cases: PublicCase[] } = vectors('nostr/bip340.json')

  test.each(cases)('$index: $valid $comment', ({ public_key, message, signature, valid }) => {
    const [sig, m, key] = [ofHex(signature), ofHex(message), ofHex(public_key)]
    expect(verify(sig, m, key)).toBe(valid)
    expect(verifyWith(undefined, sig, m, key)).toBe(valid)
  })

  test.each(cases.filter(({ secret_key }) => secret_key !== ''))('$index is signed to the byte', (known) => {
    const secret = bytesToInteger(ofHex(known.secret_key))
    expect(sign(ofHex(known.message), secret, ofHex(known.aux_rand))).toEqual(ofHex(known.signature))
  })
})

describe('the library in C', () => {
  const native = openNativeSum()

  test('is named as the check of signatures exactly when it loads', () => {
    expect(signatureCheck()).toBe(native ? 'native' : 'webassembly')
  })

  const secret = 0xb7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfefn
  const key = keyOf(secret)
  const id = new Uint8Array(32).fill(9)
  const sig = sign(id, secret, id)

  test.skipIf(native === undefined)(
    'and our own code refuse an event with any bit of id, key or signature flipped',
    () => {
      const whole = Uint8Array.from([...id, ...key, ...sig])
      for (let bit = 0; bit < 1024; bit++) {
        const flipped = whole.with(bit >> 3, (whole[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
        const [m, pubkey, signature] = [flipped.slice(0, 32), flipped.slice(32, 64), flipped.slice(64)]
        expect(verifyWith(native, signature, m, pubkey), `bit ${bit}`).toBe(false)
        expect(verifyWith(undefined, signature, m, pubkey), `bit ${bit}`).toBe(false)
      }
      expect(verifyWith(native, sig, id, key)).toBe(true)
    },
  )

  test.skipIf(native === undefined)('leaves to ours what a recovery cannot take', () => {
    for (const x of [0n, N, N + 1n, P - 1n, P]) expect(native?.(1n, 1n, integerToBytes(x))).toBeUndefined()
    expect(native?.(1n, 0n, key)).toBeUndefined()
  })

  test.skipIf(native === undefined)('says that the x of no point and a sum that is infinity are no sum', () => {
    expect(native?.(1n, 1n, integerToBytes(5n))).toBe('none')
    expect(native?.(7n, 7n, integerToBytes(secp256k1.Point.BASE.x))).toBe('none')
  })

  test.skipIf(native === undefined)('adds like the curve library, whatever the numbers', () => {
    fc.assert(
      fc.property(fc.constantFrom(0n, 1n, N - 1n), scalars, scalars, scalars, (edge, fixed, scalar, who) => {
        const x = keyOf(who)
        const P = secp256k1.Point.fromBytes(Uint8Array.from([2, ...x]))
        const times = (k: bigint, point: typeof P) => (k === 0n ? secp256k1.Point.ZERO : point.multiply(k))
        for (const k of [edge, fixed]) {
          const sum = times(k, secp256k1.Point.BASE).subtract(times(scalar, P))
          const ours = native?.(k, scalar, x)
          if (sum.is0()) expect(ours).toBe('none')
          else expect(Uint8Array.from(ours as Uint8Array)).toEqual(sum.toBytes(true))
        }
      }),
      { numRuns: 40 },
    )
  })
})

const schnorrChallenge = (R: Uint8Array, pubkey: Uint8Array, m: Uint8Array): Uint8Array =>
  schnorr.utils.taggedHash('BIP0340/challenge', R, pubkey, m)
