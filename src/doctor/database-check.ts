// The database of a daemon: whether it is there, what the daemon's own look into it finds, and the disk below it.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { reservedBytes } from '../storage/index.js'
import type { CheckContext, DoctorCheck, RoomOf } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

export const MORE_ROOM = 'make room: du -xh / | sort -h | tail shows what takes it; or a larger disk'

interface DatabaseCheckOptions<C> {
  readonly limitMs: number
  /** The command of the first start, which makes the database. */
  readonly start: string
  /** What to do about a full disk. */
  readonly room: string
  /** Whether the rows are in no file of this machine. */
  readonly isElsewhere?: (context: C) => boolean
  /** What the database itself shows. */
  readonly inspect: (context: C) => Promise<readonly Finding[]>
}

type DatabaseContext = CheckContext & { readonly config: { readonly dbPath: string }; readonly roomOf: RoomOf }

export const createDatabaseCheck = <C extends DatabaseContext>(question: DatabaseCheckOptions<C>): DoctorCheck<C> => ({
  name: 'database',
  limitMs: question.limitMs,
  async run(context) {
    const { start, room, inspect, isElsewhere } = question
    if (isElsewhere?.(context)) return inspect(context)
    const { dbPath } = context.config
    const disk = await diskFindings({ path: dbPath, roomOf: context.roomOf, remedy: room })
    const findings = existsSync(dbPath)
      ? await inspect(context)
      : [warn(`there is none at ${dbPath} yet`, `the first start makes it: ${start}`)]
    return [...findings, ...disk]
  },
})

// How much room is left where a daemon writes.

const MEBIBYTE = 1024 * 1024
/** Of the disk; and so little whatever its size. */
const SCARCE = 0.1
const GONE = 0.02
const LEAST_BYTES = 64 * MEBIBYTE

interface DiskCheckOptions {
  /** Of the database. */
  readonly path: string
  readonly roomOf: RoomOf
  readonly remedy: string
}

/** None for a folder that is not there: nothing is written yet. */
export async function diskFindings({ path, roomOf, remedy }: DiskCheckOptions): Promise<readonly Finding[]> {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const { free, total } = await roomOf(folder)
  const text = `${Math.floor(free / MEBIBYTE)} MiB of ${Math.floor(total / MEBIBYTE)} MiB are free below ${folder}`
  if (free < LEAST_BYTES || free < total * GONE) return [fail(`the disk is full: ${text}${keptText(path)}`, remedy)]
  return [free < total * SCARCE ? warn(`the disk is nearly full: ${text}`, remedy) : pass(text)]
}

/** Why nothing new is stored, and whether commands that make room will find some. */
function keptText(path: string): string {
  const kept = Math.floor(reservedBytes(path) / MEBIBYTE)
  return kept > 0
    ? `, ${kept} MiB more are kept for commands that make room`
    : ', and the reserve is given back: nothing new is stored until there is room again'
}
