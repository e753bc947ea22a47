// Filters as they go over the wire, and what they match: written apart from the product's own matching, which it checks.
import type { NostrEvent } from '../../../src/nostr/event/index.js'

/** As it goes over the wire. */
export interface WireFilter {
  readonly ids?: readonly string[]
  readonly authors?: readonly string[]
  readonly kinds?: readonly number[]
  readonly '#p'?: readonly string[]
  readonly '#e'?: readonly string[]
  readonly since?: number
  readonly until?: number
  readonly limit?: number
}

/** What a search needs of an event; whole ones would be too much to hold. */
export interface Matched extends Pick<NostrEvent, 'id' | 'pubkey' | 'created_at' | 'kind'> {
  readonly e: readonly string[]
  readonly p: readonly string[]
}

/** Without texts, and without the tags that no shape asks for. */
export function matchedOf({ id, pubkey, created_at, kind, tags }: NostrEvent): Matched {
  const valuesOf = (letter: string) => tags.flatMap(([name, value = '']) => (name === letter ? [value] : []))
  return { id, pubkey, created_at, kind, e: valuesOf('e'), p: kind === 3 ? [] : valuesOf('p') }
}

export function matcherOf(filter: WireFilter): (event: Matched) => boolean {
  const within = (list: readonly string[] | undefined) => {
    const set = list && new Set(list)
    return (values: readonly string[]): boolean => !set || values.some((value) => set.has(value))
  }
  const [ids, authors, p, e] = [filter.ids, filter.authors, filter['#p'], filter['#e']].map(within) as [
    ReturnType<typeof within>,
    ReturnType<typeof within>,
    ReturnType<typeof within>,
    ReturnType<typeof within>,
  ]
  const { kinds, since = 0, until = Number.POSITIVE_INFINITY } = filter
  return (event) =>
    event.created_at >= since &&
    event.created_at <= until &&
    (!kinds || kinds.includes(event.kind)) &&
    authors([event.pubkey]) &&
    ids([event.id]) &&
    p(event.p) &&
    e(event.e)
}
