// What becomes of an event by its kind (NIP-01): kept, replaced by the next one, or only passed on.

export type EventClass = 'regular' | 'replaceable' | 'addressable' | 'ephemeral'

/** Kinds below 10,000 that replace each other: profile, contacts, channel metadata. */
const REPLACEABLE: ReadonlySet<number> = new Set([0, 3, 41])

export function classOf(kind: number): EventClass {
  if (REPLACEABLE.has(kind) || (kind >= 10_000 && kind < 20_000)) return 'replaceable'
  if (kind >= 20_000 && kind < 30_000) return 'ephemeral'
  return kind >= 30_000 && kind < 40_000 ? 'addressable' : 'regular'
}

/** The first `d` value, which tells addressable events of one kind and author apart; empty when there is none. */
export const identifierOf = (tags: readonly (readonly string[])[]): string =>
  tags.find(([name]) => name === 'd')?.[1] ?? ''
