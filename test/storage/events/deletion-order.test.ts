// Deletions, replaceable events and gift wraps leave one store, in whatever order and batches they come (NIP-01, NIP-09).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EventText, eventText, parseEvent } from '../../../src/nostr/event/index.js'
import { addressText } from '../../../src/storage/events/write/deletions.js'
import { aDeletion, aText, aWrap, keyOf, NOW } from '../../support/event-builders.js'
import { idsIn, storedEvents, TINY, temporaryEvents, wrongRows } from '../../support/event-store.js'

const authors = fc.integer({ min: 1, max: 3 }).map(keyOf)
const times = fc.integer({ min: NOW - 2, max: NOW + 2 })
/** Regular and replaceable events, several versions of few addresses, gift wraps. */
const target = fc
  .record({
    kind: fc.constantFrom(1, 0, 0, 30_023, 30_023, 1059),
    pubkey: authors,
    created_at: times,
    content: fc.constantFrom('a', 'b', 'c'),
    recipient: authors,
  })
  .map(({ recipient, ...members }) =>
    members.kind === 1059
      ? aWrap({ ...members, tags: [['p', recipient]] })
      : aText({ ...members, tags: members.kind === 30_023 ? [['d', 'x']] : [] }),
  )
const deletion = (targets: readonly EventText[]) =>
  fc
    .record({
      pubkey: authors,
      created_at: times,
      tags: fc.array(
        fc
          .record({ one: fc.constantFrom(...targets), byAddress: fc.boolean() })
          .map(({ one: { event }, byAddress }) => {
            const address = addressText(event)
            return byAddress && address !== undefined ? ['a', address] : ['e', event.id]
          }),
        { minLength: 1, maxLength: 4 },
      ),
    })
    .map((members) => aDeletion(members))
/** Events, and two orders of them. */
const orders = fc
  .array(target, { minLength: 3, maxLength: 9 })
  .chain((targets) => fc.tuple(fc.constant(targets), fc.array(deletion(targets), { minLength: 1, maxLength: 4 })))
  .chain(([targets, deletions]) => {
    const all = [...targets, ...deletions]
    const order = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
    return fc.tuple(order, order)
  })

async function stored(events: readonly EventText[], sizes: readonly number[], giftWrapRecipientDelete: boolean) {
  const files = temporaryEvents()
  const options = { giftWrapRecipientDelete, sizes: TINY }
  const store = await files.open(options)
  const rest = [...events]
  for (let at = 0; rest.length > 0; at++) store.append(rest.splice(0, sizes[at % sizes.length] ?? 1))
  await store.close()
  expect(wrongRows(files.path)).toEqual([])
  return files.path
}

test('every order of the same events leaves one store', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(orders, sizes, fc.boolean(), async ([one, other], batches, recipientsDelete) => {
      const [first, second] = [await stored(one, batches, recipientsDelete), await stored(other, [1], recipientsDelete)]
      expect(idsIn(second)).toEqual(idsIn(first))
    }),
    { numRuns: 20 },
  )
}, 60_000)

test('a deletion with own and foreign targets is stored and deletes its own, and an export imports without losses', async () => {
  const [mine, theirs, wrap] = [aText(), aText({ pubkey: keyOf(2) }), aWrap()]
  const profile = aText({ pubkey: keyOf(2), kind: 0 })
  const tags = [...[mine, theirs, wrap].map(({ event }) => ['e', event.id]), ['a', `0:${keyOf(2)}:`]]
  const path = await stored([mine, theirs, wrap, profile, aDeletion({ tags, created_at: NOW + 1 })], [5], false)
  const exported = storedEvents(path)
  expect(exported.map(({ kind }) => kind).sort()).toEqual([0, 1, 1059, 5])
  const texts = exported.map((event) => eventText(parseEvent(event) ?? event) ?? aText())
  for (const order of [texts, texts.toReversed()]) {
    const again = await (await temporaryEvents().open()).append(order)
    expect(again).toEqual(['stored', 'stored', 'stored', 'stored'])
  }
})

test('the version that an author deleted by id does not make way for older ones, whichever comes first', async () => {
  const [old, current] = [aText({ kind: 0, created_at: NOW - 1 }), aText({ kind: 0 })]
  const gone = aDeletion({ tags: [['e', current.event.id]] })
  for (const order of [
    [old, current, gone],
    [current, gone, old],
    [gone, old, current],
    [gone, current, old],
  ])
    expect(idsIn(await stored(order, [1], false))).toEqual([gone.event.id])
})

test('the operator who removes the deletion lets its targets and older versions in again', async () => {
  const store = await temporaryEvents().open()
  const [old, current] = [aText({ kind: 0, created_at: NOW - 1 }), aText({ kind: 0 })]
  const gone = aDeletion({ tags: [['e', current.event.id]] })
  expect(store.append([current, gone, old, current])).toEqual(['stored', 'stored', 'replaced', 'deleted'])
  await store.remove([{ tags: [], ids: [gone.event.id] }])
  expect(store.append([old, current])).toEqual(['stored', 'stored'])
})
