import fc from 'fast-check'
import { nip19 } from 'nostr-tools'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/lib/bytes.js'
import {
  encodeCode,
  formatNprofile,
  formatNpub,
  nostrCodeInvalid,
  parseNprofile,
  parseNsec,
  parsePubkey,
} from '../../src/nostr/nip19/index.js'
import { payVectors } from './vectors.js'

interface NprofileVector {
  pubkey: string
  relays: string[]
  npub: string
  nprofile: string
}

const vectors: NprofileVector[] = payVectors('payuri').nprofile
const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)

test.each(vectors)('nprofile with $relays.length relays', ({ pubkey, relays, npub, nprofile }) => {
  expect(formatNpub(pubkey)).toBe(npub)
  expect(formatNprofile({ pubkey, relays })).toBe(nprofile)
  expect(parseNprofile(nprofile)).toEqual({ pubkey, relays })
})

test('nostr-tools reads what we write, and we read what it writes', () => {
  fc.assert(
    fc.property(hex32, fc.array(fc.webUrl(), { maxLength: 3 }), (pubkey, relays) => {
      expect(nip19.decode(formatNprofile({ pubkey, relays }))).toEqual({ type: 'nprofile', data: { pubkey, relays } })
      expect(parseNprofile(nip19.nprofileEncode({ pubkey, relays }))).toEqual({ pubkey, relays })
      expect(parsePubkey(nip19.npubEncode(pubkey))).toBe(pubkey)
    }),
  )
})

test('a public key is taken as npub in either case and as hex', () => {
  const [{ pubkey, npub }] = vectors as [NprofileVector]
  expect([npub, npub.toUpperCase(), pubkey, pubkey.toUpperCase()].map(parsePubkey)).toEqual(Array(4).fill(pubkey))
})

test('parts may come in any order and unknown ones are skipped', () => {
  const key = Array(32).fill(9)
  const text = encodeCode('nprofile', Uint8Array.from([7, 1, 0, 1, 3, 119, 115, 58, 0, 32, ...key]))
  expect(parseNprofile(text)).toEqual({ pubkey: '09'.repeat(32), relays: ['ws:'] })
})

describe('refused', () => {
  const [{ npub, nprofile }] = vectors as [NprofileVector]
  test.each([
    ['another kind of code', () => parsePubkey(nprofile)],
    ['a mistyped character', () => parsePubkey(npub.replace('jxx', 'jxy'))],
    ['mixed case', () => parsePubkey(npub.slice(0, 20) + npub.slice(20).toUpperCase())],
    ['a key of 31 bytes', () => parseNsec(encodeCode('nsec', new Uint8Array(31)))],
    ['a profile without a key', () => parseNprofile(encodeCode('nprofile', Uint8Array.of(1, 1, 97)))],
    ['a part that is cut off', () => parseNprofile(encodeCode('nprofile', Uint8Array.of(0, 32, 1)))],
    ['a lone type byte', () => parseNprofile(encodeCode('nprofile', Uint8Array.of(0)))],
    ['far too long a text', () => parseNprofile(`nprofile1${'q'.repeat(6000)}`)],
  ])('%s', (_, parse) => {
    expect(parse).toThrow(expect.objectContaining({ code: nostrCodeInvalid.code }))
  })

  test('a refused secret is not repeated in the error', () => {
    const nsec = nip19.nsecEncode(new Uint8Array(32).fill(7))
    expect(() => parseNsec(`${nsec}x`)).toThrow(/^(?!.*1qurs).*$/)
  })

  test('nothing but NOSTR_CODE_INVALID is thrown for any text', () => {
    const anyCode = fc.uint8Array({ maxLength: 200 }).map((bytes) => encodeCode('nprofile', bytes))
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), anyCode),
        fc.constantFrom(parsePubkey, parseNsec, parseNprofile),
        (text, parse) => {
          try {
            parse(text)
          } catch (thrown) {
            expect(nostrCodeInvalid.is(thrown)).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
