import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import {
  formatSecretLines,
  hashOfSecret,
  inForce,
  matchesLine,
  parseSecretLines,
  presentable,
} from '../../src/lib/secret-lines.js'

const NOON = Date.parse('2026-01-31T12:00:00Z')
const plain = (text: string) =>
  parseSecretLines(text).map(({ secret, until }) => [secret.reveal(), until === undefined ? null : until - NOON])

describe('the lines of a secret', () => {
  test('one line is the secret exactly as it stands there', () => {
    expect(plain('pay_live_a')).toEqual([['pay_live_a', null]])
    expect(plain('with blanks # and signs')).toEqual([['with blanks # and signs', null]])
  })

  test.each(['pay_live_a ', ' pay_live_a', 'b\npay_live_a\t', '\u00a0pay_live_a'])(
    '%j is refused: the blank would be part of the secret',
    (text) => {
      expect(() => plain(text)).toThrow(/^line [12] begins or ends with a blank/)
    },
  )

  test('older ones say until when they count', () => {
    expect(plain('new\r\n\nold until=2026-01-31T12:00:01Z\n')).toEqual([
      ['new', null],
      ['old', 1000],
    ])
  })

  test.each([
    ['', 'holds no secret'],
    [' \n ', 'holds no secret'],
    ['a\nb until=tomorrow', 'line 2: "until=" must be'],
    ['a until=2026-13-31T12:00:00Z', 'line 1: "until=" must be'],
    ['sha256:ABC', 'line 1: "sha256:" must be'],
  ])('%j is refused and not quoted', (text, problem) => {
    expect(() => parseSecretLines(text)).toThrow(problem)
  })

  test('printing and parsing are each other’s inverse', () => {
    const secret = fc.stringMatching(/^[a-z0-9_]{1,70}$/).map((text) => new Secret(text))
    const until = fc.option(
      fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
      { nil: undefined },
    )
    fc.assert(
      fc.property(fc.array(fc.record({ secret, until }), { minLength: 1 }), (lines) => {
        const text = formatSecretLines(lines)
        return formatSecretLines(parseSecretLines(text)) === text
      }),
    )
  })
})

test('a line ends at its moment, not after it', () => {
  const lines = parseSecretLines('new\nold until=2026-01-31T12:00:00Z')
  expect(inForce(lines, NOON - 1)).toHaveLength(2)
  expect(inForce(lines, NOON)).toHaveLength(1)
})

test('a token is recognised by its hash, and the hash itself is no token', () => {
  const token = new Secret('pay_live_a')
  const hash = hashOfSecret(token)
  expect(hash.reveal()).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(matchesLine('pay_live_a', hash)).toBe(true)
  expect(matchesLine('pay_live_b', hash)).toBe(false)
  expect(matchesLine(hash.reveal(), hash)).toBe(false)
  expect(matchesLine('pay_live_a', token)).toBe(true)
})

test('our own commands show the first that is known and counts for good', () => {
  const hash = hashOfSecret(new Secret('x')).reveal()
  expect(presentable(parseSecretLines(`old until=2026-01-31T12:00:00Z\n${hash}\nnew`))?.reveal()).toBe('new')
  expect(presentable(parseSecretLines(hash))).toBeUndefined()
  expect(presentable()).toBeUndefined()
})
