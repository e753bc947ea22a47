import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact, parseNumbersAsText } from '../../src/lib/parse-json.js'

test('integers beyond 2^53 are exact, all else is as JSON.parse has it', () => {
  expect(parseExact('{"nonce":18446744073709551615,"fee":23000000,"x":-9007199254740993,"f":0.1234567890123}')).toEqual(
    {
      nonce: 18446744073709551615n,
      fee: 23000000,
      x: -9007199254740993n,
      f: 0.1234567890123,
    },
  )
  expect(parseExact('["12345678901234567890","\\"12345678901234567890"]')).toEqual([
    '12345678901234567890',
    '"12345678901234567890',
  ])
})

test('any u64 survives', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      (number) => BigInt(parseExact(` ${number}`) as bigint) === number,
    ),
  )
})

test('JSON without big integers reads as always', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!/\d{16}/.test(text))
      expect(parseExact(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('numbers keep the text they were written in', () => {
  expect(parseNumbersAsText('{"grin":{"usd":0.020975490,"btc":3.5e-7,"n":"1"}}')).toEqual({
    grin: { usd: '0.020975490', btc: '3.5e-7', n: '1' },
  })
})

test('what is not JSON is a SyntaxError in both', () => {
  for (const text of ['', '{', '[01]', '{"a":1,}', '"\u0000"', '1 2']) {
    expect(() => parseExact(text)).toThrow(SyntaxError)
    expect(() => parseNumbersAsText(text)).toThrow(SyntaxError)
  }
})

test('an answer that nests deeper than the stack is refused, not followed', () => {
  const deep = `${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}`
  expect(() => parseExact(deep)).toThrow(SyntaxError)
})

test('a document of others may name a member twice; the last one counts, and none changes a prototype', () => {
  const value = parseExact('{"a":1,"a":1234567890123456789,"__proto__":{"b":1}}') as Record<string, unknown>
  expect([value.a, value.b, Object.keys(value)]).toEqual([1234567890123456789n, undefined, ['a', '__proto__']])
})
