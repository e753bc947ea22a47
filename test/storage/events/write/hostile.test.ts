// Questions and events of attackers: they may cost their sender time, but neither memory nor everybody else's turn.
import { expect, test } from 'vitest'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import type { SlicedWork } from '../../../../src/relay/index.js'
import { planFor } from '../../../../src/storage/events/query/plan.js'
import { storedOf } from '../../../../src/storage/events/write/lookups.js'
import { aDeletion, aText, aWrap, keyOf, NOW } from '../../../support/event-builders.js'
import { TINY, temporaryEvents } from '../../../support/event-store.js'

const ALL: Filter = { tags: [] }
const answerOf = <T>(work: SlicedWork<T>): T => {
  for (;;) {
    const answer = work.step()
    if (answer !== undefined) return answer
  }
}

const AUTHORS = Array.from({ length: 2000 }, (_, n) => keyOf(n))
const KINDS = Array.from({ length: 2000 }, (_, kind) => kind)

test('thousands of authors times thousands of kinds are counted right, without a list of all pairs', async () => {
  const store = await temporaryEvents().open({ sizes: TINY })
  const events = [1, 7, 1, 5000].map((kind, n) => aText({ kind, created_at: NOW - n, pubkey: keyOf(n) }))
  store.append(events)
  const filter = { ...ALL, authors: AUTHORS, kinds: KINDS }
  const before = process.memoryUsage().heapUsed
  const count = store.count([filter], 100)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 26)
  expect(answerOf(count)).toEqual({ count: 3, limited: false })
  expect(planFor(filter)?.kinds).toBeUndefined()
})

test('a page holds no more than its share of large events', async () => {
  const store = await temporaryEvents().open()
  const large = Array.from({ length: 80 }, (_, n) => aText({ created_at: NOW - n, content: 'x'.repeat(100_000) }))
  store.append(large)
  const first = store.find([ALL]).next()
  expect(first?.bytes.length).toBeLessThan(8 * 2 ** 20)
})

test('events that take much memory are indexed sooner than others, however few they are', async () => {
  const bytes = 2_000_000
  const store = await temporaryEvents().open({
    sizes: { staged: 15_000, tombstones: 4000, slice: 16, maxSlice: 200, bytes },
  })
  const heavy = (n: number) =>
    aText({ created_at: NOW - n, pubkey: keyOf(n), tags: Array.from({ length: 1000 }, (_, i) => ['t', `${n} ${i}`]) })
  // Each weighs about 320,000: seven of them are a generation, which is to be done before there are seven more.
  const events = Array.from({ length: 40 }, (_, n) => heavy(n))
  for (const event of events) store.append([event])
  expect(events.filter(({ event }) => store.knows(event.id)).length).toBeLessThan(16)
  expect(answerOf(store.count([{ tags: [{ letter: 't', values: ['3 999'] }] }], 10))).toEqual({
    count: 1,
    limited: false,
  })
  expect(answerOf(store.count([ALL], 100))).toEqual({ count: 40, limited: false })
})

test('what a deletion names is looked at without its content, and is distinguished whatever its tags and content look like', async () => {
  const store = await temporaryEvents().open({ sizes: TINY })
  const tricky = '],"content":"x","sig":"'
  const own = [0, 1].map((n) => aText({ created_at: NOW - n, tags: [['t', tricky], [tricky]], content: tricky }))
  const foreign = aText({ pubkey: keyOf(7), tags: [[']'], [',"content":"']], content: 'x'.repeat(100_000) })
  store.append([...own, foreign])
  await store.prune({}) // indexes everything
  const naming = (...events: readonly { event: { id: string } }[]) => events.map(({ event }) => ['e', event.id])
  expect(store.append([aDeletion({ tags: naming(...own, foreign) })])).toEqual(['stored'])
  expect(answerOf(store.count([{ ...ALL, kinds: [1] }], 10))).toEqual({ count: 1, limited: false })
})

