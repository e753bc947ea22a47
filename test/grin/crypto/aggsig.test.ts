import { describe, expect, test } from 'vitest'
import { isResidue } from '../../../src/curve/index.js'
import { challengeOf, partialWith } from '../../../src/grin/crypto/aggsig.js'
import {
  addSignatures,
  compactToRaw,
  compressedPublicKey,
  publicKeyToCommitment,
  rawToCompact,
  scalarToBytes,
  secureNonce,
  signPartial,
  sumPublicKeys,
  verifyPartial,
  verifySignature,
} from '../../../src/grin/crypto/index.js'
import { decodePublicKey, Point } from '../../../src/grin/crypto/point.js'
import { modN, N } from '../../../src/grin/crypto/scalar.js'
import { concatBytes, toHex } from '../../../src/lib/bytes.js'
import { bytes, casesOf, scalar } from './vectors.js'

describe('nonces', () => {
  test.each(casesOf<{ seed: string; secnonce: string; pubnonce: string }>('aggsig_nonces'))(
    'nonce from seed $seed',
    ({ seed, secnonce, pubnonce }) => {
      const nonce = secureNonce(bytes(seed))
      expect(toHex(scalarToBytes(nonce.secret))).toBe(secnonce)
      expect(toHex(nonce.public)).toBe(pubnonce)
      expect(toHex(compressedPublicKey(nonce.secret))).toBe(pubnonce)
    },
  )

  test('a short seed is refused', () => expect(() => secureNonce(new Uint8Array(31))).toThrow(/need 32 bytes/))
})

type Single = Record<'msg' | 'sk' | 'secnonce' | 'sig' | 'compact' | 'pubkey' | 'pubnonce', string> & {
  pubkey_for_e: string | null
}
const singles = casesOf<Single>('aggsig_single')

describe('one signer', () => {
  test.each(singles.filter((one) => one.pubkey_for_e !== null))('signature of $pubkey', (one) => {
    const session = { nonceSum: bytes(one.pubnonce), keySum: bytes(one.pubkey_for_e ?? ''), message: bytes(one.msg) }
    const signature = signPartial({ ...session, secretKey: scalar(one.sk), secretNonce: scalar(one.secnonce) })
    expect(toHex(signature)).toBe(one.sig)
    expect(toHex(rawToCompact(signature))).toBe(one.compact)
    expect(toHex(compressedPublicKey(scalar(one.sk)))).toBe(one.pubkey)
    expect(verifyPartial({ ...session, signature, publicKey: bytes(one.pubkey) })).toBe(true)
    expect(verifySignature({ signature, publicKey: bytes(one.pubkey), message: bytes(one.msg) })).toBe(
      one.pubkey_for_e === one.pubkey,
    )
  })

  test.each(singles.filter((one) => one.pubkey_for_e === null))('no key in the challenge: $pubkey', (one) => {
    const nonce = bytes(one.pubnonce)
    const e = challengeOf(nonce.subarray(1), new Uint8Array(0), bytes(one.msg))
    const signature = partialWith(e, decodePublicKey(nonce), scalar(one.sk), {
      secret: scalar(one.secnonce),
      public: compressedPublicKey(scalar(one.secnonce)),
    })
    expect(toHex(signature)).toBe(one.sig)
    expect(toHex(rawToCompact(signature))).toBe(one.compact)
  })
})

type Kernel = Record<'msg' | 'pubkey_sum' | 'pubnonce_sum' | 'final' | 'final_compact' | 'excess_commit', string> &
  Record<'sks' | 'secnonces' | 'pubkeys' | 'pubnonces' | 'partials' | 'partials_compact', string[]>

describe('kernels', () => {
  test.each(casesOf<Kernel>('aggsig_kernels'))('several signers make $final', (kernel) => {
    const keySum = sumPublicKeys(kernel.pubkeys.map(bytes))
    const nonceSum = sumPublicKeys(kernel.pubnonces.map(bytes))
    expect([toHex(keySum), toHex(nonceSum)]).toEqual([kernel.pubkey_sum, kernel.pubnonce_sum])
    const session = { nonceSum, keySum, message: bytes(kernel.msg) }
    const partials = kernel.sks.map((sk, i) =>
      signPartial({ ...session, secretKey: scalar(sk), secretNonce: scalar(kernel.secnonces[i] ?? '') }),
    )
    expect(partials.map(toHex)).toEqual(kernel.partials)
    expect(partials.map((one) => toHex(rawToCompact(one)))).toEqual(kernel.partials_compact)
    for (const [i, signature] of partials.entries())
      expect(verifyPartial({ ...session, signature, publicKey: bytes(kernel.pubkeys[i] ?? '') })).toBe(true)

    const final = addSignatures(partials, nonceSum)
    expect(toHex(final)).toBe(kernel.final)
    expect(toHex(compactToRaw(bytes(kernel.final_compact)))).toBe(kernel.final)
    expect(toHex(publicKeyToCommitment(keySum))).toBe(kernel.excess_commit)
    expect(verifySignature({ signature: final, publicKey: keySum, message: session.message })).toBe(true)
  })
})

