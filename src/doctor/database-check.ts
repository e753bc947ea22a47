// The database of a daemon: whether it is there, what the daemon's own look into it finds, and the disk below it.
import { existsSync } from 'node:fs'
import type { CheckContext, DoctorCheck } from './check.js'
import { diskFindings, type RoomOf } from './disk.js'
import { type Finding, warn } from './finding.js'

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
  applies: () => true,
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
