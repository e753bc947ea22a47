import { chacha20 } from '@noble/ciphers/chacha.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { v2 } from 'nostr-tools/nip44'
import { describe, expect, test } from 'vitest'
import { concatBytes, utf8 } from '../../src/lib/bytes.js'
import { sharedX } from '../../src/nostr/keys/index.js'
import { decrypt, encrypt, type Nip44Version, readPayload } from '../../src/nostr/nip44/index.js'
import { contextOf, encryptV3 } from '../../src/nostr/nip44/v3.js'
import { authenticV3, keyPairOf, seededRandom } from '../support/nostr.js'

const [alice, bob] = [keyPairOf('alice'), keyPairOf('bob')]
const shared = sharedX(alice.secret, bob.pubkey) ?? new Uint8Array()
const random = seededRandom('nonces')
const context = { kind: 13, scope: '' }
const sealing = (version: Nip44Version) => ({ version, shared, nonce: random.bytes(32), ...context })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function opened(text: string, expected = context, key = shared) {
  const payload = readPayload(text, expected)
  return 'refusal' in payload ? payload : decrypt(payload, key)
}

const authentic = (padded: Uint8Array, bound = contextOf(context)) =>
  authenticV3(padded, shared, random.bytes(32), bound)

/** A version 2 payload with a right MAC around any padded plaintext. */
function authenticV2(padded: Uint8Array): string {
  const nonce = random.bytes(32)
  const keys = expand(sha256, extract(sha256, shared, utf8('nip44-v2')), nonce, 76)
  const ciphertext = chacha20(keys.subarray(0, 32), keys.subarray(32, 44), padded)
  return base64(
    concatBytes(Uint8Array.of(2), nonce, ciphertext, hmac(sha256, keys.subarray(44), concatBytes(nonce, ciphertext))),
  )
}

describe.each([2, 3] as const)('a text in version %i', (version) => {
  test('is read by the other side only', () => {
    const text = encrypt('hello', sealing(version))
    expect(opened(text, context, sharedX(bob.secret, alice.pubkey))).toEqual({ text: 'hello' })
    expect(opened(text, context, sharedX(keyPairOf('eve').secret, alice.pubkey))).toEqual({ refusal: 'mac' })
  })

  test('survives, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
        fc.pre(version === 3 || !text.startsWith('\ufeff'))
        expect(opened(encrypt(text, sealing(version)))).toEqual({ text })
      }),
    )
  })

  test('of any length around the steps of the padding survives', () => {
    const lengths = [
      1, 27, 28, 29, 31, 32, 33, 124, 125, 252, 253, 508, 509, 4092, 4093, 28_668, 32_764, 32_769, 65_535,
    ]
    for (const length of lengths) {
      const text = 'x'.repeat(length)
      expect(opened(encrypt(text, sealing(version)))).toEqual({ text })
    }
  })

  test('with any one bit flipped is refused', () => {
    const bytes = Buffer.from(encrypt('hello', sealing(version)), 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(opened(base64(altered))).toHaveProperty('refusal')
    }
  })

  test('cut off anywhere or continued is refused', () => {
    const bytes = Buffer.from(encrypt('hello', sealing(version)), 'base64')
    for (let length = 0; length < bytes.length; length++)
      expect(opened(base64(bytes.subarray(0, length)))).toHaveProperty('refusal')
    for (const more of [1, 31, 32])
      expect(opened(base64(Buffer.concat([bytes, Buffer.alloc(more)])))).toHaveProperty('refusal')
  })

  test('is standard base64 and nothing else', () => {
    const text = encrypt('hello'.repeat(8), sealing(version))
    for (const other of [
      `${text}\n`,
      ` ${text}`,
      text.replace(/=*$/, ''),
      `${text}=`,
      text.replace(/./, '-'),
      `${text}!`,
    ])
      expect(opened(other)).toEqual({ refusal: 'not-base64' })
  })
})

describe('the shortest payload', () => {
  test.each([
    [2, 98, 'too-short'],
    [2, 99, 'mac'],
    [3, 76, 'too-short'],
    [3, 77, 'mac'],
  ] as const)('of version %i, with %i bytes: %s', (version, length, refusal) => {
    const bytes = new Uint8Array(length)
    bytes[0] = version
    bytes.set(contextOf(context), version === 3 ? 65 : 0)
    bytes[0] = version
    expect(opened(base64(bytes))).toEqual({ refusal })
  })

  test('of every length from nothing on is refused without an error, in every version', () => {
    for (let length = 0; length < 140; length++)
      for (const version of [0, 1, 2, 3, 4, 255])
        expect(opened(base64(new Uint8Array(length).fill(version, 0, 1)))).toHaveProperty('refusal')
  })

  test('anything at all is refused without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => 'refusal' in opened(text)))
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => 'refusal' in opened(base64(bytes))))
  })
})

