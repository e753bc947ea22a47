import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLines } from '../../../../src/relay/policy/plugin/lines.js'

function linesOf(chunks: readonly (string | Buffer)[], most = 10): string[] {
  const seen: string[] = []
  const lines = createLines({ most, line: (text) => void seen.push(text), tooLong: () => void seen.push('(too long)') })
  for (const chunk of chunks) lines.take(Buffer.from(chunk))
  lines.end()
  return seen
}

test('lines are found wherever the chunks end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z ]{0,10}$/)),
      fc.array(fc.nat({ max: 100 }), { maxLength: 5 }),
      (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const places = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end))
        expect(linesOf(chunks)).toEqual(texts)
      },
    ),
  )
})

test('a character may be cut in two by a chunk', () => {
  const bytes = Buffer.from('äß\n')
  expect(linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(['äß'])
})

test('a line too long is reported once, and its rest does not become a line', () => {
  expect(linesOf(['0123456789', 'a', 'bcd', 'efgh\nnext\n'])).toEqual(['(too long)', 'next'])
  expect(linesOf(['0123456789\n'])).toEqual(['0123456789'])
})

test('what stands after the last line break is a line when the input ends', () => {
  expect(linesOf(['one\ntwo'])).toEqual(['one', 'two'])
  expect(linesOf(['one\n'])).toEqual(['one'])
  expect(linesOf(['0123456789ab'])).toEqual(['(too long)'])
})
