// Waiting for the disk: a commit is in the write-ahead log, and the log is synced for everybody who waits at that moment.
import { type FileHandle, open } from 'node:fs/promises'

export interface LogSync {
  /** Resolves when everything that was committed before this call is on the disk. Rejects with what the disk says. */
  synced(): Promise<void>
  close(): Promise<void>
}

/** Of a database that is open in WAL mode. */
export function createLogSync(path: string): LogSync {
  let handle: Promise<FileHandle> | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function sync(): Promise<void> {
    handle ??= open(`${path}-wal`, 'r+')
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
      // One that has begun may have missed the last commit.
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
