import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexKeys } from '../../../../src/storage/events/index/index-keys.js'
import { NO_EVENTS } from '../../../../src/storage/events/staging/postings.js'
import { StagedEvents } from '../../../../src/storage/events/staging/stage.js'
import { ListWalk } from '../../../../src/storage/events/staging/staged-matches.js'

const TEXT = Buffer.from('text')
const keysAt = (place: number): IndexKeys => ({
  prefix: 0,
  place,
  kind: 1,
  author: 0,
  tags: [],
  address: undefined,
  expires: undefined,
})

/** Events with the places, all in one list. */
function listOf(places: readonly number[]) {
  const events = new StagedEvents()
  let list = NO_EVENTS
  for (const [at, place] of places.entries()) list = events.lists.insert(list, events.add(at + 1, keysAt(place), TEXT))
  return { events, list }
}

function walked(events: StagedEvents, list: number, top: number, cut: number): readonly number[] {
  const found: number[] = []
  if (list === NO_EVENTS) return found
  for (const walk = new ListWalk({ events, list }, top, cut); walk.one >= 0; walk.advance()) found.push(walk.seq)
  return found
}

/** Newest first. */
const inOrder = (places: readonly number[], seqs: Iterable<number>): readonly number[] =>
  [...seqs].sort((a, b) => (places[b - 1] ?? 0) - (places[a - 1] ?? 0) || b - a)

/** Many that are nearly in order, many at random, and many at one place. */
const somePlaces = fc.oneof(
  fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60 }),
  fc.array(fc.integer({ min: -(2 ** 47), max: 2 ** 47 }), { minLength: 500, maxLength: 1500 }),
  fc
    .array(fc.integer({ min: 0, max: 3000 }), { minLength: 500, maxLength: 1500 })
    .map((late) => late.map((by, at) => (by < 30 ? at - by : at))),
)

test('a list is walked in the order of a sorted array, from any place, after any insertions and removals', () => {
  fc.assert(
    fc.property(somePlaces, fc.array(fc.nat(), { maxLength: 800 }), fc.nat(), (places, gone, where) => {
      let { events, list } = listOf(places)
      const left = new Set(places.map((_, at) => at + 1))
      for (const pick of gone) {
        if (places.length === 0) break
        const one = pick % places.length
        list = events.lists.erase(list, one)
        left.delete(one + 1)
        if (list === NO_EVENTS) break
      }
      const all = inOrder(places, left)
      expect(walked(events, list, Number.POSITIVE_INFINITY, 0)).toEqual(all)
      const oldestFirst: number[] = []
      events.lists.each(list, (one) => oldestFirst.unshift(one + 1))
      expect(oldestFirst).toEqual(all)
      const [top, cut] = [places[where % places.length] ?? 0, where % (places.length + 1)]
      const below = all.filter((seq) => (places[seq - 1] ?? 0) < top || (places[seq - 1] === top && seq < cut))
      expect(walked(events, list, top, cut)).toEqual(below)
    }),
    { numRuns: 60 },
  )
})

test('a list that is emptied gives its memory to the next one', () => {
  const places = Array.from({ length: 5000 }, (_, at) => (at * 7919) % 5000)
  const { events, list: full } = listOf(places)
  let list = full
  const room = events.lists.blocks.ints.length
  for (let round = 0; round < 5; round++) {
    for (let one = 0; one < places.length; one++) list = events.lists.erase(list, one)
    expect(list).toBe(NO_EVENTS)
    for (let one = 0; one < places.length; one++) list = events.lists.insert(list, one)
  }
  expect(events.lists.blocks.ints.length).toBe(room)
  expect(walked(events, list, Number.POSITIVE_INFINITY, 0)).toEqual(
    inOrder(
      places,
      places.map((_, at) => at + 1),
    ),
  )
})
