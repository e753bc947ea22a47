// One reader thread: the questions it was given, in order, and what becomes of them when it dies or hangs.
import type { Worker } from 'node:worker_threads'
import type { FromReader, ReaderQuestion, ToReader } from './questions.js'

/** One question of the pool. */
export interface Job {
  readonly question: ReaderQuestion
  /** Threads that died or hung over it. */
  failures: number
  /** True when its asker is gone. */
  readonly isDropped: () => boolean
  answered(answer: Exclude<FromReader, { kind: 'ready' }>): void
}

export interface ReaderThreadParts {
  readonly start: () => Worker
  /** A thread that answers nothing for this long, in milliseconds, is replaced. */
  readonly deadlineMs: number
  /** Pause before the next start after a thread that answered nothing. */
  readonly pauseMs: number
  /** Called with the open jobs of a thread that died or hung. */
  lost(jobs: readonly Job[]): void
}

export interface ReaderThread {
  /** Number of open jobs. */
  readonly open: number
  /** False while it starts; the first call starts it. */
  isReady(): boolean
  give(job: Job): void
  /** Ends the thread after its current statement. */
  close(): Promise<void>
}

/** Hung threads that may run at a time, the current one aside. With as many there is no successor until one of them ends. */
const MOST_LEFT = 2

/** Starts when it is first needed. It does not keep the process alive. */
export function createReaderThread({ start, deadlineMs, pauseMs, lost }: ReaderThreadParts): ReaderThread {
  let worker: Worker | undefined
  let isStarted = false
  let isClosed = false
  /** Hung threads. They end after their statement: to end a thread by force inside of the database library aborts the process. */
  const left = new Set<Worker>()
  let jobs: Job[] = []
  let answers = 0
  let isPaused = false
  let watch: NodeJS.Timeout | undefined
  let pause: NodeJS.Timeout | undefined

  function begin(): void {
    const fresh = start()
    worker = fresh
    answers = 0
    fresh.on('message', (message: FromReader) => worker === fresh && onMessage(message))
    fresh
      .on('error', () => {})
      .once('exit', () => {
        left.delete(fresh)
        if (worker === fresh) replace()
      })
    fresh.unref()
  }

  function onMessage(message: FromReader): void {
    if (message.kind === 'ready') {
      isStarted = true
      return
    }
    if (message.kind !== 'failed') answers++
    jobs.shift()?.answered(message)
  }

  function leave(): void {
    if (worker) left.add(worker)
    worker?.postMessage({ kind: 'close' } satisfies ToReader)
    replace()
  }

  /** The next question starts another thread; a thread that answered nothing may be started again only after a pause. */
  function replace(): void {
    worker = undefined
    isStarted = false
    clearTimeout(watch)
    watch = undefined
    if (answers === 0) {
      isPaused = true
      pause = setTimeout(() => {
        isPaused = false
      }, pauseMs).unref()
    }
    const open = jobs
    jobs = []
    lost(open)
  }

  /** Compares progress between two ticks, so that no question needs a timer of its own. */
  function keepWatch(): void {
    const [before, first] = [answers, jobs[0]]
    watch = setTimeout(() => {
      watch = undefined
      if (jobs.length === 0) return
      if (answers === before && jobs[0] === first) leave()
      else keepWatch()
    }, deadlineMs).unref()
  }

  return {
    get open() {
      return jobs.length
    },
    isReady() {
      if (!worker && !isPaused && !isClosed && left.size < MOST_LEFT) begin()
      return isStarted && !isClosed
    },
    give(job) {
      jobs.push(job)
      worker?.postMessage({ kind: 'ask', question: job.question } satisfies ToReader)
      if (!watch) keepWatch()
    },
    async close() {
      isClosed = true
      clearTimeout(watch)
      clearTimeout(pause)
      const ending = worker
      worker = undefined
      ending?.postMessage({ kind: 'close' } satisfies ToReader)
      await Promise.all([...left, ...(ending ? [ending] : [])].map((one) => ended(one, deadlineMs)))
    },
  }
}

/** Resolves when the thread has ended; after `deadlineMs` it is ended by force. */
async function ended(worker: Worker, deadlineMs: number): Promise<void> {
  worker.ref()
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  const force = setTimeout(() => void worker.terminate(), deadlineMs)
  await exit
  clearTimeout(force)
}