test('a deletion that names several large events is refused before they are read; of one, and of many small ones, it is carried out', async () => {
  const files = temporaryEvents()
  const large = Array.from({ length: 30 }, (_, n) =>
    aText({ created_at: NOW - n, content: `${n}`.padEnd(120_000, 'x') }),
  )
  const small = Array.from({ length: 300 }, (_, n) => aText({ created_at: NOW - n, content: `${n}` }))
  const article = (n: number) =>
    aText({ kind: 30023, created_at: NOW - 9, tags: [['d', `${n}`]], content: 'x'.repeat(120_000) })
  const naming = (events: readonly { event: { id: string } }[]) =>
    aDeletion({ tags: events.map(({ event }) => ['e', event.id]) })
  const articles = Array.from({ length: 10 }, (_, n) => ['a', `30023:${keyOf(1)}:${n}`])
  const first = await files.open()
  first.append([...large.slice(0, 15), ...small, ...articles.map((_, n) => article(n))])
  await first.close()
  const store = await files.open()
  store.append(large.slice(15))
  expect(store.append([naming(large.slice(0, 15)), naming(large.slice(15)), naming(large.slice(10, 20))])).toEqual(
    Array.from({ length: 3 }, () => 'too much'),
  )
  expect(store.append([aDeletion({ tags: articles })])).toEqual(['too much'])
  expect(store.append([naming(large.slice(0, 1)), naming(small), naming(large.slice(20, 22))])).toEqual([
    'stored',
    'stored',
    'stored',
  ])
  expect(answerOf(store.count([{ ...ALL, kinds: [1] }], 1000))).toEqual({ count: 27, limited: false })
})

test('large events of others that a deletion names count for nothing and are not read', async () => {
  const large = Array.from({ length: 30 }, (_, n) => aText({ pubkey: keyOf(2), content: `${n}`.padEnd(120_000, 'x') }))
  const [mine, wraps] = [aText(), Array.from({ length: 12 }, (_, n) => aWrap({ content: `${n}`.padEnd(120_000, 'x') }))]
  const tags = [...large, mine, ...wraps].map(({ event }) => ['e', event.id])
  for (const giftWrapRecipientDelete of [false, true]) {
    const store = await temporaryEvents().open({ sizes: TINY, giftWrapRecipientDelete })
    store.append([...large.slice(0, 15), ...wraps, mine])
    await store.prune({}) // indexes everything
    store.append(large.slice(15))
    expect(store.append([aDeletion({ tags })])).toEqual([giftWrapRecipientDelete ? 'too much' : 'stored'])
    expect(answerOf(store.count([{ ...ALL, kinds: [1] }], 100)).count).toBe(giftWrapRecipientDelete ? 31 : 30)
  }
})

test('of large events that have expired few are swept at a time, and what their deletions forbade is allowed again', async () => {
  const files = temporaryEvents()
  const store = await files.open()
  const expiration = ['expiration', String(NOW + 10)]
  const tags = Array.from({ length: 1500 }, (_, n) => ['t', `${n}`])
  store.append(Array.from({ length: 20 }, (_, n) => aText({ created_at: NOW - n, tags: [...tags, expiration] })))
  const note = aText({ content: 'deleted' })
  expect(store.append([note, aDeletion({ tags: [['e', note.event.id], expiration] }), note])).toEqual([
    'stored',
    'stored',
    'deleted',
  ])
  files.clock.seconds += 20
  let [swept, most] = [0, 0]
  for (let some = store.sweep(); some > 0; some = store.sweep()) {
    swept += some
    most = Math.max(most, some)
  }
  expect(swept).toBe(21)
  expect(most).toBeLessThan(6)
  expect(store.append([note])).toEqual(['stored'])
})

test('tags and keys of an event that is named are made only for one that goes', () => {
  const text = aText({ tags: [['t', 'x']] })
  const broken = Buffer.from(text.bytes.toString().replace('["t","x"]', '["t","x"'))
  const stored = storedOf(1, broken)
  expect(stored?.event.pubkey).toBe(keyOf(1))
  expect(stored?.event.tags).toEqual([])
  expect(storedOf(1, text.bytes)?.keys.tags).toHaveLength(1)
})
