// A lock across processes for changes of a small file: the process that creates the lock file beside it holds the lock.
import { rm, stat } from 'node:fs/promises'
import { hasCode } from '../lib/errors.js'
import type { SystemClock } from './clock.js'
import { fileLocked } from './errors.js'
import { createFile } from './files.js'

const RETRY_MS = 25
const PATIENCE_MS = 5000
/** A change takes milliseconds: a lock so old was left by a process that was killed. */
const STALE_MS = 10_000

/** Throws FILE_LOCKED when its turn does not come. `work` should take milliseconds. */
export const createWhileLocked =
  (clock: SystemClock) =>
  async <R>(path: string, work: () => Promise<R>): Promise<R> => {
    const lock = `${path}.lock`
    const until = clock.now() + PATIENCE_MS
    while (!(await take(lock))) {
      if (await isStale(lock, clock)) await rm(lock, { force: true })
      else if (clock.now() >= until) throw fileLocked(path)
      else await clock.sleep(RETRY_MS)
    }
    try {
      return await work()
    } finally {
      await rm(lock, { force: true })
    }
  }

async function take(lock: string): Promise<boolean> {
  try {
    await createFile(lock, '', 0o600)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(lock: string, clock: SystemClock): Promise<boolean> {
  try {
    return clock.now() - (await stat(lock)).mtimeMs > STALE_MS
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false // it was just given back
    throw error
  }
}
