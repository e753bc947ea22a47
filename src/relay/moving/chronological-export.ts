// Exports matching events as lines, oldest first. The store answers newest first, so the export reads one interval after the other and reverses
// each in memory.
import type { Filter } from '../../nostr/filter/index.js'
import type { EventPage, EventStore } from '../ports.js'

/** Epoch seconds, inclusive. No event lies outside. */
export interface Span {
  readonly oldest: number
  readonly newest: number
}

/** Some events, each with a line break after it. */
export interface Lines {
  readonly bytes: Buffer
  readonly events: number
}

/** Bytes of one interval. A larger one is discarded and read again in two halves. */
const MOST = 8 * 2 ** 20
/** Below this fraction of the limit the next interval gets longer. */
const FEW = 4
const FIRST_SECONDS = 3600
const LINE_BREAK = Buffer.from('\n')

/** Newest first, as the store answers. The limit of the filter applies. */
export function* newestLines(find: EventStore['find'], filter: Filter): Generator<Lines> {
  const query = find([filter])
  for (let page = query.next(); page !== undefined; page = query.next()) if (page.ends.length > 0) yield linesOf(page)
}

/** Oldest first, in no order within one second. Holds about `most` bytes. The limit of the filter is ignored. */
export function* oldestLines(find: EventStore['find'], filter: Filter, span: Span, most = MOST): Generator<Lines> {
  const { limit: _, ...unlimited } = filter
  const last = Math.min(filter.until ?? span.newest, span.newest)
  let since = Math.max(filter.since ?? span.oldest, span.oldest)
  let seconds = FIRST_SECONDS
  while (since <= last) {
    const until = Math.min(since + seconds - 1, last)
    const interval = { ...unlimited, since, until }
    const pages = pagesWithin(find, interval, most)
    if (pages === undefined && until > since) {
      seconds = Math.ceil((until - since + 1) / 2)
      continue
    }
    if (pages) yield* reversedLines(pages)
    else yield* newestLines(find, interval)
    since = until + 1
    if (pages && sizeOf(pages) < most / FEW) seconds *= 2
  }
}

/** Undefined: the pages exceed `most` bytes. */
function pagesWithin(find: EventStore['find'], filter: Filter, most: number): readonly EventPage[] | undefined {
  const pages: EventPage[] = []
  const query = find([filter])
  let size = 0
  for (let page = query.next(); page !== undefined; page = query.next()) {
    size += page.bytes.length
    if (size > most) return undefined
    pages.push(page)
  }
  return pages
}

const sizeOf = (pages: readonly EventPage[]): number => pages.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** Reverses the pages, and the lines within each page. */
function* reversedLines(pages: readonly EventPage[]): Generator<Lines> {
  for (const { bytes, ends } of [...pages].reverse()) {
    if (ends.length === 0) continue
    const lines: Buffer[] = []
    for (let at = ends.length - 1; at >= 0; at--) {
      const start = at === 0 ? 0 : (ends[at - 1] ?? 0) + 1
      lines.push(bytes.subarray(start, ends[at]), LINE_BREAK)
    }
    yield { bytes: Buffer.concat(lines), events: ends.length }
  }
}

/** A page may end with its last text, or with a line break after it. */
function linesOf({ bytes, ends }: EventPage): Lines {
  const end = ends.at(-1) ?? 0
  return { bytes: Buffer.concat([bytes.subarray(0, end), LINE_BREAK]), events: ends.length }
}
