// What a subscription asks for (NIP-01): reading filters, and whether an event is in one.
import type { NostrEvent } from '../../../src/nostr/event/index.js'

export interface Filter {
  readonly ids?: ReadonlySet<string>
  readonly authors?: ReadonlySet<string>
  readonly kinds?: ReadonlySet<number>
  /** Epoch seconds, both ends included. */
  readonly since?: number
  readonly until?: number
  readonly limit?: number
  /** Tag letter → values. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>
}

const MOST_VALUES = 2000

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function setOf<T>(value: unknown, isOne: (one: unknown) => one is T): ReadonlySet<T> {
  if (!Array.isArray(value) || value.length > MOST_VALUES || !value.every(isOne)) throw new RangeError('bad list')
  return new Set(value)
}

function numberOf(value: unknown): number {
  if (!isNumber(value)) throw new RangeError('bad number')
  return value
}

/** Throws RangeError for a filter of the wrong shape; members it does not know are ignored. */
export function parseFilter(value: unknown): Filter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new RangeError('a filter is an object')
  const { ids, authors, kinds, since, until, limit, ...rest } = value as Readonly<Record<string, unknown>>
  const letters = Object.entries(rest).filter(([name]) => /^#[A-Za-z]$/.test(name))
  return {
    ...(ids !== undefined && { ids: setOf(ids, isText) }),
    ...(authors !== undefined && { authors: setOf(authors, isText) }),
    ...(kinds !== undefined && { kinds: setOf(kinds, isNumber) }),
    ...(since !== undefined && { since: numberOf(since) }),
    ...(until !== undefined && { until: numberOf(until) }),
    ...(limit !== undefined && { limit: numberOf(limit) }),
    tags: new Map(letters.map(([name, values]) => [name.slice(1), setOf(values, isText)])),
  }
}

const hasTag = (event: NostrEvent, letter: string, values: ReadonlySet<string>): boolean =>
  event.tags.some(([name, value]) => name === letter && value !== undefined && values.has(value))

/** Whether the event is asked for, `limit` aside. */
export function matches(filter: Filter, event: NostrEvent): boolean {
  if (filter.ids?.has(event.id) === false || filter.authors?.has(event.pubkey) === false) return false
  if (filter.kinds?.has(event.kind) === false) return false
  if (event.created_at < (filter.since ?? 0) || event.created_at > (filter.until ?? Number.MAX_SAFE_INTEGER))
    return false
  for (const [letter, values] of filter.tags) if (!hasTag(event, letter, values)) return false
  return true
}
