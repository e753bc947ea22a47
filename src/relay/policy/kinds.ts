// Which kinds of events a relay takes (specification: relay, 6).
import { AUTH_KIND } from '../../nostr/event/index.js'

/** What is taken unless the operator says otherwise: profiles, wraps, lists, listings and what wallets talk with. */
export const DEFAULT_KINDS: readonly number[] = [
  0, 1, 3, 5, 7, 13, 14, 16, 17, 1059, 1111, 10000, 10002, 10050, 24133, 24140, 27235, 30000, 30003, 30023, 30078,
  30402, 30405, 30406, 31990,
]

/** Public notes: from listed authors only. */
export const NOTE_KINDS: ReadonlySet<number> = new Set([1, 30023])

/** An answer to a challenge is for one relay's eyes and is never stored, whatever the lists say. */
export const NEVER_STORED = AUTH_KIND