type Bad = {
  why: string
  sig: string
  msg: string
  nonce: string | null
  pubkey: string
  pubkey_total: string | null
  partial: boolean
  ok: boolean
}

/** The library lets the key sum be absent; our signatures always carry one, so the key itself stands for "absent". */
const answerTo = (bad: Bad): boolean => {
  const [signature, publicKey, message] = [bytes(bad.sig), bytes(bad.pubkey), bytes(bad.msg)]
  if (!bad.partial || bad.nonce === null) return verifySignature({ signature, publicKey, message })
  const keySum = bytes(bad.pubkey_total ?? bad.pubkey)
  return verifyPartial({ signature, publicKey, nonceSum: bytes(bad.nonce), keySum, message })
}

describe('altered signatures', () => {
  test.each(casesOf<Bad>('aggsig_bad'))('$why', (bad) => expect(answerTo(bad)).toBe(bad.ok))

  test('another length than 64 bytes is not a signature', () => {
    const publicKey = compressedPublicKey(1n)
    const message = new Uint8Array(32)
    expect(verifySignature({ signature: new Uint8Array(63), publicKey, message })).toBe(false)
    const session = { nonceSum: publicKey, keySum: publicKey, message }
    expect(verifyPartial({ ...session, signature: new Uint8Array(65), publicKey })).toBe(false)
    expect(verifyPartial({ ...session, signature: new Uint8Array(64), publicKey })).toBe(false)
  })

  test('a nonce that was not negated passes as a share and fails as a kernel signature, as with a node', () => {
    const message = new Uint8Array(32).fill(3)
    const publicKey = compressedPublicKey(5n)
    const isSquare = (k: bigint): boolean => isResidue(Point.BASE.multiply(k).toAffine().y)
    const k = [2n, 3n, 4n, 5n, 6n, 7n].find((one) => !isSquare(one)) ?? 0n
    const session = { nonceSum: compressedPublicKey(k), keySum: publicKey, message }
    const right = signPartial({ ...session, secretKey: 5n, secretNonce: k })
    expect(verifySignature({ signature: right, publicKey, message })).toBe(true)
    // s + 2k instead of s: the nonce with its other sign.
    const s = scalar(toHex(right.subarray(32)))
    const wrong = concatBytes(right.subarray(0, 32), scalarToBytes(modN(s + 2n * k)))
    expect(verifyPartial({ ...session, signature: wrong, publicKey })).toBe(true)
    expect(verifySignature({ signature: wrong, publicKey, message })).toBe(false)
  })

  test('bad keys and nonces never sign', () => {
    const session = { nonceSum: compressedPublicKey(1n), keySum: compressedPublicKey(2n), message: new Uint8Array(32) }
    expect(() => signPartial({ ...session, secretKey: 0n, secretNonce: 1n })).toThrow(/secret key/)
    expect(() => signPartial({ ...session, secretKey: 1n, secretNonce: N })).toThrow(/secret nonce/)
    expect(() => signPartial({ ...session, keySum: new Uint8Array(33), secretKey: 1n, secretNonce: 1n })).toThrow(
      /key sum/,
    )
    expect(() => signPartial({ ...session, message: new Uint8Array(31), secretKey: 1n, secretNonce: 1n })).toThrow(
      /message/,
    )
  })

  test('there is no sum of no signatures, nor of a short one', () => {
    expect(() => addSignatures([], compressedPublicKey(1n))).toThrow(/no partial/)
    expect(() => addSignatures([new Uint8Array(63)], compressedPublicKey(1n))).toThrow(/need 64 bytes/)
  })
})

describe('compact form', () => {
  test.each(casesOf<{ compact: string; ok: boolean; raw: string }>('sig_compact'))(
    '$compact',
    ({ compact, ok, raw }) => {
      if (!ok) return expect(() => compactToRaw(bytes(compact))).toThrow(/not below the group order/)
      expect(toHex(compactToRaw(bytes(compact)))).toBe(raw)
      expect(toHex(rawToCompact(bytes(raw)))).toBe(compact)
    },
  )

  test('63 bytes have no compact form', () => expect(() => rawToCompact(new Uint8Array(63))).toThrow(/need 64 bytes/))
})
