// Exports stored events as JSON lines, from one snapshot; the relay may run meanwhile.
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { messageOf } from '../lib/errors.js'
import type { Filter } from '../nostr/filter/index.js'
import { type Lines, newestLines, oldestLines } from '../relay/index.js'
import { type EventReader, openEventReader } from '../storage/index.js'
import { systemClock } from '../system/index.js'
import { eventsFileUnwritable, filterInvalid } from './errors.js'

export interface ExportOrder {
  readonly filter: Filter
  /** Newest first. */
  readonly reverse: boolean
  /** A new file, mode 0600; undefined: standard output. */
  readonly file: string | undefined
}

/** Returns the number of exported events. Throws DATABASE_MISSING and the like, EVENTS_FILE_UNWRITABLE, FILTER_INVALID. */
export async function exportEvents(dbPath: string, order: ExportOrder): Promise<number> {
  if (order.filter.limit !== undefined && !order.reverse)
    throw filterInvalid('limit is of the newest events, and goes with --reverse')
  const reader = await openEventReader({ path: dbPath, clock: systemClock })
  try {
    const lines = await linesFrom(reader, order)
    return order.file === undefined ? await writeAll(lines, toStdout) : await writeFile(lines, order.file)
  } finally {
    await reader.close()
  }
}

async function linesFrom(reader: EventReader, { filter, reverse }: ExportOrder): Promise<Iterable<Lines>> {
  if (reverse) return newestLines(reader.find, filter)
  const { oldest, newest } = await reader.stats()
  return oldest === undefined || newest === undefined ? [] : oldestLines(reader.find, filter, { oldest, newest })
}

/** Resolves with false when the reader is gone. */
type Write = (bytes: Buffer) => Promise<boolean>

async function writeAll(lines: Iterable<Lines>, write: Write): Promise<number> {
  let written = 0
  for (const { bytes, events } of lines) {
    if (!(await write(bytes))) break
    written += events
  }
  return written
}

/** A reader that stops early, as `head` does, ends the export without an error. */
async function toStdout(bytes: Buffer): Promise<boolean> {
  const { stdout } = process
  const gone = new AbortController()
  const leave = () => gone.abort()
  stdout.once('error', leave)
  try {
    if (!stdout.write(bytes)) await once(stdout, 'drain', { signal: gone.signal })
    return !gone.signal.aborted && stdout.writable
  } catch {
    return false
  } finally {
    stdout.off('error', leave)
  }
}

async function writeFile(lines: Iterable<Lines>, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((thrown: unknown) => {
    throw eventsFileUnwritable(path, messageOf(thrown))
  })
  try {
    const written = await writeAll(lines, async (bytes) => {
      await file.appendFile(bytes)
      return true
    })
    await file.sync()
    return written
  } catch (thrown) {
    await rm(path, { force: true })
    throw eventsFileUnwritable(path, messageOf(thrown))
  } finally {
    await file.close()
  }
}
