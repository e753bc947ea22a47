// Turns sliced work of the store into tasks that deliver to a sink.
import type { EventPage, SlicedWork, StoredQuery } from '../ports.js'
import type { SlicedTask } from './query-scheduler.js'

export interface PageSink {
  page(page: EventPage): void
  /** Called after the last page. */
  done(): void
  failed(error: unknown): void
}

export interface ValueSink<T> {
  done(value: T): void
  failed(error: unknown): void
}

/** The task of a REQ. */
export const readTask = (query: StoredQuery, sink: PageSink): SlicedTask => ({
  step() {
    const page = query.next()
    if (page) sink.page(page)
    else sink.done()
    return page === undefined
  },
  failed: (error) => sink.failed(error),
})

interface LaterParts {
  readonly begin: () => SlicedTask
  readonly failedToBegin: (error: unknown) => void
  readonly expectedMs: number
}

/** Defers planning to the first slice, because it takes time too. */
export function begunLater({ begin, failedToBegin, expectedMs }: LaterParts): SlicedTask {
  let task: SlicedTask | undefined
  return {
    expectedMs,
    step() {
      task ??= begin()
      return task.step()
    },
    failed: (error) => (task ? task.failed(error) : failedToBegin(error)),
  }
}

/** The task of a COUNT or a set listing. */
export const workTask = <T>(work: SlicedWork<T>, sink: ValueSink<T>): SlicedTask => ({
  step() {
    const value = work.step()
    if (value !== undefined) sink.done(value)
    return value !== undefined
  },
  failed: (error) => sink.failed(error),
})
