// Stored events in the order of time, out of a real store that answers the other way round.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Lines, newestLines, oldestLines } from '../../../src/relay/moving/chronological-export.js'
import { aText, keyOf, NOW } from '../../support/event-builders.js'
import { TINY, temporaryEvents } from '../../support/event-store.js'

const eventsOf = (chunks: Iterable<Lines>) =>
  [...chunks].flatMap(({ bytes, events }) => {
    const lines = bytes.toString().split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.length).toBe(events)
    return lines.map((line): { id: string; created_at: number } => JSON.parse(line))
  })
const timesOf = (chunks: Iterable<Lines>) => eventsOf(chunks).map(({ created_at }) => created_at)
const isSorted = (times: readonly number[]) => times.every((time, at) => at === 0 || (times[at - 1] ?? 0) <= time)

describe('stored events, oldest first', () => {
  test('are each there once and in order, however little is held at a time', async () => {
    const store = await temporaryEvents().open({ sizes: TINY })
    const times = fc.sample(fc.oneof(fc.nat(30), fc.nat(5000), fc.nat(90_000_000)), { numRuns: 400, seed: 6 })
    const texts = times.map((time, at) => aText({ content: String(at), created_at: NOW - time, kind: 7 + (at % 3) }))
    store.append(texts)
    const all = eventsOf(newestLines(store.find, { tags: [] })).map(({ id }) => id)
    const span = { oldest: Math.min(...texts.map(({ event }) => event.created_at)), newest: NOW }
    expect(all.length).toBe(400)
    for (const most of [1, 3000, 1e9]) {
      const found = eventsOf(oldestLines(store.find, { tags: [] }, span, most))
      expect(found.map(({ id }) => id).sort()).toEqual([...all].sort())
      expect(isSorted(found.map(({ created_at }) => created_at))).toBe(true)
    }
  })

  test('are those of the filter and its times, whatever its limit', async () => {
    const store = await temporaryEvents().open({ sizes: TINY })
    store.append(Array.from({ length: 20 }, (_, at) => aText({ created_at: NOW - at, pubkey: keyOf(at % 2) })))
    const filter = { authors: [keyOf(1)], tags: [], since: NOW - 9, until: NOW - 3, limit: 1 }
    const found = timesOf(oldestLines(store.find, filter, { oldest: NOW - 19, newest: NOW }))
    expect(found).toEqual([NOW - 9, NOW - 7, NOW - 5, NOW - 3])
  })

  test('newest first, the limit counts', async () => {
    const store = await temporaryEvents().open({ sizes: TINY })
    store.append(Array.from({ length: 20 }, (_, at) => aText({ created_at: NOW - at })))
    expect(timesOf(newestLines(store.find, { tags: [], limit: 3 }))).toEqual([NOW, NOW - 1, NOW - 2])
  })
})
