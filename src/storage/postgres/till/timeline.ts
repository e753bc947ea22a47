// Another primary, another history: after a promotion, or when the rows were restored, keys go on behind a margin, and no slate of before is
// signed. Asked on every new connection before it is used, so it is done once, by the instance that sees it first.
import { keysExhausted } from '../../errors.js'
import { integerCell, textCell } from '../../sqlite/columns.js'
import type { Row } from '../../sqlite/sqlite.js'
import { type KeysAsOf, LAST_INDEX } from '../../till/keys.js'
import { closeEverySlate } from '../../till/slate-moves.js'
import { CommitUnknown, type Queries } from '../change.js'
import type { Connection } from '../driver.js'
import { runVerb } from '../run-verb.js'

/**
 * The cluster and its table, and the timeline of the log that is being written: a checkpoint may not have noted it yet. A restored table has
 * another number.
 */
const HERE = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || 'wallet'::regclass::oid,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`
const KNOWN = 'SELECT system, timeline FROM wallet WHERE id = 1'
const KEYS = `SELECT next_key_index, coalesce((SELECT checked_at FROM meta), 0), system, timeline FROM wallet WHERE id = 1
  FOR UPDATE`
const NOTE = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?), system = ?, timeline = ? WHERE id = 1'

/** What became of the rows: another node wrote on, or they came from a backup or another cluster. */
export type OtherHistory = 'promoted' | 'restored'

/** Where keys go on, given how far they are known to have come. */
export type ChooseKeyIndex = (known: KeysAsOf, history: OtherHistory) => number

/** When the history is another one, slates are closed and the counter is raised; undefined: it is the same. Throws KEYS_EXHAUSTED. */
export async function followTimeline(
  connection: Connection,
  choose: ChooseKeyIndex,
): Promise<OtherHistory | undefined> {
  const here = await historyHere(connection)
  if (isSame(here, historyOf((await connection.get(KNOWN)) ?? []))) return undefined
  await connection.script('BEGIN')
  try {
    const [next = null, at = null, ...history] = (await connection.get(KEYS)) ?? []
    const keys = { next: integerCell.read(next), at: integerCell.read(at) }
    // Another instance may have been first.
    const other = otherOf(here, historyOf(history))
    if (other) await runVerb(connection, closeEverySlate())
    await noteHistory(connection, other ? choose(keys, other) : keys.next)
    await connection.script('COMMIT')
    if (!connection.isSound) throw new CommitUnknown()
    return other
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** The rows belong here from now on, and keys go on at `next` or later. Throws KEYS_EXHAUSTED. */
export async function noteHistory(db: Queries, next: number): Promise<void> {
  if (next > LAST_INDEX) throw keysExhausted()
  const { system, timeline } = await historyHere(db)
  await db.run(NOTE, [next, system, timeline])
}

const historyHere = async (db: Queries): Promise<History> => historyOf((await db.get(HERE)) ?? [])

interface History {
  readonly system: string
  readonly timeline: number
}

const historyOf = ([system = null, timeline = null]: Row): History => ({
  system: textCell.read(system),
  timeline: integerCell.read(timeline),
})

/** A new schema has no history. */
function otherOf(here: History, known: History): OtherHistory | undefined {
  if (known.system === '' || isSame(here, known)) return undefined
  return here.system === known.system ? 'promoted' : 'restored'
}

const isSame = (a: History, b: History): boolean => a.system === b.system && a.timeline === b.timeline
