// What the store does in slices, as tasks whose answers go to somebody.
import type { EventPage, SlicedWork, StoredQuery } from '../ports.js'
import type { SlicedTask } from './query-scheduler.js'

export interface PageSink {
  page(page: EventPage): void
  /** Everything stored was handed over. */
  done(): void
  failed(error: unknown): void
}

export interface ValueSink<T> {
  done(value: T): void
  failed(error: unknown): void
}

/** A REQ. */
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

/** Planning takes its time too, so it is the first slice. */
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

/** A COUNT, or the list of a set to reconcile. */
export const workTask = <T>(work: SlicedWork<T>, sink: ValueSink<T>): SlicedTask => ({
  step() {
    const value = work.step()
    if (value !== undefined) sink.done(value)
    return value !== undefined
  },
  failed: (error) => sink.failed(error),
})
