// What waits for its place in the log. What came while the last batch was under way goes together.
import type { LogChange, LogEvent } from '../../../relay/index.js'
import { bodyBytesOf, changeBody, eventsBody } from './body.js'

/** Of one entry. */
const [MOST_EVENTS, MOST_BYTES] = [1024, 1024 * 1024]

/** Entries that are appended together stand or fall together, so it is given up when the patience for the oldest event ends. */
export interface Batch<Own extends LogEvent> {
  readonly body: string
  /** Monotonic. */
  readonly deadline: number
  readonly content: BatchContent<Own>
}

export type BatchContent<Own extends LogEvent> =
  | { readonly type: 'events'; readonly events: readonly Own[] }
  | { readonly type: 'change'; readonly waiting: WaitingChange }

interface WaitingChange {
  readonly change: LogChange
  applied(): void
  failed(cause: unknown): void
}

type Item<Own> =
  | { readonly deadline: number; readonly event: Own; readonly waiting?: undefined }
  | { readonly deadline: number; readonly event?: undefined; readonly waiting: WaitingChange }

export interface Queue<Own extends LogEvent> {
  addEvents(events: readonly Own[], deadline: number): void
  addChange(waiting: WaitingChange, deadline: number): void
  readonly isEmpty: boolean
  /** The next batch: a change by itself, or as many events as fit into one entry. */
  take(): Batch<Own> | undefined
  /** What has waited until `now`, and is dropped; of `Infinity`: everything. */
  takeLate(now: number): readonly BatchContent<Own>[]
}

export function createQueue<Own extends LogEvent>(): Queue<Own> {
  /** In the order of their deadlines. */
  let items: Item<Own>[] = []
  let first = 0

  function drop(count: number): void {
    first += count
    if (first < items.length / 2) return
    items = items.slice(first)
    first = 0
  }

  /** The events at the front that fit, or up to `late`. */
  function eventsAtFront(fits: (item: Item<Own>, bytes: number, count: number) => boolean): readonly Own[] {
    const events: Own[] = []
    let bytes = 0
    for (let at = first; at < items.length; at++) {
      const item = items[at]
      if (!item?.event || !fits(item, bytes, events.length)) break
      bytes += bodyBytesOf(item.event)
      events.push(item.event)
    }
    drop(events.length)
    return events
  }

  const fitsEntry = ({ event }: Item<Own>, bytes: number, count: number): boolean =>
    count === 0 || (count < MOST_EVENTS && bytes + (event ? bodyBytesOf(event) : 0) <= MOST_BYTES)

  function next(fits: (item: Item<Own>, bytes: number, count: number) => boolean): BatchContent<Own> | undefined {
    const waiting = items[first]?.waiting
    if (!waiting) {
      const events = eventsAtFront(fits)
      return events.length === 0 ? undefined : { type: 'events', events }
    }
    drop(1)
    return { type: 'change', waiting }
  }

  return {
    addEvents(events, deadline) {
      for (const event of events) items.push({ event, deadline })
    },
    addChange: (waiting, deadline) => void items.push({ waiting, deadline }),
    get isEmpty() {
      return first === items.length
    },
    take() {
      const deadline = items[first]?.deadline ?? 0
      const content = next(fitsEntry)
      return content && { body: bodyOf(content), deadline, content }
    },
    takeLate(now) {
      const late: BatchContent<Own>[] = []
      const isLate = ({ deadline }: Pick<Item<Own>, 'deadline'>) => deadline <= now
      for (let item = items[first]; item && isLate(item); item = items[first]) {
        const content = next(isLate)
        if (content) late.push(content)
      }
      return late
    },
  }
}

const bodyOf = <Own extends LogEvent>(content: BatchContent<Own>): string =>
  content.type === 'events' ? eventsBody(content.events) : changeBody(content.waiting.change)
