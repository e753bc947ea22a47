// The days of a report, one after the other: as they were kept, else read in pages of confirmed payments in index order.
import type { Clock } from '../../lib/ports.js'
import { createSetClockNotice } from '../../lib/steady-clock.js'
import type { Calendar } from './calendar.js'
import { addDaySums, addRow, countOf, type DaySums, noDaySums } from './day-sums.js'
import type { createFold } from './fold.js'
import type { ConfirmedRow, ReportStore } from './model.js'

// Sums of days that are over, kept in memory: a confirmed payment stays confirmed, so such a day changes only when a payment of it is
// assigned to an invoice. Of a day that is not over the part is kept to which nothing more is added.

/** A payment is stored this long after the moment it is stored with, at the most. */
const SETTLED_MS = 60_000
/** Of all zones together: about 3 KB each. */
const MOST_PARTS = 2000

/** What was confirmed at or after `start`, before `end`. */
interface KeptPart {
  readonly start: number
  readonly end: number
  /** Undefined: days without a payment. */
  readonly content?: { readonly day: number; readonly sums: DaySums }
  /** It ends where a day ends. */
  readonly isWhole: boolean
}

/** The parts of one zone, as long as one report is made. */
interface KeptZone {
  /** Nothing more is added to what was confirmed before this moment. */
  readonly settledAt: number
  get(start: number): KeptPart | undefined
  keep(part: KeptPart): void
}

export function createKeptDays(clock: Pick<Clock, 'now' | 'monotonic'>) {
  const parts = new Map<string, KeptPart>()
  const wasSet = createSetClockNotice(clock)
  let changes = 0

  return {
    open(zone: string): KeptZone {
      if (wasSet()) parts.clear() // what was over by a clock that was ahead may not be over
      const settledAt = clock.now() - SETTLED_MS
      const changesBefore = changes
      const keyOf = (start: number): string => `${zone} ${start}`
      return {
        settledAt,
        get: (start) => parts.get(keyOf(start)),
        keep(part) {
          // Read before the change, perhaps.
          if (changes !== changesBefore || part.end > settledAt) return
          parts.delete(keyOf(part.start))
          parts.set(keyOf(part.start), part)
          const [oldest = ''] = parts.keys()
          if (parts.size > MOST_PARTS) parts.delete(oldest)
        },
      }
    },
    /** A payment that was confirmed at this moment counts in another way from now on. */
    forget(confirmedAt: number): void {
      changes += 1
      for (const [key, { start, end }] of parts) if (start <= confirmedAt && confirmedAt < end) parts.delete(key)
    },
  }
}

/** Rows of one page: more while a page takes less than a moment, fewer where the disk is slow. */
const ROWS = { least: 8, first: 32, most: 128 } as const
/** Kept parts that are added in one step. */
const PARTS = 32
const STEP_MS = { quick: 3, slow: 8 } as const

interface WalkParts {
  readonly store: ReportStore
  readonly clock: Pick<Clock, 'monotonic'>
  readonly calendar: Calendar
  readonly startsAt: number
  readonly endsAt: number
  readonly kept: KeptZone
  readonly fold: ReturnType<typeof createFold>
}

/** A day that is being read. */
interface OpenDay {
  readonly day: number
  readonly start: number
  readonly end: number
  readonly settled: DaySums
  /** What came so late that more may be added before it. */
  readonly tail: DaySums
}

interface Walk {
  /** Takes some kept parts or reads one page. False: that was the last. */
  step(): Promise<boolean>
  /** Payments so far. */
  count(): number
}

export function createWalk({ store, clock, calendar, startsAt, endsAt, kept, fold }: WalkParts): Walk {
  /** Everything before is in the fold or in the open day; where the next page begins. */
  let at = startsAt
  let cursor: string | null = null
  let rows: number = ROWS.first
  let open: OpenDay | undefined

  const openDay = (moment: number): OpenDay => ({
    ...calendar.spanOf(moment),
    settled: noDaySums(),
    tail: noDaySums(),
  })

  /** Of a day that was read in part before, only what came since is read. */
  function take({ start, end, content, isWhole }: KeptPart): void {
    at = end
    if (content && isWhole) fold.add(content.day, content.sums)
    else if (content) {
      open = openDay(start)
      addDaySums(open.settled, content.sums)
    }
  }

  /** False: there was none. */
  function takeKept(): boolean {
    const before = at
    for (let taken = 0; taken < PARTS && cursor === null && !open && at < endsAt; taken++) {
      const part = kept.get(at)
      if (!part) break
      take(part)
    }
    return at > before
  }

  function close({ day, start, end, settled, tail }: OpenDay): void {
    const until = Math.min(end, kept.settledAt)
    if (until > start) kept.keep({ start, end: until, content: { day, sums: settled }, isWhole: until === end })
    fold.add(day, settled)
    fold.add(day, tail)
    at = end
    open = undefined
  }

  /** The day of a row behind the open one; undefined: it was kept, and is taken instead of read. */
  function dayOf({ confirmedAt }: ConfirmedRow): OpenDay | undefined {
    if (open && confirmedAt < open.end) return open
    if (open) close(open)
    const next = openDay(confirmedAt)
    if (next.start > at) kept.keep({ start: at, end: next.start, isWhole: true })
    at = next.start
    open = kept.get(at) ? undefined : next
    return open
  }

  /** False: the rest of the page is not needed. */
  function add(row: ConfirmedRow): boolean {
    const day = dayOf(row)
    if (day) addRow(row.confirmedAt < kept.settledAt ? day.settled : day.tail, row)
    return day !== undefined
  }

  async function read(): Promise<void> {
    const began = clock.monotonic()
    const from = cursor === null ? at : startOfPages
    startOfPages = from
    const page = await store.confirmedRows({ from, to: endsAt, limit: rows, ...(cursor !== null && { cursor }) })
    const isAllNeeded = page.items.every(add)
    cursor = isAllNeeded ? page.next : null
    if (isAllNeeded && cursor === null) {
      if (open) close(open)
      at = endsAt
    }
    const took = clock.monotonic() - began
    if (took > STEP_MS.slow) rows = Math.max(ROWS.least, Math.floor(rows / 2))
    else if (took < STEP_MS.quick) rows = Math.min(ROWS.most, rows * 2)
  }

  /** Of the pages that `cursor` goes on with. */
  let startOfPages = startsAt

  return {
    async step() {
      if (!takeKept()) await read()
      return at < endsAt
    },
    count: () => fold.count() + (open ? countOf(open.settled).count + countOf(open.tail).count : 0),
  }
}
