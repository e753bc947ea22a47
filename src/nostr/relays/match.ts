// Whether an event is what a filter asks for (NIP-01). Pure.
import type { NostrEvent } from '../event/index.js'
import type { Filter } from './filters.js'

type Condition = (event: NostrEvent, wanted: unknown) => boolean

const oneOf =
  (of: (event: NostrEvent) => unknown): Condition =>
  (event, wanted) =>
    Array.isArray(wanted) && wanted.includes(of(event))

const CONDITIONS: Readonly<Record<string, Condition>> = {
  ids: oneOf(({ id }) => id),
  authors: oneOf(({ pubkey }) => pubkey),
  kinds: oneOf(({ kind }) => kind),
  since: ({ created_at }, wanted) => typeof wanted === 'number' && created_at >= wanted,
  until: ({ created_at }, wanted) => typeof wanted === 'number' && created_at <= wanted,
}

/** Members that are no condition (`limit`, `search`) count as fulfilled. */
export const matchesFilter = (event: NostrEvent, filter: Filter): boolean =>
  Object.entries(filter).every(([name, wanted]) => {
    if (!name.startsWith('#')) return CONDITIONS[name]?.(event, wanted) ?? true
    return Array.isArray(wanted) && event.tags.some(([tag, value]) => tag === name.slice(1) && wanted.includes(value))
  })
