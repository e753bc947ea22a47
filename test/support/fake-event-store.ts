// The events of a relay in memory: the promises of the `EventStore` port in their simplest form, except deletions and expiry.
import { classOf, type EventText, identifierOf, type NostrEvent, newestFirst } from '../../src/nostr/event/index.js'
import { type Filter, matches } from '../../src/nostr/filter/index.js'
import type { EventPage, EventStore, FindOptions, SetEntry, SlicedWork, StoreOutcome } from '../../src/relay/index.js'

export interface FakeEventStore extends EventStore {
  /** What every write throws; undefined: they succeed. */
  failure: Error | undefined
  /** Called for each event of a batch; throws for one that the database cannot stand. */
  stands: (event: NostrEvent) => void
  readonly texts: ReadonlyMap<string, EventText>
  /** Sizes of the batches that were written. */
  readonly batches: number[]
  /** What `synced` waits for. */
  disk: () => Promise<void>
}

/** Events of one answer's page. */
const PAGE = 3

export function fakeEventStore(): FakeEventStore {
  const texts = new Map<string, EventText>()
  const batches: number[] = []

  function keep(text: EventText): StoreOutcome {
    const { event } = text
    if (texts.has(event.id)) return 'duplicate'
    const before = [...texts.values()].find((other) => replaces(event, other.event))
    if (before && newestFirst(before.event, event) < 0) return 'replaced'
    if (before) texts.delete(before.event.id)
    texts.set(event.id, text)
    return 'stored'
  }

  function matching(filters: readonly Filter[], { visible = () => true }: FindOptions = {}): EventText[] {
    const all = [...texts.values()].sort((a, b) => newestFirst(a.event, b.event)).filter(({ bytes }) => visible(bytes))
    const found = new Set<EventText>()
    for (const filter of filters)
      for (const text of all.filter(({ event }) => matches(filter, event)).slice(0, filter.limit)) found.add(text)
    return all.filter((text) => found.has(text))
  }

  const store: FakeEventStore = {
    failure: undefined,
    stands: () => {},
    texts,
    batches,
    disk: async () => {},
    append(events) {
      if (store.failure) throw store.failure
      for (const { event } of events) store.stands(event)
      batches.push(events.length)
      return events.map(keep)
    },
    synced: () => store.disk(),
    knows: (id) => texts.has(id),
    find(filters, options) {
      let found: EventText[] | undefined
      return {
        next() {
          found ??= matching(filters, options)
          return pageOf(found.splice(0, PAGE))
        },
      }
    },
    count: (filters, max, options) => inTwoSteps(() => counted(matching(withoutLimits(filters), options).length, max)),
    listSet(filters, max, options) {
      let listed = 0
      const work = inTwoSteps<readonly SetEntry[] | 'too many'>(() => {
        const found = matching(filters, options)
        listed = found.length
        if (found.length > max) return 'too many'
        return found.map(({ event }) => ({ created_at: event.created_at, id: event.id })).reverse()
      })
      return {
        ...work,
        get listed() {
          return listed
        },
      }
    },
  }
  return store
}

const withoutLimits = (filters: readonly Filter[]): readonly Filter[] =>
  filters.map(({ limit: _, ...filter }) => filter)

const counted = (found: number, max: number) => ({ count: Math.min(found, max), limited: found > max })

function replaces(event: NostrEvent, other: NostrEvent): boolean {
  if (event.kind !== other.kind || event.pubkey !== other.pubkey) return false
  const kind = classOf(event.kind)
  if (kind === 'replaceable') return true
  return kind === 'addressable' && identifierOf(event.tags) === identifierOf(other.tags)
}

function pageOf(texts: readonly EventText[]): EventPage | undefined {
  if (texts.length === 0) return undefined
  const lines = texts.map(({ bytes }) => Buffer.concat([bytes, Buffer.from('\n')]))
  let end = 0
  const ends = lines.map((line) => {
    end += line.length
    return end - 1
  })
  return { bytes: Buffer.concat(lines), ends }
}

function inTwoSteps<T>(work: () => T): SlicedWork<T> {
  let isBegun = false
  return {
    step() {
      if (isBegun) return work()
      isBegun = true
      return undefined
    },
  }
}
