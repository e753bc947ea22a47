// Thousands of names that look nearly alike: what is free among them, and from when on nothing is.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import { fromHex } from '../../../src/lib/bytes.js'
import type { OpenNameStore } from '../../../src/storage/index.js'
import { inTransaction, openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { aClaim, aKey } from '../../support/name-builders.js'
import { openTemporaryNames } from '../../support/temporary-store.js'
import { NOON } from '../../support/till-builders.js'

/** Every one of them differs from every other by `i` for `l`, which look like `1` and not like each other. */
const crowdName = (at: number): string =>
  `${Array.from({ length: 13 }, (_, bit) => ((at >> bit) & 1 ? 'l' : 'i')).join('')}x`

/** Written past the verbs, which would look at all of them for each of them. */
async function openCrowd(size: number) {
  const { store, path, remove } = await openTemporaryNames()
  const db = openSqlite(path, 'durable')
  inTransaction(db, () => {
    for (let at = 0; at < size; at++) {
      const name = crowdName(at)
      db.run('INSERT INTO name (name, skeleton, pubkey, created_at) VALUES (?, ?, ?, ?)', [
        name,
        shapeOf(name).skeleton,
        fromHex(aKey()),
        NOON,
      ])
    }
  })
  db.close()
  return { store, remove }
}

test('up to 4,096 names of one kind are distinguished', async () => {
  const { store, remove } = await openCrowd(4096)
  onTestFinished(remove)
  const free = shapeOf(crowdName(5000))
  expect(await store.rivalOf(free)).toBeUndefined()
  expect(await store.availabilityOf(free)).toBe('free')
  expect(await store.rivalOf(shapeOf(crowdName(4000)))).toMatchObject({ name: crowdName(4000) })
  // `1` at the first place looks like an even one of the crowd and the odd one after it.
  const disguised = shapeOf(crowdName(76).replace('i', '1'))
  const first = await store.rivalOf(disguised)
  const second = await store.rivalOf(disguised, first?.pubkey)
  expect([first?.name, second?.name].toSorted()).toEqual([crowdName(76), crowdName(77)].toSorted())
})

describe('from 4,097 on', () => {
  let store: OpenNameStore
  let free: ReturnType<typeof shapeOf>
  beforeAll(async () => {
    const opened = await openCrowd(4097)
    store = opened.store
    free = shapeOf(crowdName(5000))
    return opened.remove
  })

  test('all of that kind count as taken, also for the holder of one of them', async () => {
    expect(await store.availabilityOf(free)).toBe('taken')
    expect(await store.rivalOf(free)).toBeDefined()
    for (const at of [0, 1, 4096]) {
      const holder = await store.activeName(crowdName(at))
      expect((await store.rivalOf(free, holder?.pubkey))?.pubkey).not.toBe(holder?.pubkey)
    }
    expect((await store.claimName(aClaim(free.name, { shape: free }))).outcome).toBe('taken')
  })

  test('names of other kinds are as free as before', async () => {
    expect(await store.availabilityOf(shapeOf('nova'))).toBe('free')
    expect((await store.claimName(aClaim('nova'))).outcome).toBe('claimed')
  })
})
