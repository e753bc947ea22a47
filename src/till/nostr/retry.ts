// Messages that could not be dealt with now: later ones, longer and longer apart. Bounded by count, bytes and sender.
import { backoff } from '../../lib/backoff.js'
import type { Clock } from '../../lib/ports.js'

const SECOND = 1000
const FIRST_MS = 5 * SECOND
const MOST_MS = 600 * SECOND
/** The payer's wallet cancels after a day. */
const GIVE_UP_MS = 24 * 3600 * SECOND

export interface RetryLimits {
  readonly entries: number
  readonly bytes: number
  /** Of one sender. */
  readonly perSender: number
}

export const RETRY_LIMITS: RetryLimits = { entries: 10_000, bytes: 32 * 1024 * 1024, perSender: 20 }

/** Something to be tried again. */
export interface Retryable {
  /** Who sent it, as far as that is known. */
  readonly sender: string
  /** What it holds in memory. */
  readonly bytes: number
  /** Failures so far. */
  readonly failures: number
  /** When it came, by the monotonic clock. */
  readonly since: number
}

export interface Retries<T> {
  /** False: no room, or the item is older than a day. It is dropped. */
  add(item: T): boolean
  /** One whose time has come. */
  next(): T | undefined
  /** Milliseconds until `next` has one; undefined when none waits. */
  waitMs(): number | undefined
  size(): number
}

/** Waits 5 s after the first failure, then twice as long each time, 10 minutes at most. */
export function createRetries<T extends Retryable>(clock: Pick<Clock, 'monotonic'>, limits = RETRY_LIMITS): Retries<T> {
  /** Soonest first. */
  const waiting: { readonly item: T; readonly dueAt: number }[] = []
  const perSender = new Map<string, number>()
  let bytes = 0

  function count({ sender, bytes: size }: T, by: 1 | -1): void {
    const left = (perSender.get(sender) ?? 0) + by
    if (left > 0) perSender.set(sender, left)
    else perSender.delete(sender)
    bytes += by * size
  }

  const hasRoom = ({ sender, bytes: size }: T): boolean =>
    waiting.length < limits.entries && bytes + size <= limits.bytes && (perSender.get(sender) ?? 0) < limits.perSender

  return {
    add(item) {
      const now = clock.monotonic()
      if (now - item.since >= GIVE_UP_MS || !hasRoom(item)) return false
      const dueAt = now + backoff(item.failures, FIRST_MS, MOST_MS)
      const at = waiting.findLastIndex((other) => other.dueAt <= dueAt) + 1
      waiting.splice(at, 0, { item, dueAt })
      count(item, 1)
      return true
    },
    next() {
      const [first] = waiting
      if (!first || first.dueAt > clock.monotonic()) return undefined
      waiting.shift()
      count(first.item, -1)
      return first.item
    },
    waitMs: () => waiting[0] && Math.max(0, waiting[0].dueAt - clock.monotonic()),
    size: () => waiting.length,
  }
}
