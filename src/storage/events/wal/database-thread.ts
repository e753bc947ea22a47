// Asking the merging thread, one thing at a time.
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../lib/start-worker.js'
import { databaseWriteFailed } from '../../errors.js'
import type { EventStats } from '../stats.js'

export type ToDatabaseThread =
  | { readonly kind: 'merge'; readonly path: string }
  | { readonly kind: 'copy'; readonly path: string; readonly target: string }
  | { readonly kind: 'count' | 'close'; readonly path: string }

export type FromDatabaseThread =
  /** `ripe`: the log is long, and so little of it is left to merge that it may be finished. */
  | { readonly kind: 'merged'; readonly ripe: boolean }
  | { readonly kind: 'copied' | 'closed' }
  | { readonly kind: 'counted'; readonly stats: EventStats }
  | { readonly kind: 'failed'; readonly problem: string }

export interface DatabaseThread {
  /** Rejects with DATABASE_WRITE_FAILED, also when the thread died; the next question starts another one. */
  ask(message: ToDatabaseThread): Promise<FromDatabaseThread>
  /** Ends the thread, after what it is doing. */
  close(): Promise<void>
}

/** A thread that starts with the first question, and does not keep the process alive. */
export function createDatabaseThread(path: string): DatabaseThread {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  function ask(message: ToDatabaseThread): Promise<FromDatabaseThread> {
    const mine = last.then(() => answerOf(seated(), message))
    last = mine.catch(() => {})
    return mine
  }

  function seated(): Worker {
    if (worker) return worker
    const fresh = startWorker(import.meta.url, 'database')
    fresh.unref()
    fresh.on('error', () => {})
    fresh.once('exit', () => {
      if (worker === fresh) worker = undefined
    })
    worker = fresh
    return fresh
  }

  return {
    ask,
    async close() {
      await last
      if (!worker) return
      await ask({ kind: 'close', path }).catch(() => {})
      await worker?.terminate()
    },
  }
}

function answerOf(worker: Worker, message: ToDatabaseThread): Promise<FromDatabaseThread> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', onMessage).off('exit', onExit).unref()
      settle()
    }
    const onMessage = (answer: FromDatabaseThread) =>
      end(() => (answer.kind === 'failed' ? reject(databaseWriteFailed(answer.problem)) : resolve(answer)))
    const onExit = () => end(() => reject(databaseWriteFailed('the merging thread ended')))
    worker.on('message', onMessage).once('exit', onExit)
    // A question that somebody waits for keeps the process alive; merging does not.
    if (message.kind !== 'merge') worker.ref()
    worker.postMessage(message)
  })
}
