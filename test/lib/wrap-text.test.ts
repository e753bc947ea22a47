import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapText } from '../../src/lib/wrap-text.js'

test('lines are broken between words, and the rest is indented', () => {
  expect(wrapText('one two three four', 9, '  ')).toBe('one two\n  three\n  four')
})

test('what fits is not touched, blanks included', () => {
  expect(wrapText('  a  b\n\nc', 6)).toBe('  a  b\n\nc')
  expect(wrapText('any length at all')).toBe('any length at all')
})

test('the indentation of a line stays', () => expect(wrapText('    aa bb', 7)).toBe('    aa\nbb'))

test('words are never broken, and none is lost', () => {
  const word = fc.stringMatching(/^[a-z/.:]{1,30}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 5, max: 60 }), (words, width) => {
      const wrapped = wrapText(words.join(' '), width, '  ')
      expect(wrapped.split(/\s+/).filter((part) => part !== '')).toEqual(words)
      for (const line of wrapped.split('\n')) expect(line.length <= width || !line.trim().includes(' ')).toBe(true)
    }),
  )
})
