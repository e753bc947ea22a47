import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatGrin, nanoGrin } from '../../src/grin/amount/index.js'
import { formatNprofile } from '../../src/nostr/nip19/index.js'
import { formatPayLink, percentEncode, scanText } from '../../src/nostr/pay-link/index.js'
import { payVectors } from './vectors.js'

interface LinkVector {
  nanogrin: string | null
  memo: string | null
  uri: string
}

const { cases, full_example: full } = payVectors('payuri')
const human = (nanogrin: string | null) => (nanogrin === null ? null : formatGrin(nanoGrin(BigInt(nanogrin))))

test.each(cases as LinkVector[])('$uri', ({ nanogrin, memo, uri }) => {
  expect(formatPayLink({ scheme: 'goblin', nprofile: 'nprofile1abc', amount: human(nanogrin), memo })).toBe(uri)
})

test('the full example of the vectors', () => {
  const nprofile = formatNprofile({ pubkey: full.pubkey, relays: full.relays })
  expect(formatPayLink({ scheme: 'goblin', nprofile, amount: human(full.nanogrin), memo: full.memo })).toBe(full.uri)
})

test('a proof address comes last; the scan text is the bare profile', () => {
  const link = formatPayLink({ scheme: 'nostr', nprofile: 'nprofile1abc', amount: '1', proof: 'grin1xyz' })
  expect(link).toBe('nostr:nprofile1abc?amount=1&proof=grin1xyz')
  expect(scanText('nprofile1abc')).toBe('nostr:nprofile1abc')
})

test('any memo survives the percent encoding, which uses nothing but unreserved characters and %XX', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (memo) => {
      const encoded = percentEncode(memo)
      expect(encoded).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/)
      expect(decodeURIComponent(encoded)).toBe(memo)
    }),
  )
})

test('a memo cannot add a parameter of its own', () => {
  const link = formatPayLink({ scheme: 'goblin', nprofile: 'nprofile1abc', memo: 'x&amount=9#y' })
  expect(link).toBe('goblin:nprofile1abc?memo=x%26amount%3D9%23y')
})
