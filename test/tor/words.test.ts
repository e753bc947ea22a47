import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWords } from '../../src/tor/words.js'

const asObject = (line: string) => Object.fromEntries(parseWords(line))

test('plain words, values and quoted values', () => {
  expect(asObject('AUTH METHODS=COOKIE,SAFECOOKIE COOKIEFILE="/run/tor/control.authcookie"')).toEqual({
    AUTH: '',
    METHODS: 'COOKIE,SAFECOOKIE',
    COOKIEFILE: '/run/tor/control.authcookie',
  })
})

test('a quoted value may hold spaces, quotes, backslashes and escaped bytes of UTF-8', () => {
  expect(asObject(String.raw`F="/a \"b\" c\\d\303\274\n\t\r\60" N=`)).toEqual({ F: '/a "b" c\\dü\n\t\r0', N: '' })
})

test('the first of two equal names counts', () => expect(asObject('A=1 A=2')).toEqual({ A: '1' }))

test.each(['A="open', 'A="x"y', '="x"', 'A=b"c"'])('%s is refused', (line) => {
  expect(() => parseWords(line)).toThrow(RangeError)
})

test('every text survives quoting as tor does it', () => {
  const quote = (text: string) =>
    `"${[...Buffer.from(text)]
      .map((byte) => (byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)))
      .map((shown) => (shown === '"' || shown === '\\' ? `\\${shown}` : shown))
      .join('')}"`
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => asObject(`F=${quote(text)}`).F === text))
})
