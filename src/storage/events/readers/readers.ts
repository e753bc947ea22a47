// The reader threads of a store: they run dear statements while the main thread serves others. A full pool refuses, and the main thread runs the
// statement itself, as without threads.

import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../lib/start-worker.js'
import type { Waiting } from '../../../relay/index.js'
import type { TextPage } from '../query/disk.js'
import { costOf } from '../query/plan.js'
import { type FromReader, type PlaceQuestion, type ReaderQuestion, type TextQuestion, toTextPage } from './questions.js'
import { createReaderThread, type Job, type ReaderThread } from './reader-thread.js'

/** For queries: each verb returns undefined when the main thread should run the statement itself. */
export interface Readers {
  texts(question: Omit<TextQuestion, 'kind'>): Handover<TextPage> | undefined
  places(question: Omit<PlaceQuestion, 'kind'>): Handover<ArrayLike<number>> | undefined
}

export interface ReaderCounts {
  /** Questions answered by readers since the start. */
  readonly answered: number
  /** Questions that readers have now. */
  readonly waiting: number
  /** Readers that died or hung, since the start. */
  readonly replaced: number
}

export interface ReaderPool extends Readers {
  counts(): ReaderCounts
  close(): Promise<void>
}

export interface ReaderOptions {
  /** Number of threads. Default: processors minus two, from none to eight. 0: none. */
  readonly threads?: number | undefined
  /** Below this many stored events every statement is short, and none is handed over. */
  readonly leastEvents?: number
  /** Starts a thread; for tests. */
  readonly start?: () => Worker
  readonly deadlineMs?: number
  readonly pauseMs?: number
}

const MOST_THREADS = 8
/**
 * One processor is for the main thread, one for signatures and checkpoints. Measured on two busy processors: a feed takes 60 % less of the main
 * thread, but a mix of questions beside writes is answered a third more slowly, because each feed waits for its thread to be scheduled.
 */
const usualThreads = (): number => Math.max(0, Math.min(MOST_THREADS, availableParallelism() - 2))

/** Open questions of one thread: few milliseconds of work. */
const MOST_JOBS = 8
/** Bytes of answers that were not taken yet, beyond which nothing is asked. */
const MOST_HELD = 32 * 2 ** 20
/** A statement takes milliseconds; a disk may stall for a second. */
const DEADLINE_MS = 5000
const PAUSE_MS = 10_000
/** A question goes to one other thread, then back to the main thread. */
const MOST_FAILURES = 2

/** Undefined: no threads are wanted. */
export function createReaderPool(path: string, options: ReaderOptions): ReaderPool | undefined {
  const { threads: count = usualThreads(), start = () => startWorker(import.meta.url, 'reader', path) } = options
  return count > 0 ? openPool(count, { ...options, start }) : undefined
}

function openPool(count: number, options: ReaderOptions & { readonly start: () => Worker }): ReaderPool {
  const { start, deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS } = options
  let [answered, replaced, held] = [0, 0, 0]
  const threads = Array.from({ length: count }, () => createReaderThread({ start, deadlineMs, pauseMs, lost: onLost }))

  function onHeld(bytes: number): void {
    held += bytes
  }

  function onLost(jobs: readonly Job[]): void {
    replaced++
    for (const job of jobs) {
      job.failures++
      const thread = job.failures < MOST_FAILURES && !job.isDropped() ? freest(threads) : undefined
      if (thread) thread.give(job)
      else job.answered({ kind: 'failed' })
    }
  }

  function ask<T>(
    question: ReaderQuestion,
    read: (answer: FromReader, to: ReaderDelivery<T>) => void,
  ): Handover<T> | undefined {
    if (held > MOST_HELD) return undefined
    const thread = freest(threads)
    if (!thread) return undefined
    const handover = createHandover<T>(costOf(question.range.plan) / 1000, onHeld)
    thread.give({
      question,
      failures: 0,
      isDropped: () => handover.isOver,
      answered(answer) {
        if (answer.kind === 'failed') handover.failed()
        else {
          answered++
          read(answer, handover)
        }
      },
    })
    return handover
  }

  return {
    texts: (question) => ask({ kind: 'texts', ...question }, deliverTexts),
    places: (question) => ask({ kind: 'places', ...question }, deliverPlaces),
    counts: () => ({
      answered,
      waiting: threads.reduce((sum, { open }) => sum + open, 0),
      replaced,
    }),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  }
}

/** The thread with the fewest open questions; undefined: all are full, or start. */
function freest(threads: readonly ReaderThread[]): ReaderThread | undefined {
  let best: ReaderThread | undefined
  let least = MOST_JOBS
  for (const thread of threads) {
    if (thread.open >= least || !thread.isReady()) continue
    best = thread
    least = thread.open
    if (least === 0) break
  }
  return best
}

function deliverTexts(answer: FromReader, to: ReaderDelivery<TextPage>): void {
  if (answer.kind === 'texts') to.answered(toTextPage(answer.page), answer.page.bytes?.length ?? 0)
  else to.failed()
}

function deliverPlaces(answer: FromReader, to: ReaderDelivery<ArrayLike<number>>): void {
  if (answer.kind === 'places') to.answered(answer.numbers, answer.numbers.byteLength)
  else to.failed()
}

// One question on its way to a reader and back.

/** The asker's side. */
export interface Handover<T> extends Waiting {
  /** True when there is nothing more to wait for. */
  readonly isOver: boolean
  /** Bytes of an answer that was not taken yet. */
  readonly heldBytes: number
  /** The answer, once; undefined: no reader could give one. */
  take(): T | undefined
  /** The answer is no longer wanted. */
  drop(): void
}

/** The pool's side. */
interface ReaderDelivery<T> {
  answered(value: T, bytes: number): void
  failed(): void
}

/** `ms`: what the answer is expected to cost. `onHeld` hears by how many bytes the untaken answers grow and shrink. */
function createHandover<T>(ms: number, onHeld: (bytes: number) => void): Handover<T> & ReaderDelivery<T> {
  let value: T | undefined
  let heldBytes = 0
  let isOver = false
  let resume: ((ms: number) => void) | undefined

  function end(): void {
    isOver = true
    const run = resume
    resume = undefined
    run?.(ms)
  }

  function release(): void {
    onHeld(-heldBytes)
    heldBytes = 0
  }

  return {
    get isOver() {
      return isOver
    },
    get heldBytes() {
      return heldBytes
    },
    answered(given, bytes) {
      if (isOver) return
      value = given
      heldBytes = bytes
      onHeld(bytes)
      end()
    },
    failed() {
      if (!isOver) end()
    },
    take() {
      const taken = value
      value = undefined
      release()
      return taken
    },
    drop() {
      isOver = true
      value = undefined
      resume = undefined
      release()
    },
    whenReady(run) {
      resume = run
    },
  }
}
