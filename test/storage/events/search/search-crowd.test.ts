// Searches among many events: the parts of the index that one statement visits end somewhere in between.
import { beforeAll, describe, expect, test } from 'vitest'
import { type Filter, parseFilter } from '../../../../src/nostr/filter/index.js'
import type { StoredQuery } from '../../../../src/relay/index.js'
import { type OpenEventStore, openEventStore } from '../../../../src/storage/events/event-store.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { temporaryFolder } from '../../../support/temporary-store.js'

const COUNT = 24_000
const KINDS = [0, 1]
const SECONDS_EACH = 3

/** Event number `n`; the higher the newer. Every title is that of 500 events. */
const textOf = (n: number): string =>
  [
    'common',
    n % 2 === 0 ? 'even' : 'odd',
    ...(n % 997 === 5 ? ['seldom'] : []),
    ...(n === 77 ? ['lonely'] : []),
    `b${n % 50}`,
  ].join(' ')

const clock = { now: () => (NOW + COUNT * SECONDS_EACH) * 1000 }
let store: OpenEventStore

beforeAll(async () => {
  const { folder, remove } = temporaryFolder()
  store = await openEventStore({ path: `${folder}/relay.db`, clock, searchKinds: KINDS })
  for (let at = 0; at < COUNT; at += 100)
    store.append(
      Array.from({ length: 100 }, (_, i) => {
        const n = at + i
        const tags = n % 3000 === 9 ? [['title', 'common even']] : []
        return aText({ pubkey: keyOf(n % 7), created_at: NOW + n * SECONDS_EACH, content: `${textOf(n)} n${n}`, tags })
      }),
    )
  return async () => {
    await store.close()
    remove()
  }
}, 120_000)

function numbersOf(query: StoredQuery): { readonly numbers: readonly number[]; readonly steps: number } {
  const numbers: number[] = []
  let steps = 0
  for (let page = query.next(); page; page = query.next()) {
    steps++
    let start = 0
    for (const end of page.ends) {
      numbers.push(Number(/ n(\d+)"/.exec(page.bytes.toString('utf8', start, end))?.[1]))
      start = end + 1
    }
  }
  return { numbers, steps }
}

function ask(members: object) {
  const filter = parseFilter(members, { maxValues: 100, searchKinds: KINDS }) as Filter
  return numbersOf(store.find([filter]))
}

const all = Array.from({ length: COUNT }, (_, i) => COUNT - 1 - i)
const titled = all.filter((n) => n % 3000 === 9)

describe('a search', () => {
  test('for a word of most events returns the newest, those with it in the title first', () => {
    const others = all.filter((n) => !titled.includes(n))
    expect(ask({ search: 'common', limit: 300 }).numbers).toEqual([...titled, ...others].slice(0, 300))
  })

  test('goes on below a time', () => {
    const older = all.filter((n) => n <= 12_345)
    const first = older.filter((n) => titled.includes(n))
    const others = older.filter((n) => n % 2 === 0 && !titled.includes(n))
    const { numbers } = ask({ search: 'even', until: NOW + 12_345 * SECONDS_EACH, limit: 104 })
    expect(numbers).toEqual([...first, ...others].slice(0, 104))
  })

  test('for rare words among common ones finds them all, in few steps', () => {
    const { numbers, steps } = ask({ search: 'common seldom' })
    expect(numbers).toEqual(all.filter((n) => n % 997 === 5))
    expect(steps).toBeLessThanOrEqual(4)
    expect(ask({ search: 'lonely' }).numbers).toEqual([77])
  })

  test('for common words that never meet finds nothing, in bounded steps', () => {
    const { numbers, steps } = ask({ search: 'b1 b2 common odd even' })
    expect(numbers).toEqual([])
    expect(steps).toBeGreaterThan(3)
    expect(steps).toBeLessThan(20)
  })

  test('of one author visits no other', () => {
    const expected = all.filter((n) => n % 7 === 3 && n % 2 === 1)
    expect(ask({ search: 'odd', authors: [keyOf(3)] }).numbers).toEqual(expected)
  })

  test('by ids, and by nothing that is stored', () => {
    expect(ask({ search: 'common', ids: ['0'.repeat(64)] }).numbers).toEqual([])
    expect(ask({ search: 'absent' }).numbers).toEqual([])
  })
})
