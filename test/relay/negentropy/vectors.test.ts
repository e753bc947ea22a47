// Conversations of two sides that are not ours: the Rust crate `negentropy` with itself (test/vectors/nostr/README.md).
import { expect, test } from 'vitest'
import { toHex } from '../../../src/lib/bytes.js'
import { vectors } from '../../support/vectors.js'
import { answerer, type Item, itemOf, reconcile, setOf } from './sets.js'

interface Conversation {
  readonly name: string
  readonly count: number
  readonly per_second: number
  readonly not_asking: readonly number[]
  readonly not_answering: readonly number[]
  readonly messages: readonly string[]
  readonly have: readonly number[]
  readonly need: readonly number[]
}

const { cases }: { cases: Conversation[] } = vectors('nostr/negentropy.json')
/** Longer than any message here. */
const FRAME_BYTES = 1_000_000

test.each(cases)('$name: both our sides say the same bytes and learn the same', (known) => {
  const { count, per_second, not_asking, not_answering, messages, have, need } = known
  const all = Array.from({ length: count }, (_, i) =>
    itemOf(1_700_000_000 + Math.floor(i / per_second), `${known.name} ${i}`),
  )
  const without = (missing: readonly number[]): Item[] => all.filter((_, i) => !missing.includes(i))
  const idsOf = (indexes: readonly number[]) => indexes.map((i) => all[i]?.id).sort()

  const ours = reconcile(setOf(without(not_asking)), FRAME_BYTES, answerer(setOf(without(not_answering)), FRAME_BYTES))
  expect(ours.messages.map(toHex)).toEqual(messages)
  expect([ours.have, ours.need]).toEqual([idsOf(have), idsOf(need)])
})
