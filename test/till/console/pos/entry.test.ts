// What a cashier types, and what becomes of it.
import { expect, test } from 'vitest'
import { nanoGrin } from '../../../../src/grin/amount/index.js'
import { decimalsOf, moneyText, parseMoney } from '../../../../src/till/console/pos/currency.js'
import { type Entry, readEntry } from '../../../../src/till/console/pos/entry.js'

const entry = (over: Partial<Entry>): Entry => ({
  amount: '10',
  currency: 'eur',
  tip: '0',
  tipAmount: '',
  note: '',
  ...over,
})
const problemOf = (over: Partial<Entry>): string => {
  const read = readEntry(entry(over))
  return 'problem' in read ? read.problem : ''
}

test.each([
  ['12.50', 'eur', '12.50'],
  ['12,5', 'eur', '12.50'],
  [' 1 234,5 ', 'eur', '1234.50'],
  ['007', 'eur', '7.00'],
  ['.5', 'grin', '0.5'],
  ['5.', 'grin', '5'],
  ['0,000000001', 'grin', '0.000000001'],
  ['1000', 'jpy', '1000'],
  ['0,00000001', 'btc', '0.00000001'],
])('"%s" in %s is %s', (typed, currency, shown) => {
  const read = parseMoney(typed, currency)
  expect('problem' in read ? read.problem : moneyText(read)).toBe(shown)
})

test.each([
  ['', 'eur', 'Enter an amount.'],
  ['-5', 'eur', 'An amount cannot be negative.'],
  ['1.234,50', 'eur', 'is not an amount'],
  ['1e3', 'eur', 'is not an amount'],
  ['<b>', 'eur', '“<b>” is not an amount'],
  ['1,234', 'eur', 'EUR has at most 2 decimals; “1,234” has 3. Comma and point both mark decimals.'],
  ['1.5', 'jpy', 'JPY has no decimals'],
  ['1.0000000001', 'grin', 'GRIN has at most 9 decimals'],
  ['1234567890123', 'eur', 'too many digits: at most 12'],
  ['9'.repeat(400), 'grin', 'too many digits'],
])('"%s" in %s is refused with the reason', (typed, currency, reason) => {
  expect(problemOf({ amount: typed, currency })).toContain(reason)
})

test('nothing is not a price, with or without a tip', () => {
  expect(problemOf({ amount: '0,00', tip: 'other', tipAmount: '1' })).toContain('The amount is 0')
})

test('a tip that cannot be chosen is not left out silently', () => {
  for (const tip of ['50', '-10', '', '1e1', 'all']) expect(problemOf({ tip })).toContain('tip')
})

test('a tip is part of the price, and the note says how much of it', () => {
  expect(readEntry(entry({ amount: '12,35', tip: '10', note: ' Table 4 ' }))).toEqual({
    price: { fiat: '13.59', currency: 'eur' },
    note: 'Table 4 (incl. tip 1.24 EUR)',
    tip: '1.24',
  })
  expect(readEntry(entry({ amount: '1.5', currency: 'grin', tip: 'other', tipAmount: '0,25' }))).toEqual({
    price: { grin: nanoGrin(1_750_000_000n) },
    note: 'incl. tip 0.25 GRIN',
    tip: '0.25',
  })
  expect(readEntry(entry({ tip: 'other' }))).toEqual({
    price: { fiat: '10.00', currency: 'eur' },
    note: null,
    tip: null,
  })
  expect(problemOf({ tip: 'other', tipAmount: '-1' })).toBe('Tip: An amount cannot be negative.')
  expect(problemOf({ amount: '999999999999', tip: '15' })).toContain('together have too many digits')
})

test('a note may have 120 characters, whatever their length in bytes', () => {
  expect(problemOf({ note: '🍵'.repeat(120) })).toBe('')
  expect(problemOf({ note: '🍵'.repeat(121) })).toBe('The note has 121 characters; at most 120 fit.')
})

test('decimals are those of the currency', () => {
  expect(['grin', 'eur', 'jpy', 'sats', 'kwd', 'btc'].map(decimalsOf)).toEqual([9, 2, 0, 0, 3, 8])
})
