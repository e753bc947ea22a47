// Events that can be searched but are not in the search index yet, with their terms. Bounded: what finds no room is read from the event table
// when its turn comes, and is not found until then.
import type { NostrEvent } from '../../../nostr/event/index.js'
import { searchTermsOf } from '../../../nostr/search/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import { searchRow } from './search-tables.js'

export interface UnindexedEvent {
  readonly seq: number
  readonly row: bigint
  readonly event: NostrEvent
  readonly keys: IndexKeys
  readonly terms: ReadonlySet<string>
  readonly text: Buffer
}

export interface PendingSearch {
  readonly size: number
  has(seq: number): boolean
  /** In order of their numbers. */
  all(): Iterable<UnindexedEvent>
  /** False: there is no room. */
  add(one: Omit<UnindexedEvent, 'row' | 'terms'>): boolean
  remove(seq: number): void
  /** Removes everything up to this number. */
  removeUpTo(seq: number): void
}

const MOST_EVENTS = 4096
const MOST_BYTES = 16_777_216
/** Memory of a term. */
const TERM_BYTES = 64

export function createPendingSearch(): PendingSearch {
  const events = new Map<number, UnindexedEvent>()
  let bytes = 0

  function remove(seq: number): void {
    const one = events.get(seq)
    if (one === undefined) return
    events.delete(seq)
    bytes -= bytesOf(one)
  }

  return {
    get size() {
      return events.size
    },
    has: (seq) => events.has(seq),
    all: () => events.values(),
    add(one) {
      if (events.size >= MOST_EVENTS || bytes >= MOST_BYTES) return false
      const whole = { ...one, row: searchRow(one.keys, one.seq), terms: searchTermsOf(one.event) }
      events.set(one.seq, whole)
      bytes += bytesOf(whole)
      return true
    },
    remove,
    removeUpTo(last) {
      for (const seq of events.keys()) {
        if (seq > last) return
        remove(seq)
      }
    },
  }
}

const bytesOf = ({ text, terms }: UnindexedEvent): number => text.length + terms.size * TERM_BYTES
