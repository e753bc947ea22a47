// What tor sends arrives in any pieces, and what is not tor's is refused before it grows.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReplyReader, MAX_LINE, MAX_REPLY, parseWords } from '../../src/tor/replies.js'

const read = (...pieces: readonly string[]) => {
  const reader = createReplyReader()
  return pieces.flatMap((piece) => reader.push(Buffer.from(piece, 'latin1')))
}

test('lines of one reply stay together', () => {
  expect(read('250-first\r\n250-second\r\n250 OK\r\n')).toEqual([
    { status: 250, lines: [{ text: 'first' }, { text: 'second' }, { text: 'OK' }] },
  ])
})

test('a data block belongs to the line before it, and doubled dots are halved', () => {
  expect(read('250+onions/current=\r\nabc\r\n..dot\r\n250 not a status\r\n.\r\n250 OK\r\n')).toEqual([
    { status: 250, lines: [{ text: 'onions/current=', data: 'abc\n.dot\n250 not a status' }, { text: 'OK' }] },
  ])
})

test('events and answers come out in the order in which they came in', () => {
  expect(read('650 HS_DESC UPLOADED x\r\n250 OK\r\n650-A\r\n650 B\r\n').map(({ status }) => status)).toEqual([
    650, 250, 650,
  ])
})

test('where the network cuts makes no difference', () => {
  const text = '650 EVENT\r\n250-one\r\n250+x=\r\n..\r\n.\r\n250 OK\r\n515 no\r\n650 E\r\n'
  const whole = JSON.stringify(read(text))
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const marks = [0, ...cuts.sort((a, b) => a - b), text.length]
      const pieces = marks.slice(1).map((mark, index) => text.slice(marks[index], mark))
      expect(JSON.stringify(read(...pieces))).toBe(whole)
    }),
  )
})

test.each([
  ['HTTP/1.1 400 Bad Request\r\n', 'a line without a status'],
  ['\r\n', 'a line without a status'],
  ['150 hm\r\n', 'a line without a status'],
  ['250_OK\r\n', 'a line without a status'],
  ['250-one\r\n650 other\r\n', 'two replies in one'],
  ['2'.repeat(MAX_LINE + 1), `a line of more than ${MAX_LINE} bytes`],
  [`250 ${'a'.repeat(MAX_LINE)}\r\n`, `a line of more than ${MAX_LINE} bytes`],
  ['250-line\r\n'.repeat(MAX_REPLY / 8), `a reply of more than ${MAX_REPLY} bytes`],
  [`250+block\r\n${'a\r\n'.repeat(MAX_REPLY / 3)}`, `a reply of more than ${MAX_REPLY} bytes`],
])('%.20j is refused: %s', (text, why) => {
  expect(() => read(text)).toThrow(new RangeError(why))
})

test('any bytes are replies or a RangeError', () => {
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('250 OK', '250+x', '.', '..', '650-E', '250-x'))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      try {
        read(lines.map((one) => `${one}\r\n`).join(''))
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(RangeError)
      }
    }),
  )
})

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
