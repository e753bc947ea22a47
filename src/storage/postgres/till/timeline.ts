// Another primary, another history: after a promotion, or on a server that was restored elsewhere, keys go on behind a margin, and no slate of before
// is signed. Asked on every new connection before it is used, so it is done once, by the instance that sees it first.
import { integerCell, textCell } from '../../sqlite/columns.js'
import type { Row } from '../../sqlite/sqlite.js'
import type { KeysAsOf } from '../../till/keys.js'
import { CLOSE_EVERY_SLATE, HIDE_EVERY_SLATE } from '../../till/slate-sql.js'
import { CommitUnknown, type Queries } from '../change.js'
import type { Connection } from '../driver.js'

/** The timeline of the log that is being written: a checkpoint may not have noted it yet. */
const HERE = `SELECT (SELECT system_identifier::text FROM pg_control_system()),
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`
const KNOWN = 'SELECT system, timeline FROM wallet WHERE id = 1'
const KEYS = `SELECT next_key_index, coalesce((SELECT checked_at FROM meta), 0), system, timeline FROM wallet WHERE id = 1
  FOR UPDATE`
const NOTE = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?), system = ?, timeline = ? WHERE id = 1'

/** Where keys go on, given how far they are known to have come. */
export type ChooseKeyIndex = (known: KeysAsOf) => number

/** Answers true when the history was another one: slates are closed and the counter is raised. */
export async function followTimeline(connection: Connection, choose: ChooseKeyIndex): Promise<boolean> {
  const here = historyOf((await connection.get(HERE)) ?? [])
  if (isSame(here, historyOf((await connection.get(KNOWN)) ?? []))) return false
  await connection.script('BEGIN')
  try {
    const [next = null, at = null, ...history] = (await connection.get(KEYS)) ?? []
    const known = historyOf(history)
    const keys = { next: integerCell.read(next), at: integerCell.read(at) }
    // Another instance may have been first; a new schema has no history.
    const isOther = known.system !== '' && !isSame(here, known)
    if (isOther) await closeEverySlate(connection)
    await connection.run(NOTE, [isOther ? choose(keys) : keys.next, here.system, here.timeline])
    await connection.script('COMMIT')
    if (!connection.isSound) throw new CommitUnknown()
    return isOther
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

export async function closeEverySlate(db: Queries): Promise<void> {
  await db.run(HIDE_EVERY_SLATE)
  await db.run(CLOSE_EVERY_SLATE)
}

interface History {
  readonly system: string
  readonly timeline: number
}

const historyOf = ([system = null, timeline = null]: Row): History => ({
  system: textCell.read(system),
  timeline: integerCell.read(timeline),
})

const isSame = (a: History, b: History): boolean => a.system === b.system && a.timeline === b.timeline
