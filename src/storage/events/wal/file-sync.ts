// Waiting for the disk without holding up the event loop: a file is synced once for everybody who waits at that moment.
import { type FileHandle, open } from 'node:fs/promises'

export interface FileSync {
  /** Resolves when everything that was written to the file before this call is on the disk. Rejects with what the disk says. */
  synced(): Promise<void>
  /** Where the file is an SQLite database: only after all its connections in this process, whose locks would be gone otherwise. */
  close(): Promise<void>
}

/** Of a file that is there when it is first asked for. */
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
      // One that has begun may have missed what was written last.
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
