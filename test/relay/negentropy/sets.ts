// Sets to compare, and the conversation of two sides that speak our protocol.
import { createHash } from 'node:crypto'
import { createDifferences, firstMessage, openRound } from '../../../src/relay/negentropy/round.js'
import { createSetBuilder, type SyncSet } from '../../../src/relay/negentropy/sync-set.js'

export interface Item {
  readonly time: number
  readonly id: string
}

export const itemOf = (time: number, seed: number | string): Item => ({
  time,
  id: createHash('sha256').update(String(seed)).digest('hex'),
})

export const inOrder = (items: readonly Item[]): Item[] =>
  [...new Map(items.map((item) => [item.id, item])).values()].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))

export function setOf(items: readonly Item[]): SyncSet {
  const builder = createSetBuilder(items.length)
  for (const { time, id } of inOrder(items)) builder.add(time, id)
  return builder.seal()
}

/** The other side: a message and what it answers. */
export type Answer = (message: Buffer) => Uint8Array

export const answerer =
  (set: SyncSet, frameBytes: number): Answer =>
  (message) => {
    const round = openRound({ set, frameBytes }, message)
    while (!round.advance(3));
    return round.answer()
  }

/** Asks until there is nothing left to say. */
export function reconcile(set: SyncSet, frameBytes: number, answer: Answer) {
  const differences = createDifferences(1_000_000)
  const messages: Uint8Array[] = []
  let message = firstMessage(set)
  for (let rounds = 1; rounds < 10_000; rounds++) {
    const reply = answer(message)
    messages.push(message, reply)
    const round = openRound({ set, frameBytes, differences }, reply)
    while (!round.advance(5));
    if (round.isAgreed()) return { have: differences.have.sort(), need: differences.need.sort(), rounds, messages }
    message = round.answer()
  }
  throw new Error('it does not end')
}

export const idsOf = (items: Iterable<Item>): string[] => [...items].map(({ id }) => id).sort()
