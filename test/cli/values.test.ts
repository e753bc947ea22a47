import { expect, test } from 'vitest'
import { amountText, createdBetween, parseAmount, parseDuration } from '../../src/cli/index.js'
import { parseMoment } from '../../src/cli/values.js'

test.each([
  ['90', 90],
  ['90s', 90],
  ['15m', 900],
  ['24h', 86_400],
  ['7d', 604_800],
  ['2w', 1_209_600],
])('%s is %i seconds', (text, seconds) => expect(parseDuration(text)).toBe(seconds))

test.each(['', '-1', '1.5h', 'h', '1 h', '1y', '9999999999'])('"%s" is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow('not a duration')
})

test('amounts are decimal GRIN, or whole nanogrin on request', () => {
  expect(parseAmount('1.5', false)).toBe(1_500_000_000n)
  expect(parseAmount('0.000000001', false)).toBe(1n)
  expect(parseAmount('15', true)).toBe(15n)
  expect(parseAmount('9007199.254740991', false)).toBe(2n ** 53n - 1n)
})

test.each([
  ['0', false],
  ['-1', false],
  ['1e3', false],
  ['1.0000000001', false],
  ['9007199.254740992', false],
  ['1.5', true],
  ['0', true],
])('"%s" is no amount (nanogrin: %s)', (text, inNanogrin) => {
  expect(() => parseAmount(text, inNanogrin)).toThrow(/amount|nanogrin/)
})

test('a bare date is its first second in UTC', () => {
  expect(parseMoment('2026-01-31')).toBe('2026-01-31T00:00:00Z')
  expect(parseMoment('2026-01-31T10:00:00+02:00')).toBe('2026-01-31T08:00:00Z')
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-12', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
  ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00Z', '2026-01-31T08:00:00Z'],
])('--from %s begins at %s, and --to the same ends at %s, as in a report', (text, from, to) => {
  expect(createdBetween({ from: text, to: text })).toEqual({ from, to })
})

test.each(['2026-13', 'yesterday'])('--to "%s" is no date', (to) =>
  expect(() => createdBetween({ to })).toThrow('not a date'),
)

test.each(['yesterday', '2026-13-01', '31.1.2026', '2026-1-1'])('"%s" is no date', (text) => {
  expect(() => parseMoment(text)).toThrow('not a date')
})

test('amounts are printed back in GRIN', () => expect(amountText(1_500_000_000)).toBe('1.5 GRIN'))
