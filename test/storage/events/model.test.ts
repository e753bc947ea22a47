// The event store against a model of a few lines: whatever happens in which order, across restarts and kills.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classOf, type EventText, identifierOf, type NostrEvent } from '../../../src/nostr/event/index.js'
import type { StoreOutcome } from '../../../src/relay/index.js'
import { aText, keyOf, NOW } from '../../support/event-builders.js'
import { idsIn, TINY, temporaryEvents, wrongRows } from '../../support/event-store.js'

/** What NIP-01, NIP-09 and NIP-40 say, on a plain list. */
function createModel(recipientsDelete: boolean) {
  let events: NostrEvent[] = []
  const deletions: NostrEvent[] = []
  /** Older ones stay replaced. */
  const deletedVersions: NostrEvent[] = []
  const isMeant = (deletion: NostrEvent, event: NostrEvent): boolean => {
    if (event.kind === 5) return false
    const isOwn = deletion.pubkey === event.pubkey
    const isRecipient = event.tags.some(([name, value]) => name === 'p' && value === deletion.pubkey)
    if (event.kind === 1059 ? !(recipientsDelete && isRecipient) : !isOwn) return false
    return deletion.tags.some(
      ([name, value]) =>
        (name === 'e' && value === event.id) ||
        (name === 'a' && value === addressOf(event) && event.created_at <= deletion.created_at),
    )
  }
  const keptOf = (event: NostrEvent, now: number): StoreOutcome => {
    if (expiryOf(event) <= now) return 'expired'
    if (events.some(({ id }) => id === event.id)) return 'duplicate'
    const address = addressOf(event)
    const current = address && events.find((other) => addressOf(other) === address)
    if (deletions.some((deletion) => isMeant(deletion, event))) {
      if (address) deletedVersions.push(event)
      if (current && isNewer(event, current)) events = events.filter((other) => other !== current)
      return 'deleted'
    }
    if (
      current &&
      expiryOf(current) > now && // what has expired counts as absent, whether it was swept or not
      isNewer(current, event)
    )
      return 'replaced'
    if (deletedVersions.some((version) => addressOf(version) === address && isNewer(version, event))) return 'replaced'
    events = events.filter((other) => other !== current)
    if (event.kind === 5) {
      deletions.push(event)
      const gone = events.filter((other) => isMeant(event, other) && expiryOf(other) > now)
      deletedVersions.push(...gone.filter((other) => addressOf(other) !== undefined))
      events = events.filter((other) => !isMeant(event, other))
    }
    events.push(event)
    return 'stored'
  }
  return {
    append: (batch: readonly NostrEvent[], now: number) => batch.map((event) => keptOf(event, now)),
    sweep(now: number) {
      events = events.filter((event) => expiryOf(event) > now)
    },
    ids: () => events.map(({ id }) => id).sort(),
  }
}

const isNewer = (a: NostrEvent, b: NostrEvent): boolean =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id < b.id)
const expiryOf = ({ tags }: NostrEvent): number =>
  Number(tags.find(([name]) => name === 'expiration')?.[1] ?? Number.POSITIVE_INFINITY)
function addressOf({ kind, pubkey, tags }: NostrEvent): string | undefined {
  const what = classOf(kind)
  if (what === 'replaceable') return `${kind}:${pubkey}:`
  return what === 'addressable' ? `${kind}:${pubkey}:${identifierOf(tags)}` : undefined
}

const authors = fc.integer({ min: 1, max: 3 }).map(keyOf)
const times = fc.integer({ min: NOW - 3, max: NOW + 3 })
const plain = fc.record({
  kind: fc.constantFrom(1, 1, 0, 10_002, 30_023, 1059),
  pubkey: authors,
  created_at: times,
  content: fc.constantFrom('', 'a', 'b'),
  tags: fc.array(
    fc.oneof(
      fc.constantFrom(['d', 'x'], ['d', 'y'], ['t', 'z']),
      authors.map((key) => ['p', key]),
      fc.integer({ min: NOW + 1, max: NOW + 9 }).map((at) => ['expiration', String(at)]),
    ),
    { maxLength: 3 },
  ),
})
const pool = fc.array(plain, { minLength: 12, maxLength: 30 })
type Step =
  | { readonly what: 'append'; readonly picks: readonly number[] }
  | {
      readonly what: 'delete'
      readonly author: string
      readonly at: number
      readonly picks: readonly number[]
      readonly by: 'e' | 'a'
    }
  | { readonly what: 'pass' | 'sweep' | 'restart' | 'crash' }
const picks = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 12 })
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: picks.map((some): Step => ({ what: 'append', picks: some })) },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('delete' as const),
        author: authors,
        at: times,
        picks: fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 3 }),
        by: fc.constantFrom('e' as const, 'a' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Step>({ what: 'pass' }, { what: 'sweep' }, { what: 'restart' }, { what: 'crash' }),
    },
  ),
  { minLength: 5, maxLength: 25 },
)

test('the store does what the rules say, and its index tables hold what they should', async () => {
  await fc.assert(
    fc.asyncProperty(pool, steps, fc.boolean(), async (templates, todo, giftWrapRecipientDelete) => {
      const files = temporaryEvents()
      const options = { giftWrapRecipientDelete, sizes: TINY }
      const model = createModel(giftWrapRecipientDelete)
      let store = await files.open(options)
      // What deletions name may come later, so everything has its text from the beginning.
      const texts: EventText[] = templates.map((members) => aText(members))
      const pick = (n: number): EventText => texts[n % texts.length] ?? aText()
      const append = (batch: readonly EventText[]) =>
        expect(store.append(batch)).toEqual(
          model.append(
            batch.map(({ event }) => event),
            files.clock.seconds,
          ),
        )
      for (const step of todo) {
        if (step.what === 'append') append(step.picks.map(pick))
        if (step.what === 'delete') {
          const named = step.picks
            .map(pick)
            .map(({ event }) => (step.by === 'e' ? event.id : (addressOf(event) ?? event.id)))
          const tags = named.map((value) => [step.by, value])
          // Together with what it names, and what comes after it.
          append([
            pick(step.at),
            aText({ kind: 5, pubkey: step.author, created_at: step.at, tags }),
            ...step.picks.map(pick),
          ])
        }
        if (step.what === 'pass') files.clock.seconds += 2
        if (step.what === 'sweep') {
          while (store.sweep() > 0);
          model.sweep(files.clock.seconds)
        }
        if (step.what === 'restart') {
          await store.close()
          store = await files.open(options)
        }
        if (step.what === 'crash') store = await files.crash(store, options)
        expect(idsIn(files.path)).toEqual(model.ids())
        expect(store.size().events).toBe(model.ids().length)
      }
      await store.close()
      expect(wrongRows(files.path)).toEqual([])
    }),
    { numRuns: 40 },
  )
}, 120_000)
