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

/** Starts when it is first needed. It does not keep the process alive. */
export function createReaderThread({ start, deadlineMs, pauseMs, lost }: ReaderThreadParts): ReaderThread {
  let worker: Worker | undefined
  let isStarted = false
  let isClosed = false
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
    fresh.on('error', () => {}).once('exit', () => worker === fresh && replace())
    fresh.unref()
  }

  function onMessage(message: FromReader): void {
    if (message.kind === 'ready') {
      isStarted = true
      return
    }
    answers++
    jobs.shift()?.answered(message)
  }

  /** The next question starts another thread; a thread that answered nothing may be started again only after a pause. */
  function replace(): void {
    const old = worker
    worker = undefined
    isStarted = false
    clearTimeout(watch)
    watch = undefined
    void old?.terminate()
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
      if (answers === before && jobs[0] === first) replace()
      else keepWatch()
    }, deadlineMs).unref()
  }

  return {
    get open() {
      return jobs.length
    },
    isReady() {
      if (!worker && !isPaused && !isClosed) begin()
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
      if (!ending) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.ref()
      ending.postMessage({ kind: 'close' } satisfies ToReader)
      const force = setTimeout(() => void ending.terminate(), deadlineMs)
      await ended
      clearTimeout(force)
    },
  }
}
