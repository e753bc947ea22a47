import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRelayReconciler } from '../../../src/relay/sync/relay-reconciler.js'
import { type Answer, answerer, type Item, idsOf, inOrder, itemOf, setOf } from '../negentropy/sets.js'

function reconciled(here: Answer, there: Answer) {
  const middleman = createRelayReconciler(100_000)
  for (let rounds = 0; rounds < 5000; rounds++) {
    const next = middleman.next()
    if (!next) {
      const { have, need } = middleman.differences
      return { have: [...new Set(have)].sort(), need: [...new Set(need)].sort(), rounds }
    }
    middleman.answered((next.side === 'here' ? here : there)(next.message))
  }
  throw new Error('it does not end')
}

const items = fc.array(
  fc.record({
    time: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 31 })),
    seed: fc.nat(900),
  }),
  { maxLength: 600 },
)
const pairs = fc.record({ common: items, here: items, there: items }).map(({ common, here, there }) => {
  const made = (list: typeof common, name: string) => list.map(({ time, seed }) => itemOf(time, `${name}${seed}`))
  const both = made(common, 'c')
  return { here: inOrder([...both, ...made(here, 'h')]), there: inOrder([...both, ...made(there, 't')]) }
})
const frames = fc.oneof(fc.constant(4096), fc.integer({ min: 4096, max: 60_000 }))
const missing = (from: readonly Item[], among: readonly Item[]): string[] => {
  const known = new Set(among.map(({ id }) => id))
  return idsOf(from.filter(({ id }) => !known.has(id)))
}

describe('two relays that are asked in turn', () => {
  test('show exactly what differs, whatever the sets and the longest messages', () => {
    fc.assert(
      fc.property(pairs, frames, frames, ({ here, there }, ourFrame, theirFrame) => {
        const { have, need } = reconciled(answerer(setOf(here), ourFrame), answerer(setOf(there), theirFrame))
        expect(have).toEqual(missing(here, there))
        expect(need).toEqual(missing(there, here))
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    [0, 5000],
    [5000, 0],
    [20, 5000],
    [5000, 20],
    [3000, 3000],
  ])('do so with %i events here and %i others there, in short messages', (ours, theirs) => {
    const here = Array.from({ length: ours }, (_, i) => itemOf(i, `h${i}`))
    const there = Array.from({ length: theirs }, (_, i) => itemOf(i, `t${i}`))
    const { have, need } = reconciled(answerer(setOf(here), 4096), answerer(setOf(there), 4096))
    expect([have, need]).toEqual([idsOf(here), idsOf(there)])
  })

  test('need few messages for one event of many', () => {
    const all = Array.from({ length: 20_000 }, (_, i) => itemOf(i, i))
    const here = answerer(setOf(all), 60_000)
    const there = answerer(setOf(all.filter((_, i) => i !== 7000)), 60_000)
    const { have, need, rounds } = reconciled(here, there)
    expect([have, need]).toEqual([[all[7000]?.id], []])
    expect(rounds).toBeLessThan(10)
  })
})
