// The events of the sandbox's relay, in memory: the newest that fit, replaceable ones only in their newest version.
import { type NostrEvent, newestFirst } from '../../../src/nostr/event/index.js'
import { type Filter, matches } from './filters.js'

const MOST_EVENTS = 20_000
const MOST_ANSWERS = 500

type Kept = 'stored' | 'duplicate' | 'older'

const isReplaceable = ({ kind }: NostrEvent): boolean => kind === 0 || kind === 3 || (kind >= 10_000 && kind < 20_000)

export function createArchive() {
  const events = new Map<string, NostrEvent>()
  const latest = new Map<string, NostrEvent>()

  function replace(event: NostrEvent): boolean {
    const slot = `${event.kind}:${event.pubkey}`
    const before = latest.get(slot)
    if (before && newestFirst(before, event) < 0) return false
    if (before) events.delete(before.id)
    latest.set(slot, event)
    return true
  }

  function dropOldest(): void {
    const [oldest] = events.keys()
    if (events.size > MOST_EVENTS && oldest !== undefined) events.delete(oldest)
  }

  return {
    keep(event: NostrEvent): Kept {
      if (events.has(event.id)) return 'duplicate'
      if (isReplaceable(event) && !replace(event)) return 'older'
      events.set(event.id, event)
      dropOldest()
      return 'stored'
    },
    /** Newest first, each once, at most 500 a filter. */
    find(filters: readonly Filter[]): readonly NostrEvent[] {
      const found = new Set<NostrEvent>()
      for (const filter of filters) {
        const hits = [...events.values()].filter((event) => matches(filter, event)).sort(newestFirst)
        for (const event of hits.slice(0, Math.min(filter.limit ?? MOST_ANSWERS, MOST_ANSWERS))) found.add(event)
      }
      return [...found].sort(newestFirst)
    },
  }
}

export type Archive = ReturnType<typeof createArchive>
