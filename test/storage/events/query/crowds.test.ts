// Thousands of events of one place, whose ids a query sought, and thousands that are asked for in vain: a step looks at no more of them than of others.
import { expect, test } from 'vitest'
import { type EventText, idsIn, tagHead } from '../../../../src/nostr/event/index.js'
import { indexKeysOf } from '../../../../src/storage/events/index/index-keys.js'
import { LOCATE } from '../../../../src/storage/events/query/disk.js'
import { createStage, type Staged } from '../../../../src/storage/events/staging/stage.js'
import { stagedMatches } from '../../../../src/storage/events/staging/staged-matches.js'
import { openSqlite } from '../../../../src/storage/sqlite/sqlite.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { temporaryEvents } from '../../../support/event-store.js'

/** An event of the place that ids with four zeros have; the store does not ask whether an id is that of the content. */
function oneOfACrowd(n: number): EventText {
  const { event, bytes } = aText({ content: `${n}` })
  const id = `0000${event.id.slice(4)}`
  return { event: { ...event, id }, bytes: Buffer.from(bytes.toString().replace(event.id, id)) }
}

const crowd = (from: number, count: number) => Array.from({ length: count }, (_, n) => oneOfACrowd(from + n))
const ALL = { kinds: [1], tags: [] }

test('of a staged crowd so many are looked at as there is room for, and the next look goes on behind them', () => {
  const stage = createStage()
  for (const [n, text] of crowd(0, 1000).entries()) stage.add({ seq: n + 1, text, keys: indexKeysOf(text.event) })
  const lists = stage.listsFor({ by: 'time', first: [], kinds: undefined }, [])
  const seen: number[] = []
  let looked = 0
  const check = (): boolean => ++looked % 3 === 0
  let from: Pick<Staged, 'keys' | 'seq'> | undefined = { keys: indexKeysOf(oneOfACrowd(0).event), seq: 2000 }
  while (from) {
    const before = looked
    const wanted = {
      newest: from.keys.place,
      cut: from.seq,
      oldest: Number.MIN_SAFE_INTEGER,
      count: 20,
      now: NOW,
      indexed: 0,
      kinds: undefined,
    }
    const { found, end } = stagedMatches(lists, { ...wanted, check, room: 40 })
    expect(looked - before).toBeLessThanOrEqual(40)
    seen.push(...found.map(({ seq }) => seq))
    from = end
  }
  expect(looked).toBe(1000)
  expect(new Set(seen).size).toBe(333)
})

test('a crowd of which half is indexed comes as a whole, each event once, and in pages of the usual size', async () => {
  const store = await temporaryEvents().open({ sizes: { staged: 1500, tombstones: 1500, slice: 16, maxSlice: 400 } })
  const all = crowd(0, 2500)
  for (let at = 0; at < all.length; at += 50) store.append(all.slice(at, at + 50))
  for (const filters of [[ALL], [ALL, { authors: [keyOf(1)], tags: [] }]]) {
    const query = store.find(filters)
    const ids: string[] = []
    for (let page = query.next(); page; page = query.next()) {
      expect(page.ends.length).toBeLessThan(200)
      ids.push(...idsIn(page))
    }
    expect(ids.length).toBe(2500)
    expect(new Set(ids)).toEqual(new Set(all.map(({ event }) => event.id)))
  }
  let count = store.count([ALL], 10_000)
  let counted = count.step()
  while (!counted) counted = count.step()
  expect(counted).toEqual({ count: 2500, limited: false })
  count = store.count([{ ...ALL, kinds: [2] }], 10_000)
  expect(count.step()).toEqual({ count: 0, limited: false })
})

test('who wants one event is not led through a thousand that are no more one by one', async () => {
  const files = temporaryEvents()
  const first = await files.open()
  const lists = (offset: number) =>
    Array.from({ length: 1000 }, (_, n) => aText({ kind: 30_000, created_at: NOW - n + offset, tags: [['d', `${n}`]] }))
  first.append(lists(0))
  await first.close()
  const store = await files.open()
  store.append(lists(5000))
  const query = store.find([{ kinds: [30_000], authors: [keyOf(1)], tags: [], until: NOW, limit: 1 }])
  let steps = 0
  while (query.next()) steps++
  expect(steps).toBeLessThan(50)
})

test('the rest of a crowd in the tables is found without going through what came before', async () => {
  const files = temporaryEvents()
  await (await files.open()).close()
  const db = openSqlite(files.path, 'reading')
  const plans = (['kind', 'author', 'tag', 'time'] as const).map((table) =>
    db
      .all(
        `EXPLAIN QUERY PLAN ${LOCATE(table, 1, table === 'time' ? 0 : 1)}`,
        [1, 1, 1, 1, 1, 1, 1].slice(0, table === 'time' ? 5 : table === 'kind' ? 6 : 7),
      )
      .map((row) => String(row.at(-1)))
      .join(),
  )
  db.close()
  for (const plan of plans) expect(plan).toContain('(place,seq)<(?,?)')
})

test('the beginning of a tag is long enough to be looked for in leaps', () => {
  expect(tagHead('t').later.length).toBeGreaterThanOrEqual(8)
})
