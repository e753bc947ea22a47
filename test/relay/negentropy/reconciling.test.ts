// The other implementation is that of nostr-tools, which follows the protocol's reference; it only asks.
import fc from 'fast-check'
import { nip77 } from 'nostr-tools'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../../src/lib/bytes.js'
import { firstMessage } from '../../../src/relay/negentropy/round.js'
import { answerer, type Item, idsOf, inOrder, itemOf, reconcile, setOf } from './sets.js'

function theirs(items: readonly Item[], frameBytes: number) {
  const storage = new nip77.NegentropyStorageVector()
  for (const { time, id } of items) storage.insert(time, id)
  storage.seal()
  return new nip77.Negentropy(storage, frameBytes)
}

/** Few seconds, so that many events share one. */
const items = fc.array(
  fc.record({
    time: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 31 })),
    seed: fc.nat(900),
  }),
  { maxLength: 400 },
)
const pairs = fc.record({ common: items, ours: items, theirs: items }).map(({ common, ours, theirs }) => {
  const made = (list: typeof common, name: string) => list.map(({ time, seed }) => itemOf(time, `${name}${seed}`))
  const [both, here, there] = [made(common, 'c'), made(ours, 'o'), made(theirs, 't')]
  return { ours: inOrder([...both, ...here]), theirs: inOrder([...both, ...there]) }
})
const frames = fc.oneof(fc.constant(4096), fc.integer({ min: 4096, max: 60_000 }))

const missing = (from: readonly Item[], among: readonly Item[]): string[] => {
  const known = new Set(among.map(({ id }) => id))
  return idsOf(from.filter(({ id }) => !known.has(id)))
}

describe('two sides', () => {
  test('end with exactly what differs, whatever the sets and the longest messages', () => {
    fc.assert(
      fc.property(pairs, frames, frames, (pair, ourFrame, theirFrame) => {
        const { have, need } = reconcile(setOf(pair.ours), ourFrame, answerer(setOf(pair.theirs), theirFrame))
        expect(have).toEqual(missing(pair.ours, pair.theirs))
        expect(need).toEqual(missing(pair.theirs, pair.ours))
      }),
      { numRuns: 150 },
    )
  })

  test('understand each other when the asking one is not ours', () => {
    fc.assert(
      fc.property(pairs, frames, frames, (pair, ourFrame, theirFrame) => {
        const answer = answerer(setOf(pair.ours), ourFrame)
        const asking = theirs(pair.theirs, theirFrame)
        const [have, need]: [string[], string[]] = [[], []]
        let message: string | null = asking.initiate()
        while (message !== null) {
          const reply = toHex(answer(Buffer.from(message, 'hex')))
          message = asking.reconcile(
            reply,
            (id) => have.push(id),
            (id) => need.push(id),
          )
        }
        expect([...new Set(have)].sort()).toEqual(missing(pair.theirs, pair.ours))
        expect([...new Set(need)].sort()).toEqual(missing(pair.ours, pair.theirs))
      }),
      { numRuns: 100 },
    )
  })

  test('ask with the same bytes as the other implementation', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const asking = theirs(pair.ours, 10_000_000)
        let expected: string | null = asking.initiate()
        const { messages } = reconcile(setOf(pair.ours), 10_000_000, answerer(setOf(pair.theirs), 10_000_000))
        for (let i = 0; i < messages.length; i += 2) {
          expect(toHex(messages[i] ?? new Uint8Array())).toBe(expected)
          expected = asking.reconcile(toHex(messages[i + 1] ?? new Uint8Array()))
        }
        expect(expected).toBeNull()
      }),
      { numRuns: 60 },
    )
  })

  test('of a hundred thousand events each need few rounds for one that is missing', () => {
    const all = Array.from({ length: 100_000 }, (_, i) => itemOf(1_700_000_000 + Math.floor(i / 3), i))
    const { have, need, rounds, messages } = reconcile(
      setOf(all.filter((_, i) => i !== 5)),
      60_000,
      answerer(setOf(all.filter((_, i) => i !== 77_777)), 60_000),
    )
    expect(need).toEqual([all[5]?.id])
    expect(have).toEqual([all[77_777]?.id])
    expect(rounds).toBeLessThanOrEqual(4)
    expect(messages.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(10_000)
  })
})

test('no message is longer than it may be', () => {
  fc.assert(
    fc.property(pairs, frames, frames, (pair, ourFrame, theirFrame) => {
      const { messages } = reconcile(setOf(pair.ours), ourFrame, answerer(setOf(pair.theirs), theirFrame))
      for (const [i, { length }] of messages.entries())
        expect(length).toBeLessThanOrEqual(i % 2 ? theirFrame : ourFrame)
    }),
    { numRuns: 60 },
  )
})

test('an empty set asks with an empty list of everything', () => {
  expect(toHex(firstMessage(setOf([])))).toBe('6100000200')
})
