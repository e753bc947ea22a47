// Gift wraps that wait to be opened. Every receiving key has a queue and a bucket of its own, and who had least is served first:
// junk to many keys neither delays nor displaces what comes to another (specification: invoicing, 4.6).
import type { Clock } from '../../lib/ports.js'
import { type BucketTerms, createSlidingWindow, createTokenBuckets, type WindowTerms } from '../../lib/rate-limiter.js'
import type { NostrEvent } from '../../nostr/event/index.js'

/** A wrap with the relay that brought it and the key of ours it is addressed to. */
export interface IncomingWrap {
  readonly wrap: NostrEvent
  readonly relay: string
  /** 64 hex. */
  readonly receiver: string
}

export interface InboxLimits extends Required<BucketTerms> {
  /** Wraps that wait for one key. */
  readonly perKey: number
  /** Of all that wait together. */
  readonly bytes: number
  /** Ids of finished wraps that are remembered, so that copies from other relays cost nothing. */
  readonly remembered: number
}

export const INBOX_LIMITS: InboxLimits = {
  perKey: 64,
  bytes: 64 * 1024 * 1024,
  perMinute: 120,
  burst: 20,
  remembered: 20_000,
}

/** What became of a wrap. */
interface Ending {
  /** It cost an unwrap; if not, the key gets its token back. */
  readonly spent: boolean
  /** Copies of it need no further look. */
  readonly final: boolean
  /** It could not be dealt with and is let go: the key is to be fetched again, as for what `offer` drops. */
  readonly missed?: boolean
}

export interface Inbox {
  /**
   * Takes a wrap in, or drops what there is no room for and remembers the key for `takeDropped`. False, and it must be offered
   * again, only when the wraps of all keys together fill the inbox: the relay should wait. One flooded key alone never slows a relay.
   */
  offer(wrap: NostrEvent, relay: string): boolean
  /** The next one whose turn it is and whose key may be unwrapped now. */
  next(): IncomingWrap | undefined
  /** Milliseconds until `next` has one; undefined when nothing waits. */
  waitMs(): number | undefined
  /** Every wrap that `next` answered ends here, once. */
  done(incoming: IncomingWrap, ending: Ending): void
  /** Keys that lost wraps and have room again: to be fetched once more. Each three times a minute at most. */
  takeDropped(): readonly string[]
  state(): { readonly waiting: number; readonly bytes: number; readonly keys: number; readonly dropped: number }
}

interface Queue {
  readonly wraps: IncomingWrap[]
  bytes: number
}

/** Longest content of a wrap (specification: invoicing, 4.4). */
const MAX_CONTENT = 65_536
/** What a wrap takes beside its content: keys, id, signature, tag, the objects around them. */
const OVERHEAD = 1024
/** A round brings what fits the queue; three of them a minute are more than a key may be unwrapped. */
const REFETCHES: WindowTerms = { limit: 3, windowMs: 60_000 }

const sizeOf = ({ wrap }: IncomingWrap): number => wrap.content.length + OVERHEAD
/** A copy with another signature is another copy: one of them is forged, and it must not shadow the other. */
const copyOf = ({ wrap }: IncomingWrap): string => wrap.id + wrap.sig

/** Pure but for its clock; nothing in it waits. */
export function createInbox(clock: Pick<Clock, 'monotonic'>, limits: InboxLimits = INBOX_LIMITS): Inbox {
  /** In the order of their turns; never empty ones. */
  const queues = new Map<string, Queue>()
  const buckets = createTokenBuckets(limits, clock)
  const underWay = new Set<string>()
  const finished = new Set<string>()
  const lost = new Set<string>()
  const refetches = createSlidingWindow(REFETCHES, clock)
  const sum = { waiting: 0, bytes: 0, dropped: 0 }

  function count(queue: Queue, incoming: IncomingWrap, by: 1 | -1): void {
    queue.bytes += by * sizeOf(incoming)
    sum.bytes += by * sizeOf(incoming)
    sum.waiting += by
  }

  function lose(receiver: string): void {
    lost.add(receiver)
    sum.dropped += 1
  }

  /** The key whose wraps take the most room, with its queue. */
  function largest(): readonly [string, Queue] | undefined {
    let most: readonly [string, Queue] | undefined
    for (const entry of queues) if (!most || entry[1].bytes > most[1].bytes) most = entry
    return most
  }

  /** Who may be served and was served least; among equals whose turn is longest ago. */
  function quietest(): readonly [string, Queue] | undefined {
    let found: readonly [string, Queue] | undefined
    let most = 1
    for (const entry of queues) {
      const tokens = buckets.tokensOf(entry[0])
      if (tokens < most || (found && tokens === most)) continue
      found = entry
      most = tokens
    }
    return found
  }

  /** Drops the newest wrap of the key that holds most, while that is more than this key would hold with its new wrap. */
  function makeRoom(own: Queue, size: number): boolean {
    while (sum.bytes + size > limits.bytes) {
      const [receiver, queue] = largest() ?? []
      if (!receiver || !queue || queue.bytes <= own.bytes + size) return false
      const dropped = queue.wraps.pop()
      if (dropped) {
        count(queue, dropped, -1)
        underWay.delete(copyOf(dropped))
      }
      if (queue.wraps.length === 0) queues.delete(receiver)
      lose(receiver)
    }
    return true
  }

  function put(incoming: IncomingWrap): boolean {
    const queue = queues.get(incoming.receiver) ?? { wraps: [], bytes: 0 }
    const isFull = queue.wraps.length >= limits.perKey
    if (isFull || !makeRoom(queue, sizeOf(incoming))) {
      if (queue.wraps.length === 0) return false
      lose(incoming.receiver)
      return true
    }
    queue.wraps.push(incoming)
    count(queue, incoming, 1)
    queues.set(incoming.receiver, queue)
    underWay.add(copyOf(incoming))
    return true
  }

  function remember(id: string): void {
    finished.add(id)
    const [oldest] = finished.size > limits.remembered ? finished : []
    if (oldest !== undefined) finished.delete(oldest)
  }

  return {
    offer(wrap, relay) {
      const receiver = wrap.tags.find(([name]) => name === 'p')?.[1]
      // It is addressed to no key, or too long: opening it would end in a refusal.
      if (receiver === undefined || wrap.content.length > MAX_CONTENT) return true
      const incoming = { wrap, relay, receiver }
      if (finished.has(wrap.id) || underWay.has(copyOf(incoming))) return true
      return put(incoming)
    },
    next() {
      const [receiver, queue] = quietest() ?? []
      const incoming = queue?.wraps.shift()
      if (receiver === undefined || !queue || !incoming) return undefined
      queues.delete(receiver)
      if (queue.wraps.length > 0) queues.set(receiver, queue)
      count(queue, incoming, -1)
      buckets.take(receiver)
      return incoming
    },
    waitMs() {
      const waits = [...queues.keys()].map(buckets.waitMs)
      return waits.length === 0 ? undefined : waits.reduce((least, one) => Math.min(least, one))
    },
    done(incoming, { spent, final, missed = false }) {
      underWay.delete(copyOf(incoming))
      if (missed) lose(incoming.receiver)
      if (!spent) buckets.giveBack(incoming.receiver)
      if (final) remember(incoming.wrap.id)
    },
    takeDropped() {
      const again = [...lost].filter((receiver) => !queues.has(receiver) && refetches.take(receiver))
      for (const receiver of again) lost.delete(receiver)
      return again
    },
    state: () => ({ ...sum, keys: queues.size }),
  }
}
