// The event kinds that a till writes and reads, each with its NIP; and the class of every kind (NIP-01).

/** NIP-59: signed by the author of the message, readable by its receiver only. */
export const SEAL_KIND = 13
/** NIP-17: a private message; never signed, never on a relay by itself. */
export const RUMOR_KIND = 14
/** NIP-59: signed by a throw-away key, addressed to the receiver. */
export const GIFT_WRAP_KIND = 1059
/** NIP-65: the relays where a key reads and writes in public. */
export const PUBLIC_RELAYS_KIND = 10_002
/** NIP-17: the relays where a key reads its gift wraps, and in which encryption. */
export const RELAY_LIST_KIND = 10_050
/** NIP-42: authenticates a client to one relay. */
export const AUTH_KIND = 22_242
/** NIP-98: authenticates an HTTP request. */
export const HTTP_AUTH_KIND = 27_235

export type EventClass = 'regular' | 'replaceable' | 'addressable' | 'ephemeral'

/** Kinds below 10,000 that replace each other: profile, contacts, channel metadata. */
const REPLACEABLE: ReadonlySet<number> = new Set([0, 3, 41])

export function classOf(kind: number): EventClass {
  if (REPLACEABLE.has(kind) || (kind >= 10_000 && kind < 20_000)) return 'replaceable'
  if (kind >= 20_000 && kind < 30_000) return 'ephemeral'
  return kind >= 30_000 && kind < 40_000 ? 'addressable' : 'regular'
}

/** The first `d` value, which identifies an addressable event of a kind and author; empty if there is none. */
export const identifierOf = (tags: readonly (readonly string[])[]): string =>
  tags.find(([name]) => name === 'd')?.[1] ?? ''
