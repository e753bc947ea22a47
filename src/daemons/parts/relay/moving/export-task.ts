// Exports stored events to a file, in a thread of its own: from one snapshot, as `relay export` does.
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../../../lib/errors.js'
import type { Filter } from '../../../../nostr/filter/index.js'
import { oldestLines } from '../../../../relay/index.js'
import { type EventReader, type EventStats, openEventReader } from '../../../../storage/index.js'
import { diskSpace, syncDirectory, systemClock } from '../../../../system/index.js'
import { moveRoomMissing, moveUnwritable } from '../../../errors.js'
import { type ExportTask, type MoveContext, partOf } from './messages.js'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** Written between two syncs: one sync of everything at the end would hold up those of the relay. */
const SYNC_BYTES = 16 * 2 ** 20
/** How often an unfinished file is marked as alive: see STALE_MS of event-files.ts. */
const ALIVE_MS = 5000

/** Throws DATABASE_MISSING and the like, CONSOLE_MOVE_ROOM, CONSOLE_MOVE_UNWRITABLE. The unfinished file is removed then, and when it is stopped. */
export async function exportTo(task: ExportTask, context: MoveContext): Promise<void> {
  const { dbPath, filter } = task
  const reader = await openEventReader({ path: dbPath, clock: systemClock })
  try {
    const stats = await reader.stats()
    const totalEvents = await totalOf(reader, stats, filter, context.signal)
    await requireRoom(dirname(task.path), stats, totalEvents)
    await writing(task.path, async (file) => {
      context.begun({ totalEvents, totalBytes: null })
      await writeLines(file, linesOf(reader, stats, filter), context)
      return !context.signal.aborted
    })
  } finally {
    await reader.close()
  }
}

function linesOf({ find }: EventReader, { oldest, newest }: EventStats, filter: Filter) {
  return oldest === undefined || newest === undefined ? [] : oldestLines(find, filter, { oldest, newest })
}

/** Expired events are counted here and not exported. */
async function totalOf(reader: EventReader, stats: EventStats, filter: Filter, signal: AbortSignal): Promise<number> {
  const { kinds, since, until } = filter
  if (since === undefined && until === undefined)
    return stats.kinds.reduce((sum, { kind, events }) => sum + (!kinds || kinds.includes(kind) ? events : 0), 0)
  const work = reader.count([filter], Number.MAX_SAFE_INTEGER)
  for (;;) {
    const counted = work.step()
    if (counted) return counted.count
    await setImmediate()
    signal.throwIfAborted()
  }
}

/** The database holds the texts, and indexes beside them: its share of these events is more than their file takes. */
async function requireRoom(folder: string, stats: EventStats, events: number): Promise<void> {
  const needed = stats.events === 0 ? 0 : Math.ceil((stats.bytes / stats.events) * events)
  const { free } = await diskSpace(folder)
  if (free < needed) throw moveRoomMissing(folder, needed, free)
}

/** Writes a new file under its unfinished name; `work` answers whether it is whole. Throws CONSOLE_MOVE_UNWRITABLE. */
async function writing(path: string, work: (file: FileHandle) => Promise<boolean>): Promise<void> {
  const part = partOf(path)
  const file = await open(part, NEW_FILE, 0o600).catch((thrown: unknown) => {
    throw moveUnwritable(part, messageOf(thrown))
  })
  const alive = setInterval(() => void touch(file), ALIVE_MS)
  try {
    const isWhole = await work(file)
    if (isWhole) await file.sync()
    if (isWhole) await rename(part, path)
    else await rm(part, { force: true })
    await syncDirectory(dirname(path))
  } catch (thrown) {
    await rm(part, { force: true })
    throw moveUnwritable(part, messageOf(thrown))
  } finally {
    clearInterval(alive)
    await file.close()
  }
}

async function touch(file: FileHandle): Promise<void> {
  const now = systemClock.now() / 1000
  await file.utimes(now, now).catch(() => undefined) // it was closed just now
}

async function writeLines(
  file: FileHandle,
  lines: Iterable<{ readonly bytes: Buffer; readonly events: number }>,
  { signal, progress }: MoveContext,
): Promise<void> {
  let [written, size, unsynced] = [0, 0, 0]
  for (const { bytes, events } of lines) {
    if (signal.aborted) return
    await file.appendFile(bytes)
    written += events
    size += bytes.length
    unsynced += bytes.length
    progress({ events: written, bytes: size })
    if (unsynced < SYNC_BYTES) continue
    await file.datasync()
    unsynced = 0
  }
}
