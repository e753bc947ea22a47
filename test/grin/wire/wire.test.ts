import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteReader, createByteWriter } from '../../../src/grin/wire/index.js'

test('what was written is read back, and nothing is left', () => {
  fc.assert(
    fc.property(fc.nat(0xff), fc.nat(0xffff), fc.bigInt(0n, 2n ** 64n - 1n), fc.uint8Array(), (a, b, c, d) => {
      const from = createByteReader(createByteWriter().u8(a).u16(b).u32(d.length).u64(c).bytes(d).done())
      expect([from.u8('a'), from.u16('b')]).toEqual([a, b])
      const length = from.u32('length')
      expect(from.u64('c')).toBe(c)
      expect(from.bytes(length, 'd')).toEqual(d)
      from.end('all')
    }),
  )
})

test('an early end is named with what was wanted', () => {
  expect(() => createByteReader(Uint8Array.of(1, 2)).u32('offset')).toThrow('offset: need 4 bytes at 0, have 2')
  expect(() => createByteReader(new Uint8Array(8)).bytes(2 ** 31, 'proof')).toThrow(RangeError)
})

test('leftovers are refused where they matter', () => {
  const from = createByteReader(Uint8Array.of(1, 2, 3))
  from.u8('one')
  expect(from.left()).toBe(2)
  expect(() => from.end('record')).toThrow('record: 2 bytes left over')
  expect(from.rest()).toEqual(Uint8Array.of(2, 3))
})

test('a reader of a view does not see beyond it', () => {
  const inner = new Uint8Array([9, 1, 2, 9]).subarray(1, 3)
  const from = createByteReader(inner)
  expect(from.u16('x')).toBe(0x0102)
  expect(() => from.u8('y')).toThrow(RangeError)
})

test.each([
  [() => createByteWriter().u8(256)],
  [() => createByteWriter().u8(-1)],
  [() => createByteWriter().u16(1.5)],
  [() => createByteWriter().u32(2 ** 32)],
  [() => createByteWriter().u64(-1n)],
  [() => createByteWriter().u64(2n ** 64n)],
  [() => createByteWriter().bytes(new Uint8Array(31), 32, 'offset')],
])('a value that does not fit is not written (%#)', (write) => expect(write).toThrow(RangeError))
