// Queries of one filter with many ranges: a reader thread searches them and fetches the texts, and the next ones while these are sent.
import type { EventPage, FindOptions, StoredQuery, Waiting } from '../../../relay/index.js'
import type { Handover } from '../readers/handover.js'
import type { Readers } from '../readers/readers.js'
import type { Staged } from '../staging/staged-event.js'
import { Cursor, NOTHING_LEFT, type Sources } from './cursor.js'
import type { TextPage } from './disk.js'
import type { PageSize } from './page-size.js'
import { continueRanges, type FilterQuery, floorOf, pageFrom, rowsAbove } from './single-query.js'

/** A second page would repeat all searches: so many times the rows of a usual page come at once, up to this many. */
const USUAL_PAGES = 4
const MOST_ROWS = 128

/** Rows that one answer of a reader may have. */
export const readerRows = (size: PageSize): number => Math.min(MOST_ROWS, USUAL_PAGES * size.rows())

/** What a reader works on, and the staged matches of the moment when it was asked. */
interface Pending {
  readonly handover: Handover<TextPage>
  readonly staged: readonly Staged[]
  /** Rows of the page. */
  readonly asked: number
  /** The place where the staged matches end. */
  readonly reached: number
}

export interface ReaderQueryParts {
  readonly single: FilterQuery
  readonly size: PageSize
  readonly options: FindOptions
  /** True: without a reader, places are found before texts. */
  readonly isFoundFirst: boolean
}

export function createReaderQuery(
  sources: Sources,
  readers: Readers,
  { single, size, options, isFoundFirst }: ReaderQueryParts,
): StoredQuery {
  const { now } = sources
  const { filter, plan, share } = single
  const cursor = new Cursor(sources, filter, plan)
  const onMain = continueRanges(cursor, { share, size, options, isFoundFirst })
  let pending: Pending | undefined
  /** True when the last page was empty: see `createRangeQuery`. */
  let isBarren = false

  function ask(): Pending | undefined {
    if (share.left <= 0 || cursor.isDone) return undefined
    // One more than needed: the last place may be incomplete.
    const asked = (isBarren ? readerRows(size) : Math.min(share.left, readerRows(size))) + 1
    const staged = cursor.staged(asked)
    const reached = staged.end?.place ?? NOTHING_LEFT
    if (reached === cursor.top) return undefined
    const handover = readers.texts({ range: cursor.range(asked, reached + 1), now: now() })
    return handover && { handover, staged: staged.found, asked, reached }
  }

  /** The page that a reader found, joined with the staged matches. Undefined: the main thread must go on. */
  function accept({ handover, staged, asked, reached }: Pending): EventPage | undefined {
    const found = handover.take()
    if (!found) return undefined
    const floor = floorOf(found, asked, reached)
    if (floor === cursor.top) return undefined
    cursor.moveBelow(floor + 1)
    const page = pageFrom(rowsAbove(floor, found, staged, share.check), share, options.visible)
    isBarren = page.ends.length === 0
    size.learn(page)
    return page
  }

  function nextOrWait(): EventPage | Waiting | undefined {
    if (share.left <= 0) return undefined
    if (onMain.isMerged) return onMain.next()
    pending ??= ask()
    if (pending && !pending.handover.isOver) return pending.handover
    const page = pending && accept(pending)
    pending = page && ask()
    return page ?? onMain.next()
  }

  function drop(): void {
    pending?.handover.drop()
    pending = undefined
  }

  return {
    next() {
      drop()
      return onMain.next()
    },
    waiting: { next: nextOrWait, heldBytes: () => pending?.handover.heldBytes ?? 0, drop },
  }
}
