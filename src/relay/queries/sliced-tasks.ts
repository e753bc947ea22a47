// Turns sliced work of the store into tasks that deliver to a sink.
import type { EventPage, SlicedWork, StoredQuery, Waiting } from '../ports.js'
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
export function readTask(query: StoredQuery, sink: PageSink): SlicedTask {
  const { waiting } = query

  function isOver(page: EventPage | undefined): boolean {
    if (page) sink.page(page)
    else sink.done()
    return page === undefined
  }

  return {
    step(mayWait) {
      if (!waiting || !mayWait) return isOver(query.next())
      const page = waiting.next()
      return page && isWait(page) ? page : isOver(page)
    },
    failed: (error) => sink.failed(error),
    ...(waiting && { heldBytes: waiting.heldBytes, dropped: waiting.drop }),
  }
}

const isWait = (page: EventPage | Waiting): page is Waiting => 'whenReady' in page

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
    step(mayWait) {
      task ??= begin()
      return task.step(mayWait)
    },
    failed: (error) => (task ? task.failed(error) : failedToBegin(error)),
    dropped: () => task?.dropped?.(),
    heldBytes: () => task?.heldBytes?.() ?? 0,
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
