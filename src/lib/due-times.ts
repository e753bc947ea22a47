// Bounds of due times: the till's schedules are made within them, and the store's searches rely on them.
const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * How far ahead of now each kind of work may be put off at most, in milliseconds. A stored time that lies further ahead was
 * written by a clock that ran ahead: the store counts it as due.
 */
export const LONGEST_WAIT_MS = {
  /** The next look for a payment's kernel. */
  payment: 10 * MINUTE,
  /** The next attempt of a webhook. */
  webhook: 60 * MINUTE,
  /** The next try of a message over Nostr. */
  message: 15 * MINUTE,
  /** The next time a signed transaction is handed to a node. */
  push: 10 * MINUTE,
} as const

/**
 * A later event of the same invoice waits for so many attempts at an earlier one, not longer: a receiver that refuses one event
 * must still get the next.
 */
export const HOLDING_ATTEMPTS = 2

/**
 * For how long work is handed out to one process, in milliseconds. Longer than the longest try (a webhook ends after 20 s, a message over
 * Nostr after 45 s) by more than the clocks of the processes differ: what a dead process had comes back by itself, and nothing is sent twice
 * because a process was slow.
 */
export const LEASE_MS = MINUTE

/** A notice over Nostr waits at most so long for the reply of its payment. */
export const NOTICE_HOLD_MS = MINUTE

/** How long a closed invoice slate that was never signed is kept after its creation: a late answer to it gets the remedy to load the page again. */
export const CLOSED_SLATE_MS = 24 * 3_600_000
