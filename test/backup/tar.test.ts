import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { BLOCK, isMemberName, paddingOf, readTarHeader, tarHeader } from '../../src/backup/tar.js'

test('every size comes back, beyond eight gigabytes too', () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (size) => {
      expect(readTarHeader(tarHeader({ name: 'data/pay.db', size }, 0))).toEqual({ name: 'data/pay.db', size })
    }),
  )
})

test('a tar program reads what is written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.tar')
  const content = Buffer.from('some text')
  const parts = [
    tarHeader({ name: 'data/a.txt', size: content.length }, 1_800_000_000),
    content,
    new Uint8Array(paddingOf(content.length) + 2 * BLOCK),
  ]
  writeFileSync(file, Buffer.concat(parts))
  const listed = spawnSync('tar', ['tvf', file], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })
  expect(listed.stdout).toMatch(/^-rw------- 0\/0\s+9 2027-01-15 08:00 data\/a.txt\n$/)
})

test.each([
  '../pay.db',
  'data/../../etc/passwd',
  '/etc/passwd',
  './pay.env',
  'data//pay.db',
  'data/',
  '.ssh/authorized_keys',
  'data\\pay.db',
  'a'.repeat(101),
  'pay.db\n',
  '',
])('%j is no name inside an archive', (name) => {
  expect(isMemberName(name)).toBe(false)
  expect(() => tarHeader({ name, size: 0 }, 0)).toThrow(RangeError)
})

/** A header that adds up, whatever stands in it. */
function forged(change: (block: Uint8Array) => void): Uint8Array {
  const block = tarHeader({ name: 'data/pay.db', size: 5 }, 0)
  change(block)
  block.fill(0x20, 148, 156)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
  return block
}

test.each([
  ['a name that leads out', (block: Uint8Array) => block.set(Buffer.from('../../evil\0'), 0)],
  ['a link', (block: Uint8Array) => block.set(Buffer.from('2'), 156)],
  ['a folder', (block: Uint8Array) => block.set(Buffer.from('5'), 156)],
  ['a name in two parts', (block: Uint8Array) => block.set(Buffer.from('../..'), 345)],
  ['a size that is none', (block: Uint8Array) => block.set(Buffer.from('-0000000005'), 124)],
])('%s is refused', (_what, change) => {
  expect(() => readTarHeader(forged(change))).toThrow(RangeError)
})

test('a header with any other byte does not add up, or says the same', () => {
  const header = tarHeader({ name: 'data/pay.db', size: 5 }, 0)
  fc.assert(
    fc.property(fc.nat(BLOCK - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const block = header.slice()
      block[at] = (block[at] ?? 0) ^ change
      const read = (() => {
        try {
          return readTarHeader(block)
        } catch (error) {
          return error
        }
      })()
      expect(read instanceof RangeError || JSON.stringify(read) === '{"name":"data/pay.db","size":5}').toBe(true)
    }),
  )
})

test('an empty block ends the file', () => expect(readTarHeader(new Uint8Array(BLOCK))).toBeUndefined())
