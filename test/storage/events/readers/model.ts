// What a store of events holds, as a plain list; only the outcome of each write is taken from the store.
import { type EventText, type NostrEvent, newestFirst } from '../../../../src/nostr/event/index.js'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import type { StoreOutcome } from '../../../../src/relay/index.js'

export interface Model {
  /** After `append`. */
  add(texts: readonly EventText[], outcomes: readonly StoreOutcome[]): void
  /** Unexpired events, newest first. `now` in epoch seconds. */
  stored(now: number): readonly NostrEvent[]
  /** Every event that was ever added. */
  readonly everything: ReadonlyMap<string, NostrEvent>
}

const DELETION = 5
const REPLACEABLE = [0, 10_002]

export function createModel(): Model {
  const everything = new Map<string, NostrEvent>()
  const kept = new Map<string, NostrEvent>()
  const current = new Map<string, string>()

  function keep(event: NostrEvent): void {
    const { id, pubkey, kind, tags } = event
    kept.set(id, event)
    if (REPLACEABLE.includes(kind)) {
      const address = `${kind} ${pubkey}`
      kept.delete(current.get(address) ?? '')
      current.set(address, id)
    }
    if (kind === DELETION) for (const [, value = ''] of tags) if (kept.get(value)?.pubkey === pubkey) kept.delete(value)
  }

  return {
    everything,
    add(texts, outcomes) {
      for (const [at, { event }] of texts.entries()) {
        everything.set(event.id, event)
        if (outcomes[at] === 'stored') keep(event)
      }
    },
    stored: (now) => [...kept.values()].filter((event) => expiryOf(event) > now).sort(newestFirst),
  }
}

const expiryOf = ({ tags }: NostrEvent): number =>
  Number(tags.find(([name]) => name === 'expiration')?.[1] ?? Number.POSITIVE_INFINITY)

/** Written apart from the product's own matching, which it is to check. */
export function matcherOf({ authors, kinds, since, until, tags }: Filter): (event: NostrEvent) => boolean {
  const keys = authors && new Set(authors)
  const lists = tags.map(({ letter, values }) => ({ letter, wanted: new Set(values) }))
  return (event) =>
    (!keys || keys.has(event.pubkey)) &&
    (!kinds || kinds.includes(event.kind)) &&
    event.created_at >= (since ?? 0) &&
    event.created_at <= (until ?? Number.POSITIVE_INFINITY) &&
    lists.every(({ letter, wanted }) =>
      event.tags.some(([name, value]) => name === letter && value !== undefined && wanted.has(value)),
    )
}

/** The first matches of each filter, in one order. */
export function searched(ordered: readonly NostrEvent[], asked: readonly Filter[]): readonly string[] {
  const found = new Set(asked.flatMap((one) => ordered.filter(matcherOf(one)).slice(0, one.limit)))
  return ordered.filter((event) => found.has(event)).map(({ id }) => id)
}
