// Questions and events that nobody asks or writes in earnest: they may cost their sender time, but neither memory nor everybody else's turn.
import { expect, test } from 'vitest'
import type { Filter } from '../../../src/nostr/filter/index.js'
import type { SlicedWork } from '../../../src/relay/index.js'
import { planFor } from '../../../src/storage/events/plan.js'
import { aDeletion, aText, keyOf, NOW } from '../../support/event-builders.js'
import { TINY, temporaryEvents } from '../../support/event-store.js'

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
  const store = await temporaryEvents().open({ sizes: { staged: 15_000, gone: 4000, slice: 16, maxSlice: 200, bytes } })
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

test('what a deletion names is looked at without its content, and is told apart whatever its tags and content look like', async () => {
  const store = await temporaryEvents().open({ sizes: TINY })
  const tricky = '],"content":"x","sig":"'
  const own = [0, 1].map((n) => aText({ created_at: NOW - n, tags: [['t', tricky], [tricky]], content: tricky }))
  const foreign = aText({ pubkey: keyOf(7), tags: [[']'], [',"content":"']], content: 'x'.repeat(100_000) })
  store.append([...own, foreign])
  await store.prune({}) // indexes everything
  const naming = (...events: readonly { event: { id: string } }[]) => events.map(({ event }) => ['e', event.id])
  expect(store.append([aDeletion({ tags: naming(...own, foreign) })])).toEqual(['foreign'])
  expect(store.append([aDeletion({ tags: naming(...own) })])).toEqual(['stored'])
  expect(answerOf(store.count([{ ...ALL, kinds: [1] }], 10))).toEqual({ count: 1, limited: false })
})