describe('version 3', () => {
  test('belongs to one kind and one scope', () => {
    const text = encrypt('hello', { ...sealing(3), scope: 'till' })
    expect(opened(text, { kind: 13, scope: 'till' })).toEqual({ text: 'hello' })
    expect(opened(text, { kind: 1059, scope: 'till' })).toEqual({ refusal: 'kind' })
    expect(opened(text, { kind: 13, scope: 'tell' })).toEqual({ refusal: 'scope' })
    expect(opened(text)).toEqual({ refusal: 'scope' })
  })

  test('may be empty', () => expect(opened(encrypt('', sealing(3)))).toEqual({ text: '' }))

  test.each([
    ['one byte more than there is', [0, 0, 0, 2, 65], 'length'],
    ['more than any buffer', [0x80, 0, 0, 0, 65], 'length'],
    ['all ones', [0xff, 0xff, 0xff, 0xff], 'length'],
    ['padding that is not zero at its end', [0, 0, 0, 1, 65, 0, 0, 1], 'padding'],
    ['padding that is not zero at its start', [0, 0, 0, 1, 65, 1, 0, 0], 'padding'],
    ['bytes that are no text', [0, 0, 0, 1, 0xff], 'not-utf8'],
  ])('with the right MAC around %s is refused', (_, padded, refusal) =>
    expect(opened(authentic(Uint8Array.from(padded)))).toEqual({ refusal }),
  )

  test('padded by another measure is read', () => {
    expect(opened(authentic(Uint8Array.of(0, 0, 0, 1, 65)))).toEqual({ text: 'A' })
    expect(opened(authentic(Uint8Array.of(0, 0, 0, 0)))).toEqual({ text: '' })
    expect(opened(authentic(concatBytes(Uint8Array.of(0, 0, 0, 1, 65), new Uint8Array(5000))))).toEqual({ text: 'A' })
  })

  test('whose scope leaves no room for a ciphertext is refused, even with the right MAC', () => {
    for (const [room, refusal] of [
      [0, 'too-short'],
      [3, 'too-short'],
      [4, 'scope'],
    ] as const) {
      const bound = concatBytes(Uint8Array.of(0, 0, 0, 13, 0, 0, 0, 8), new Uint8Array(8))
      expect(opened(authentic(new Uint8Array(room), bound))).toEqual({ refusal })
    }
    const beyond = Uint8Array.of(0, 0, 0, 13, 0, 0, 0, 5)
    expect(opened(authentic(new Uint8Array(4), beyond))).toEqual({ refusal: 'scope-length' })
  })

  test('binds any kind of 32 bits', () => {
    const nonce = random.bytes(32)
    const bytes = encryptV3(utf8('x'), shared, nonce, { kind: 2 ** 32 - 1, scope: '' })
    expect(opened(base64(bytes), { kind: 2 ** 32 - 1, scope: '' })).toEqual({ text: 'x' })
  })
})

describe('version 2', () => {
  const key = v2.utils.getConversationKey(bob.secret.reveal(), alice.pubkey)

  test('is what nostr-tools makes and reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!text.startsWith('\ufeff'))
        const made = sealing(2)
        expect(encrypt(text, made)).toBe(v2.encrypt(text, key, made.nonce))
        expect(opened(v2.encrypt(text, key))).toEqual({ text })
      }),
    )
  })

  test('with the right MAC around wrong padding is refused', () => {
    const padded = (...start: number[]) => Uint8Array.from({ length: 34 }, (_, at) => start[at] ?? 0)
    expect(opened(authenticV2(padded(0, 1, 65)))).toEqual({ text: 'A' })
    for (const wrong of [
      padded(0, 0),
      padded(0, 33, 65),
      padded(0xff, 0xff),
      concatBytes(padded(0, 1, 65), new Uint8Array(32)),
    ])
      expect(opened(authenticV2(wrong))).toEqual({ refusal: 'padding' })
  })
})

describe('the shared secret', () => {
  test('is the same for both and none with a key that is no point', () => {
    expect(sharedX(bob.secret, alice.pubkey)).toEqual(shared)
    for (const pubkey of [`${'0'.repeat(63)}5`, '0'.repeat(64), 'f'.repeat(64), 'zz', ''])
      expect(sharedX(bob.secret, pubkey)).toBeUndefined()
  })
})
