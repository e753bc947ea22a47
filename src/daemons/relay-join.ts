// `relay join`: the database of a front end made from a copy of another one's; what happened since comes from the log.
import { existsSync, rmSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RelayConfig } from '../config/index.js'
import {
  beginLogWith,
  claimEvents,
  copyWhileUsed,
  examineCopy,
  type LogCopy,
  lookAtRelayLog,
  type RelayLogView,
  readLogCopy,
} from '../storage/index.js'
import { syncDirectory, systemClock, systemRandom } from '../system/index.js'
import { databaseNotSet, relayCopyUnfit, relayHasEvents, relayListsMissing } from './errors.js'
import { LISTS_FILE } from './parts/relay/lists.js'
import { RELAY_WATERMARK } from './parts/relay/shared-log.js'

export interface JoinOrder {
  /** A copy of relay.db; may be in use. */
  readonly from: string
  /** Undefined: relay-lists.json beside the copy; null: the other front ends have none. */
  readonly lists: string | null | undefined
  /** An existing relay.db is lost. */
  readonly replaces: boolean
  /** Called before anything changes when an existing database is lost; rejects to stop. */
  agree(path: string): Promise<void>
}

/** The `--json` document of `relay join`. */
export interface JoinView {
  readonly database: string
  /** "follows": from the position of the copy on. "begins": the log is new and goes on from this copy. */
  readonly outcome: 'follows' | 'begins'
  /** The last entry that is applied in the copy. */
  readonly position: number
  /** Entries that the relay will read when it starts. */
  readonly behind: number
}

/** Throws RELAY_COPY_UNFIT, RELAY_HAS_EVENTS, RELAY_LISTS_MISSING, DATABASE_IN_USE, DATABASE_URL_NOT_SET, and what reading a database throws. */
export async function joinLog(config: RelayConfig, order: JoinOrder): Promise<JoinView> {
  const { dbPath: path, log: place } = config
  if (!place) throw databaseNotSet('RELAY_LOG_URL')
  const isThere = existsSync(path)
  if (isThere && !order.replaces) throw relayHasEvents(path)
  const lists = listsOf(order)
  const log = await lookAtRelayLog({ place, clock: systemClock, random: systemRandom })
  if (isThere) await order.agree(path)
  const claim = isThere ? await claimEvents(path, systemClock.now()) : undefined
  const draft = `${path}.joining`
  try {
    await rm(draft, { force: true })
    await copyWhileUsed(order.from, 'events', draft)
    await requireWhole(draft, order.from)
    const copy = await readLogCopy(draft)
    const outcome = fitOf(copy, log, order.from)
    if (outcome === 'begins') await beginLogWith(draft, systemRandom.uuid())
    await install({ draft, path, lists })
    const position = outcome === 'begins' ? 0 : copy.pos
    return { database: path, outcome, position, behind: log.head - position }
  } finally {
    rmSync(draft, { force: true })
    claim?.release()
  }
}

function listsOf({ from, lists }: JoinOrder): string | undefined {
  const path = lists === undefined ? join(dirname(from), LISTS_FILE) : lists
  if (path === null) return undefined
  if (!existsSync(path)) throw relayListsMissing(path)
  return path
}

async function requireWhole(draft: string, from: string): Promise<void> {
  const { damage } = await examineCopy(draft, 'events')
  if (damage.length > 0) throw relayCopyUnfit(from, `it is damaged: ${damage.join('; ')}`)
}

/** Throws RELAY_COPY_UNFIT. */
function fitOf({ pos, log: itsLog }: LogCopy, log: RelayLogView, from: string): JoinView['outcome'] {
  if (!log.isFounded) return 'begins'
  if (itsLog !== log.id)
    throw relayCopyUnfit(from, itsLog === undefined ? 'it follows no log' : 'it follows another log')
  const { head, oldest = head + 1 } = log
  if (pos > head) throw relayCopyUnfit(from, `it is at position ${pos}, and the log has lost what follows ${head}`)
  if (pos < oldest - 1) throw relayCopyUnfit(from, `it is at position ${pos}, and the log begins at ${oldest}`)
  return 'follows'
}

interface Installation {
  readonly draft: string
  readonly path: string
  readonly lists: string | undefined
}

/** What an old database left beside it does not belong to the new one. The database comes last: a start before finds the old one, or none. */
async function install({ draft, path, lists }: Installation): Promise<void> {
  const folder = dirname(path)
  const listsPath = join(folder, LISTS_FILE)
  if (lists !== undefined && lists !== listsPath) await copyFile(lists, listsPath)
  for (const name of [`${path}-wal`, `${path}-shm`, join(folder, RELAY_WATERMARK)]) await rm(name, { force: true })
  await rename(draft, path)
  await syncDirectory(folder)
}
