import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  eventPrefix,
  frameLength,
  headerLength,
  writeAscii,
  writeHeader,
} from '../../../src/relay/output/frame-writer.js'

test.each([
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
  [131_072, '817f0000000000020000'],
])('the header of %i bytes is %s', (length, header) => {
  const target = Buffer.alloc(32, 0xee)
  const end = writeHeader(target, 3, length)
  expect(target.subarray(3, end).toString('hex')).toBe(header)
  expect(target[end]).toBe(0xee)
  expect([headerLength(length), frameLength(length)]).toEqual([end - 3, end - 3 + length])
})

test('an event comes under its subscription, whatever that is called, in as many bytes as characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), (name) => {
      const prefix = eventPrefix(name)
      const target = Buffer.alloc(prefix.length)
      expect(writeAscii(target, 0, prefix)).toBe(Buffer.byteLength(prefix))
      expect(JSON.parse(`${target.toString()}{}]`)).toEqual(['EVENT', name, {}])
    }),
  )
})
