// Fsync without blocking the event loop: one sync serves all callers that wait at that moment.
import { type FileHandle, open } from 'node:fs/promises'

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
