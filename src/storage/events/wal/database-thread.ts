// The database thread: runs checkpoints, copies and counts off the event loop, one at a time.

import { type FileHandle, open } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../lib/start-worker.js'
import { databaseWriteFailed } from '../../errors.js'
import type { EventStats } from '../stats.js'

export type ToDatabaseThread =
  | { readonly kind: 'merge'; readonly path: string }
  | { readonly kind: 'copy'; readonly path: string; readonly target: string }
  | { readonly kind: 'count' | 'close'; readonly path: string }

export type FromDatabaseThread =
  /** `ripe`: the WAL is long, and so little remains that the writer may finish the checkpoint. */
  | { readonly kind: 'merged'; readonly ripe: boolean }
  | { readonly kind: 'copied' | 'closed' }
  | { readonly kind: 'counted'; readonly stats: EventStats }
  | { readonly kind: 'failed'; readonly problem: string }

export interface DatabaseThread {
  /** Rejects with DATABASE_WRITE_FAILED, also when the thread died; the next request starts another. */
  ask(message: ToDatabaseThread): Promise<FromDatabaseThread>
  /** Ends the thread after its current request. */
  close(): Promise<void>
}

/** The thread starts with the first request, and does not keep the process alive. */
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
    // Awaited requests keep the process alive; checkpoints do not.
    if (message.kind !== 'merge') worker.ref()
    worker.postMessage(message)
  })
}

// Fsync without blocking the event loop: one sync serves all callers that wait at that moment.

export interface FileSync {
  /** Resolves when everything written before this call is on the disk. Rejects with the disk's error. */
  synced(): Promise<void>
  /** For an SQLite database: close it only after all connections of this process, because closing a file drops their locks. */
  close(): Promise<void>
}

/** The file must exist at the first sync. */
export function createFileSync(path: string): FileSync {
  let handle: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function sync(): Promise<void> {
    handle ??= open(path, 'r+')
    await (await handle).datasync()
  }

  function start(): Promise<void> {
    next = undefined
    const mine = sync().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }

  return {
    synced() {
      // A sync in progress may miss the last writes.
      if (running) next ??= running.then(start, start)
      return next ?? start()
    },
    async close() {
      await next?.catch(() => {})
      await running?.catch(() => {})
      await (await handle)?.close()
    },
  }
}
