// What people see of texts from outside.
import { expect, test } from 'vitest'
import { plainText } from '../../src/lib/plain-text.js'

test.each([
  ['a terminal escape', 'up\u001b[2Jdown', 'up [2Jdown'],
  ['an escape of the upper half', 'up\u009b2Jdown', 'up 2Jdown'],
  ['a line of its own', 'up\r\n\u2028INFO all is well', 'up INFO all is well'],
  ['text that runs backwards', 'paid \u202e03.1 NIRG', 'paid  03.1 NIRG'],
  ['an isolate', '\u2066a\u2069b', ' a b'],
  ['hidden characters', 'pay\u200b\ufeffpal', 'pay pal'],
  ['half a character', 'a\ud83db', 'a b'],
])('%s becomes a space', (_, text, plain) => expect(plainText(text)).toBe(plain))

test('words of any script stay as they are', () => {
  const words = 'Grüße, عنوان, 支払い, 🙂 – “ok”'
  expect(plainText(words)).toBe(words)
})
