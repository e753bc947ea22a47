// node --import tsx bench/relay-store.ts DATABASE [SHAPE]: processor time of the store's answers to the query shapes of the relay's benchmark, without
// sockets, on the indexed part of a relay's database.
import { join } from 'node:path'
import { authorAt, type NostrEvent } from '../src/nostr/event/index.js'
import type { Filter } from '../src/nostr/filter/index.js'
import type { EventStore } from '../src/relay/index.js'
import { createEventQueries } from '../src/storage/events/query/find.js'
import { createStage } from '../src/storage/events/staging/stage.js'
import { openSqlite, type Sqlite } from '../src/storage/sqlite/sqlite.js'
import { DATA_FOLDER, storedEnd } from './relay/data/sets.js'
import { busyIndex, createSource, type Source } from './relay/data/source.js'

const DAY = 86_400
const ROUNDS = 5

interface Shape {
  readonly name: string
  readonly times: number
  readonly filter: () => Omit<Filter, 'tags'> & { readonly tags?: Filter['tags'] }
  readonly isCount?: true
}

/** What is asked for, taken from the database itself. */
function createPicks(db: Sqlite, source: Source) {
  const accounts = (sql: string): string[] => db.all(sql).map(([text]) => authorAt(Buffer.from(text as Uint8Array), 0))
  const authors = accounts(
    `SELECT (SELECT e.text FROM by_author b JOIN event e USING (seq) WHERE b.author = a.author LIMIT 1)
     FROM (SELECT author, count(*) n FROM by_author WHERE kind = 1 GROUP BY author ORDER BY n DESC) a`,
  )
  const recipients = db
    .all(
      `SELECT (SELECT e.text FROM by_tag b JOIN event e USING (seq) WHERE b.hash = a.hash AND b.kind = 1059 LIMIT 1)
       FROM (SELECT hash, count(*) n FROM by_tag WHERE kind = 1059 GROUP BY hash ORDER BY n DESC) a`,
    )
    .map(([text]) => (JSON.parse(Buffer.from(text as Uint8Array).toString()) as NostrEvent).tags[0]?.[1] ?? '')
  const highest = Number(db.get('SELECT max(seq) FROM event')?.[0])
  const anEvent = (kind: number): NostrEvent => {
    for (;;) {
      const [row] = db.all('SELECT e.text FROM event e WHERE e.seq >= ? LIMIT 1', [source.integer(highest) + 1])
      const event = row && (JSON.parse(Buffer.from(row[0] as Uint8Array).toString()) as NostrEvent)
      if (event && (kind < 0 || event.kind === kind)) return event
    }
  }
  const busy = <T>(list: readonly T[]): T => list[busyIndex(source, list.length)] as T
  const some = <T>(count: number, pick: () => T): T[] => {
    const picked = new Set<T>()
    while (picked.size < count) picked.add(pick())
    return [...picked]
  }
  return {
    author: () => busy(authors),
    authors: (count: number) => some(count, () => busy(authors)),
    recipient: () => busy(recipients),
    ids: (count: number) => some(count, () => anEvent(-1).id),
    note: () => anEvent(1).id,
    unknown: () => Buffer.from(source.bytes(32)).toString('hex'),
    integer: (below: number) => source.integer(below),
  }
}

function shapesOf(pick: ReturnType<typeof createPicks>, end: number): readonly Shape[] {
  const p = (value: string) => [{ letter: 'p', values: [value] }]
  return [
    { name: 'author-kind', times: 1000, filter: () => ({ authors: [pick.author()], kinds: [1], limit: 50 }) },
    {
      name: 'wraps',
      times: 500,
      filter: () => ({
        kinds: [1059],
        tags: p(pick.recipient()),
        since: end - (3 + pick.integer(12)) * DAY,
        limit: 200,
      }),
    },
    { name: 'ids', times: 1000, filter: () => ({ ids: pick.ids(10) }) },
    { name: 'recent500', times: 200, filter: () => ({ limit: 500 }) },
    { name: 'kind-recent', times: 1000, filter: () => ({ kinds: [1], limit: 100 }) },
    { name: 'profiles', times: 500, filter: () => ({ kinds: [0, 3, 10050], authors: pick.authors(20) }) },
    { name: 'thread', times: 2000, filter: () => ({ kinds: [1, 7], tags: [{ letter: 'e', values: [pick.note()] }] }) },
    {
      name: 'feed',
      times: 200,
      filter: () => ({ kinds: [1], authors: pick.authors(200), until: end - pick.integer(30 * DAY), limit: 100 }),
    },
    { name: 'miss', times: 3000, filter: () => ({ ids: [pick.unknown()] }) },
    { name: 'count', times: 1000, isCount: true, filter: () => ({ kinds: [1059], tags: p(pick.recipient()) }) },
    {
      name: 'two filters',
      times: 500,
      filter: () => ({ authors: [pick.author()], kinds: [1], limit: 50 }),
    },
  ]
}

/** Events, or what was counted. */
function answer(store: Pick<EventStore, 'find' | 'count'>, filters: readonly Filter[], isCount: boolean): number {
  if (isCount) {
    const work = store.count(filters, 1_000_000)
    for (;;) {
      const done = work.step()
      if (done) return done.count
    }
  }
  const query = store.find(filters)
  let events = 0
  for (let page = query.next(); page !== undefined; page = query.next()) events += page.ends.length
  return events
}

const [path = join(DATA_FOLDER, 'relay.db'), only] = process.argv.slice(2)
const db = openSqlite(path, 'events')
const indexed = Number(db.get('SELECT max(seq) FROM event')?.[0])
const source = createSource('store bench')
const store = createEventQueries({
  db,
  stage: createStage(),
  indexed: () => indexed,
  tombstones: new Map(),
  now: () => Math.floor(Date.now() / 1000),
})

for (const { name, times, filter, isCount = false } of shapesOf(createPicks(db, source), storedEnd())) {
  if (only && only !== name) continue
  const asked: Filter[][] = Array.from({ length: times }, () =>
    name === 'two filters'
      ? [
          { tags: [], ...filter() },
          { tags: [], ...filter() },
        ]
      : [{ tags: [], ...filter() }],
  )
  const rounds: number[] = []
  let events = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = process.cpuUsage()
    events = 0
    for (const filters of asked) events += answer(store, filters, isCount)
    const { user, system } = process.cpuUsage(begun)
    if (round > 0) rounds.push((user + system) / times)
  }
  rounds.sort((a, b) => a - b)
  const [best = 0, middle = 0] = [rounds[0], rounds[ROUNDS >> 1]]
  console.log(
    `${name.padEnd(12)} ${middle.toFixed(1).padStart(7)} us (best ${best.toFixed(1)}), ${(events / times).toFixed(1)} events`,
  )
}
db.close()
