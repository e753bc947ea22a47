// Takes over the rows of another name authority: all of them in one transaction, or none.
import { setImmediate as turn } from 'node:timers/promises'
import type { NameShape } from '../../authority/index.js'
import type { Write } from '../sqlite/group-commit.js'
import { runVerb } from '../sqlite/run-verb.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { IMPORT_RULES, STAGE_INDEXES } from './import-rules.js'
import type { SourceRow } from './legacy-import.js'
import { findRival } from './lookups.js'
import { cellsOf, type NameRow, PLACES, ROW_KINDS, type RowKind } from './row-kinds.js'

/** More conflicts than this are not listed. */
const MAX_CONFLICTS = 1000
const ROWS_PER_TURN = 1000

export interface ImportChange {
  /** For the history, e.g. the file's name. */
  readonly reason: string
  readonly now: number
  isName(name: string): boolean
  shapeOf(name: string): NameShape
  /** Nothing is changed; the answer is what it would have been. */
  readonly isDryRun?: boolean
}

/** Why one row cannot be imported. */
export interface ImportConflict {
  /** As `SourceRow` gives it. */
  readonly place: string
  readonly what: string
}

type ImportCounts = Readonly<Record<RowKind, number>>

export type ImportOutcome =
  | {
      readonly outcome: 'imported'
      readonly added: ImportCounts
      /** Rows that were here already, or that something later than them has settled here. */
      readonly known: ImportCounts
      /** Active names of this import that look like another key's name. */
      readonly lookAlikes: number
    }
  /** Nothing was changed. */
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ImportConflict[] }

export interface ImportVerb {
  /**
   * One transaction. Repeating it changes nothing, and what was released, spent or taken away here since stays so. Names that look
   * alike are accepted. Other writers wait while the transaction runs, and so does this process: seconds per hundred thousand rows.
   */
  importNames(rows: AsyncIterable<SourceRow> | Iterable<SourceRow>, change: ImportChange): Promise<ImportOutcome>
}

/** The verb on one connection; `write` runs what changes the database. One import waits for the other. */
export function importVerb(db: Sqlite, write: Write): ImportVerb {
  let last: Promise<unknown> = Promise.resolve()

  async function run(rows: Parameters<ImportVerb['importNames']>[0], change: ImportChange): Promise<ImportOutcome> {
    await write(() => createStage(db))
    try {
      const conflicts = await stage(db, rows, change)
      if (conflicts.length > 0) return { outcome: 'conflicts', conflicts }
      return await write(() => apply(db, change)).catch(answerOfRehearsal)
    } finally {
      await write(() => dropStage(db))
    }
  }

  return {
    importNames(rows, change) {
      const answer = last.then(() => run(rows, change))
      last = answer.catch(() => undefined)
      return answer
    },
  }
}

const stageOf = (kind: RowKind): string => `in_${PLACES[kind].sqlTable}`
const hasSkeleton = (kind: RowKind): boolean => kind === 'name' || kind === 'reserved'

/** Temporary tables with the columns of the real ones: of this connection alone, and not in the database file. */
function createStage(db: Sqlite): void {
  dropStage(db)
  for (const kind of ROW_KINDS) {
    const columns = [PLACES[kind].table.columns, ...(hasSkeleton(kind) ? ['skeleton'] : []), 'place']
    db.run(`CREATE TEMP TABLE ${stageOf(kind)} (${columns.join(', ').replace(/\bseq\b/, 'seq_there')})`)
    for (const [i, index] of (STAGE_INDEXES[kind] ?? []).entries())
      db.run(`CREATE INDEX temp.${stageOf(kind)}_${i} ON ${stageOf(kind)} (${index})`)
  }
}

function dropStage(db: Sqlite): void {
  for (const kind of ROW_KINDS) db.run(`DROP TABLE IF EXISTS temp.${stageOf(kind)}`)
}

