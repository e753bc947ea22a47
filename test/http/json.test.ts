import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, isRawNumber, printJson, readJson } from '../../src/http/index.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readJson(bytes(text))

/** What JSON.parse makes of it, with the numbers that we keep as text taken out of the comparison. */
const rounded = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_name, value) =>
    typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0)) ? 'raw' : value,
  )
const ours = (text: string): string =>
  JSON.stringify(read(text), (_name, value) => (isRawNumber(value) ? 'raw' : value))

describe('reading', () => {
  test('every JSON text reads as JSON.parse reads it', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), (text) => ours(text) === rounded(text)))
  })

  test('spaces of all four kinds are skipped', () => {
    expect(read(' \t\r\n{ "a" : [ 1 , true , null ] } \n')).toEqual({ a: [1, true, null] })
  })

  test.each(['1e3', '1.0', '1E0', '-0', '0.5', '9007199254740992', '9007199254740993', '18446744073709551615'])(
    '%s is kept as its text, not as a number',
    (text) => expect(isRawNumber(read(text))).toBe(true),
  )

  test.each([
    ['0', 0],
    ['-1', -1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is a number', (text, value) => expect(read(text)).toBe(value))

  test('__proto__ is an ordinary member and changes no prototype', () => {
    const value = read('{"__proto__":{"admin":true},"constructor":1}')
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect((value as { admin?: unknown }).admin).toBeUndefined()
  })

  test('escapes are read', () => {
    expect(read('"a\\n\\u00e9\\ud83d\\ude00\\/"')).toBe('a\né😀/')
  })

  test.each([
    ['a member that is there twice', '{"amount_grin":1,"amount_grin":2}', 'twice'],
    ['the same member with an escape', '{"a":1,"\\u0061":2}', 'twice'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'twice'],
    ['a lone surrogate', '"\\ud800"', 'bad escape'],
    ['an unknown escape', '"\\x"', 'bad escape'],
    ['a raw control character', '"a\u0001b"', 'bad escape'],
    ['a comma too many', '[1,]', 'expected'],
    ['a missing comma', '[1 2]', 'expected'],
    ['a missing value', '{"a":}', 'expected'],
    ['a name without quotes', '{a:1}', 'a string expected'],
    ['single quotes', "{'a':1}", 'a string expected'],
    ['something behind the end', '{} {}', 'the end expected'],
    ['nothing', '', 'ends where'],
    ['half an object', '{"a":1', 'ends where'],
    ['half a string', '"abc', 'a string expected'],
    ['a leading zero', '01', 'the end expected'],
    ['a plus sign', '+1', 'a value expected'],
    ['NaN', 'NaN', 'a value expected'],
    ['a byte order mark', '\ufeff{}', 'a value expected'],
  ])('%s is refused', (_what, text, cause) => {
    expect(() => read(text)).toThrow(cause)
  })

  test('bytes that are not UTF-8 are refused', () => {
    expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not UTF-8')
  })

  test('33 levels are refused before the stack is', () => {
    expect(read('['.repeat(32) + ']'.repeat(32))).toBeDefined()
    expect(() => read('['.repeat(60_000))).toThrow('nested deeper')
    expect(() => read('{"a":'.repeat(10_000))).toThrow('nested deeper')
  })
})

describe('printing', () => {
  test('a bigint is written with all its digits', () => {
    expect(printJson({ a: 2n ** 64n - 1n, b: [1, null, 'x"y'], c: undefined })).toBe(
      '{"a":18446744073709551615,"b":[1,null,"x\\"y"]}',
    )
  })

  test('without bigints it writes what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => printJson(value) === JSON.stringify(value)))
  })

  test('beside a bigint too', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => printJson([1n, value]) === `[1,${JSON.stringify(value)}]`))
  })
})

describe('canonical text', () => {
  test('does not depend on the order of members or on spaces', () => {
    expect(canonicalJson(read('{"b":[1, 2], "a":{"d":null,"c":"x"}}'))).toBe(
      canonicalJson(read('{"a":{"c":"x","d":null},"b":[1,2]}')),
    )
  })

  test('tells 1 from 1.0 and from "1"', () => {
    expect(new Set(['1', '1.0', '"1"'].map((text) => canonicalJson(read(text)))).size).toBe(3)
  })
})
