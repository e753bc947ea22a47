// Making a report: kept days, and pages of confirmed payments in index order. Between two steps the event loop is free.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../lib/ports.js'
import { createLock } from '../locks.js'
import { spanOf } from './calendar.js'
import { reportsBusy } from './errors.js'
import { createFold } from './fold.js'
import type { Report, ReportRequest, ReportStore } from './model.js'
import { createKeptDays, createWalk } from './walk.js'

/** Reports that are made or wait; they are made one after the other. */
const MOST_WAITING = 8

interface ReportsParts {
  readonly store: ReportStore
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

interface ReportProgress {
  /** Hears after each step how many payments were added. */
  readonly onProgress?: (payments: number) => void
  /** Ends the work early: the promise rejects with the reason. */
  readonly signal?: AbortSignal
}

/** Throws what `spanOf` throws, and REPORTS_BUSY. */
export type MakeReport = (request: ReportRequest, progress?: ReportProgress) => Promise<Report>

export interface Reports {
  readonly make: MakeReport
  /** A payment that was confirmed at this moment (epoch milliseconds) counts in another way from now on. */
  forget(confirmedAt: number): void
}

export function createReports({ store, clock }: ReportsParts): Reports {
  const lock = createLock()
  const days = createKeptDays(clock)
  let waiting = 0

  async function make(request: ReportRequest, { onProgress, signal }: ReportProgress): Promise<Report> {
    const { calendar, from, to, startsAt, endsAt } = spanOf(request, clock.now())
    const fold = createFold(request.by)
    const kept = days.open(calendar.zone)
    const walk = createWalk({ store, clock, calendar, startsAt, endsAt, kept, fold })
    for (;;) {
      await setImmediate() // also before the first step: the first calendar of a process takes 12 ms
      signal?.throwIfAborted()
      const goesOn = await walk.step()
      onProgress?.(walk.count())
      if (!goesOn) break
    }
    return { by: request.by, from, to, zone: calendar.zone, startsAt, endsAt, ...fold.sums() }
  }

  async function makeInTurn(request: ReportRequest, progress: ReportProgress = {}): Promise<Report> {
    spanOf(request, clock.now()) // bad input is refused at once
    if (waiting >= MOST_WAITING) throw reportsBusy(waiting)
    waiting += 1
    try {
      return await lock('report', () => make(request, progress))
    } finally {
      waiting -= 1
    }
  }

  return { make: makeInTurn, forget: days.forget }
}
