import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/wizard/services/install.js'
import { stamped, standingOf } from '../../../src/wizard/services/stamp.js'

test('lines that go and lines that come stand beside two that stay', () => {
  expect(lineDiff('1\n2\n3\n4\n5\n6\n', '1\n2\n3\nfour\n5\n6\n7\n')).toBe(' 2\n 3\n-4\n+four\n 5\n 6\n+7')
})

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map((lines) => `${lines.join('\n')}\n`)

test('what goes and what comes is what differs', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const count = (text: string, line: string) =>
        text
          .replace(/\n$/, '')
          .split('\n')
          .filter((one) => one === line).length
      const diff = lineDiff(before, after).split('\n')
      for (const line of ['a', 'b', 'c'])
        expect(count(after, line) - count(before, line)).toBe(
          diff.filter((one) => one === `+${line}`).length - diff.filter((one) => one === `-${line}`).length,
        )
      expect(lineDiff(before, before)).toBe('')
    }),
  )
})

test('a file as written differs from one that was changed by a single character', () => {
  const written = stamped('a = 1\n')
  expect(standingOf(undefined, written)).toBe('new')
  expect(standingOf(written, written)).toBe('same')
  expect(standingOf(stamped('a = 0\n'), written)).toBe('older')
  expect(standingOf(written.replace('1', '2'), written)).toBe('changed')
  expect(standingOf('a = 1\n', written)).toBe('changed')
})
