import { expect, test } from 'vitest'
import { checkpointMost } from '../../../../src/storage/sqlite/open-file.js'
import type { Sqlite } from '../../../../src/storage/sqlite/sqlite.js'

/** A log that has these lengths in pages, one after the other, as it is merged; the last one stays. */
function logOf(...lengths: readonly number[]) {
  const merges: string[] = []
  const db: Pick<Sqlite, 'all'> = {
    all(sql) {
      merges.push(sql)
      return [[0n, BigInt(lengths[merges.length - 1] ?? lengths.at(-1) ?? 0), 0n]]
    },
  }
  return { db, merges }
}

test('a short log is merged once, and no caller waits for its end', () => {
  const { db, merges } = logOf(2000)
  expect(checkpointMost(db)).toBe(false)
  expect(merges).toEqual(['PRAGMA wal_checkpoint(PASSIVE)'])
})

test('a long log is merged again until little comes in meanwhile, and may then be finished', () => {
  const { db, merges } = logOf(40_000, 45_000, 46_000, 46_400)
  expect(checkpointMost(db)).toBe(true)
  expect(merges).toHaveLength(4)
})

test('a log that grows too fast is left for later, unless it is far too long', () => {
  const growing = (first: number) => logOf(...Array.from({ length: 20 }, (_, i) => first + i * 1000))
  expect(checkpointMost(growing(40_000).db)).toBe(false)
  expect(checkpointMost(growing(300_000).db)).toBe(true)
})