/** Puts the rows into the temporary tables; answers what is wrong with them, by themselves. */
async function stage(
  db: Sqlite,
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  change: ImportChange,
): Promise<readonly ImportConflict[]> {
  const conflicts: ImportConflict[] = []
  let at = 0
  for await (const { place, row } of rows) {
    const problem = typeof row === 'string' ? row : problemOf(row, change)
    if (problem !== undefined) conflicts.push({ place, what: problem })
    else if (typeof row !== 'string') stageRow(db, place, row, change)
    if (conflicts.length >= MAX_CONFLICTS) break
    // The library frees its memory only when the event loop turns.
    if (++at % ROWS_PER_TURN === 0) await turn()
  }
  return conflicts
}

function problemOf({ kind, value }: NameRow, { isName }: ImportChange): string | undefined {
  if (kind !== 'name' && kind !== 'reserved') return undefined
  return isName(value.name) ? undefined : `not a name: "${value.name.slice(0, 40)}"`
}

function stageRow(db: Sqlite, place: string, row: NameRow, { shapeOf }: ImportChange): void {
  const { kind } = row
  const skeleton = row.kind === 'name' || row.kind === 'reserved' ? [shapeOf(row.value.name).skeleton] : []
  const values = [...cellsOf(row), ...skeleton, place]
  db.run(`INSERT INTO temp.${stageOf(kind)} VALUES (${values.map(() => '?').join(', ')})`, values)
}

/** Ends a rehearsal, so that its transaction is undone. */
class Rehearsed extends Error {
  constructor(readonly answer: ImportOutcome) {
    super('a rehearsal is never kept')
  }
}

function answerOfRehearsal(thrown: unknown): ImportOutcome {
  if (thrown instanceof Rehearsed) return thrown.answer
  throw thrown
}

function apply(db: Sqlite, change: ImportChange): ImportOutcome {
  const conflicts = ROW_KINDS.flatMap((kind) => conflictsOf(db, kind)).slice(0, MAX_CONFLICTS)
  if (conflicts.length > 0) return { outcome: 'conflicts', conflicts }
  const given = countStaged(db)
  for (const kind of ROW_KINDS) for (const sql of IMPORT_RULES[kind].known) db.run(sql)
  const added = countStaged(db)
  for (const kind of ROW_KINDS)
    for (const sql of IMPORT_RULES[kind].add) db.run(sql, sql.includes('?1') ? [change.now, change.reason] : [])
  const known = countEach((kind) => given[kind] - added[kind])
  const answer: ImportOutcome = { outcome: 'imported', added, known, lookAlikes: countLookAlikes(db, change.shapeOf) }
  if (change.isDryRun) throw new Rehearsed(answer)
  return answer
}

const conflictsOf = (db: Sqlite, kind: RowKind): readonly ImportConflict[] =>
  IMPORT_RULES[kind].refusals
    .flatMap((sql) => db.all(`${sql} LIMIT ${MAX_CONFLICTS}`))
    .map(([place, subject, why]) => ({ place: String(place), what: `${subject} ${why}` }))

const countStaged = (db: Sqlite): ImportCounts =>
  countEach((kind) => Number(db.get(`SELECT count(*) FROM temp.${stageOf(kind)}`)?.[0] ?? 0))

function countEach(count: (kind: RowKind) => number): ImportCounts {
  const counts: Partial<Record<RowKind, number>> = {}
  for (const kind of ROW_KINDS) counts[kind] = count(kind)
  return counts as ImportCounts
}

/** Only skeletons that several active names share are looked at one by one. */
const CROWDED = `SELECT a.name, lower(hex(a.pubkey)) FROM in_name a
  WHERE a.released_at IS NULL AND EXISTS (
    SELECT 1 FROM name n INDEXED BY name_skeleton
    WHERE n.skeleton = a.skeleton AND n.released_at IS NULL AND n.name <> a.name)`

function countLookAlikes(db: Sqlite, shapeOf: (name: string) => NameShape): number {
  const rivals = db.all(CROWDED)
  return rivals.filter(([name, pubkey]) => runVerb(db, findRival(shapeOf(String(name)), String(pubkey))) !== undefined)
    .length
}
