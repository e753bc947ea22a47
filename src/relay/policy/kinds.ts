// Accepted kinds of events (specification: relay, 6).
import { AUTH_KIND } from '../../nostr/event/index.js'

/** Default kinds: profiles, gift wraps, lists, listings, and the kinds that wallets exchange. */
export const DEFAULT_KINDS: readonly number[] = [
  0, 1, 3, 5, 7, 13, 14, 16, 17, 1059, 1111, 10000, 10002, 10050, 24133, 24140, 27235, 30000, 30003, 30023, 30078,
  30402, 30405, 30406, 31990,
]

/** Public notes, accepted from listed authors only. */
export const NOTE_KINDS: ReadonlySet<number> = new Set([1, 30023])

/** AUTH events are never stored, whatever the lists say: each is for one connection of one relay. */
export const NEVER_STORED = AUTH_KIND
