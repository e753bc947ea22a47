// A hundred thousand random entries of a log, applied by three stores with other clocks, sweeps, index sizes, restarts and kills.
import { expect, test } from 'vitest'
import { randomEntries } from '../support/log-entries.js'
import { MANNERS, storeOf } from '../support/log-stores.js'

const ENTRIES = 100_000
/** Entries between two comparisons, as the front ends of a relay compare themselves. */
const COMPARED = 1024

test('three stores come to the same decisions and hold the same events', async () => {
  const stores = await Promise.all(MANNERS.map(storeOf))
  for (const entry of randomEntries(ENTRIES, 17)) {
    for (const store of stores) await store.apply(entry)
    if (entry.pos % COMPARED !== 0) continue
    const [first, ...others] = stores.map(({ position }) => position())
    for (const other of others) expect(other).toEqual(first)
  }
  expect(stores[0]?.position().pos).toBe(ENTRIES)
  const [ids, ...rest] = await Promise.all(stores.map((store) => store.ids()))
  for (const other of rest) expect(other).toEqual(ids)
}, 1_800_000)
