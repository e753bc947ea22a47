// The code of an invoice can be scanned from a phone's screen, whatever its memo or reference; the link keeps both.
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { linksOf, scannedLink } from '../../../src/till/nostr/links.js'
import { canScan, scanCode, squaresOf } from '../../support/scan-code.js'

const RELAYS = [
  'wss://relay.goblin.example',
  'wss://nostr.one-relay.example.org',
  'wss://relays.second-town.example:7443',
]
const KEY = '5f'.repeat(32)
const amount = nanoGrin(123_456_123_456_789n)
const SCRIPTS = {
  Latin: 'Größenänderung für Käpt’n Ørsted, ',
  Cyrillic: 'Два чая и пирог с вишней, ',
  Chinese: '两杯茶和一块樱桃蛋糕，',
  Devanagari: 'दो चाय और एक चेरी केक, ',
  Arabic: 'كوبان من الشاي وكعكة الكرز، ',
  emoji: '👩‍👩‍👧‍👦🍒🍵',
} as const
const long = (text: string, length = 256) =>
  text
    .repeat(length)
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
const settings = { relays: RELAYS, uriScheme: 'nostr' } as const
const drawn = (invoice: { memo?: string; matchKey?: string }, relays: readonly string[] = RELAYS) =>
  linksOf(
    { amount, recipientPubkey: KEY, memo: invoice.memo ?? null, matchKey: invoice.matchKey ?? null },
    { ...settings, relays } as unknown as Parameters<typeof linksOf>[1],
    'grin1till',
  )
const memoOf = (link: string) => new URLSearchParams(link.split('?')[1]).get('memo')
const scannedOf = ({ payLink }: { payLink: string }, matchKey: string | null = null) =>
  scannedLink({ payLink, matchKey }, 'nostr')

const CASES = Object.entries(SCRIPTS).flatMap(([script, text]) => [
  { script, of: 'memo', invoice: { memo: long(text) } },
  { script, of: 'reference', invoice: { memo: long(text), matchKey: long(text, 255) } },
])

describe.each(CASES)('256 characters in $script as $of', ({ invoice, of }) => {
  const links = drawn(invoice)

  test('the link holds all of it', () => {
    expect(memoOf(links.payLink)).toBe(invoice.matchKey ?? invoice.memo)
  })

  test('the code has at most 69 squares a side, a shorter memo and no part of a reference', () => {
    expect(squaresOf(links.qrSvg).length).toBeLessThanOrEqual(69 + 8)
    const memo = memoOf(scannedOf(links, invoice.matchKey ?? null))
    if (of === 'reference') return expect(memo).toBeNull()
    if (memo === null) return
    expect(memo).toMatch(/.…$/u)
    expect(invoice.memo.startsWith(memo.slice(0, -1))).toBe(true)
    expect(memo).not.toContain('\ufffd')
  })

  test.skipIf(!canScan)('a phone reads it at 280 pixels, a little out of focus', () => {
    expect(scanCode(links.qrSvg)).toBe(scannedOf(links, invoice.matchKey ?? null))
  })
})

test('what fits stays whole', () => {
  const links = drawn({ memo: 'Two teas', matchKey: 'order-1' })
  expect(memoOf(scannedOf(links, 'order-1'))).toBe('order-1')
  expect(memoOf(scannedOf(drawn({ memo: 'Zwei Tees für Käthe' })))).toBe('Zwei Tees für Käthe')
})

test('three relays of 255 characters, the longest that a key text holds, still give a code', () => {
  const relays = ['a', 'b', 'c'].map((letter) => `wss://${letter.repeat(249)}`)
  const links = drawn({ memo: long(SCRIPTS.Chinese) }, relays)
  expect(squaresOf(links.qrSvg).length).toBeGreaterThan(69)
  expect(memoOf(links.payLink)).toBe(long(SCRIPTS.Chinese))
})
