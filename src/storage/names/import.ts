// Takes over the rows of another name authority: all of them in one transaction, or none.
import { setImmediate as turn } from 'node:timers/promises'
import type { NameShape } from '../../authority/index.js'
import { PAGE, rowMarks } from '../carry.js'
import { sql, textOf } from '../dialect.js'
import type { ColumnType } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import { runVerb } from '../sqlite/run-verb.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'
import { all, get, run, type Verb } from '../verbs.js'
import { IMPORT_RULES, STAGE_INDEXES } from './import-rules.js'
import type { SourceRow } from './legacy-import.js'
import { findRival } from './lookups.js'
import { cellsOf, type NameRow, PLACES, ROW_KINDS, type RowKind } from './row-kinds.js'

/** More conflicts than this are not listed. */
const MAX_CONFLICTS = 1000

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

export type ImportRows = AsyncIterable<SourceRow> | Iterable<SourceRow>

export interface ImportVerb {
  /**
   * One transaction. Repeating it changes nothing, and what was released, spent or taken away here since stays so. Names that look
   * alike are accepted. Other writers wait while the transaction runs, and so does this process: seconds per hundred thousand rows.
   */
  importNames(rows: ImportRows, change: ImportChange): Promise<ImportOutcome>
}

/** The verb on one connection to a file; `write` runs what changes the database. One import waits for the other. */
export function importVerb(db: Sqlite, write: Write): ImportVerb {
  let last: Promise<unknown> = Promise.resolve()

  async function importNow(rows: ImportRows, change: ImportChange): Promise<ImportOutcome> {
    await write(() => runVerb(db, createStage()))
    try {
      const conflicts = await stageRows((verb) => runVerb(db, verb), rows, change)
      if (conflicts.length > 0) return { outcome: 'conflicts', conflicts }
      return await write(() => {
        const answer = runVerb(db, applyImport(change))
        if (change.isDryRun) throw new Rehearsed(answer)
        return answer
      }).catch(answerOfRehearsal)
    } finally {
      await write(() => runVerb(db, dropStage()))
    }
  }

  return {
    importNames(rows, change) {
      const answer = last.then(() => importNow(rows, change))
      last = answer.catch(() => undefined)
      return answer
    },
  }
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

const stageOf = (kind: RowKind): string => `in_${PLACES[kind].table}`

/** How PostgreSQL calls it; a file keeps what it is given. */
const typeOf = (type: ColumnType): string =>
  ({ text: 'text COLLATE "C"', integer: 'bigint', u64: 'numeric(20)', bytes: 'bytea' })[
    type.replace('?', '') as 'text' | 'integer' | 'u64' | 'bytes'
  ]

/** The columns of the real table, but with the number that it has there, where it came from, and its place among the staged rows. */
function columnsOf(kind: RowKind): readonly (readonly [name: string, type: ColumnType])[] {
  const { row, columns } = PLACES[kind]
  const skeleton: readonly [string, ColumnType][] = 'skeleton' in columns ? [['skeleton', 'text']] : []
  const own = Object.entries(row.types).map(([name, type]) => [name === 'seq' ? 'seq_there' : name, type] as const)
  return [...own, ...skeleton, ['place', 'text'], ['nr', 'integer']]
}

/** Temporary tables with the columns of the real ones: of this connection alone, and gone with the transaction in PostgreSQL. */
export function* createStage(): Verb<void> {
  yield* dropStage()
  for (const kind of ROW_KINDS) {
    yield* run(
      sql(({ either }) => {
        const columns = columnsOf(kind).map(([name, type]) => either(name, `${name} ${typeOf(type)}`))
        return `CREATE TEMP TABLE ${stageOf(kind)} (${columns.join(', ')}) ${either('', 'ON COMMIT DROP')}`
      }),
    )
    for (const [i, index] of (STAGE_INDEXES[kind] ?? []).entries())
      yield* run(
        sql(({ either }) => `CREATE INDEX ${either('temp.', '')}${stageOf(kind)}_${i} ON ${stageOf(kind)} (${index})`),
      )
  }
}

function* dropStage(): Verb<void> {
  for (const kind of ROW_KINDS)
    yield* run(sql(({ either }) => either(`DROP TABLE IF EXISTS temp.${stageOf(kind)}`, '')))
}

/** Puts the rows into the temporary tables, page by page; answers what is wrong with them, by themselves. */
export async function stageRows(
  runNow: (verb: Verb<void>) => void | Promise<void>,
  rows: ImportRows,
  change: ImportChange,
): Promise<readonly ImportConflict[]> {
  const conflicts: ImportConflict[] = []
  let [page, nr]: [StagedRow[], number] = [[], 0]
  async function flush(): Promise<void> {
    await runNow(insertPage(page))
    page = []
    // The library of a file frees its memory only when the event loop turns.
    await turn()
  }
  for await (const { place, row } of rows) {
    const problem = typeof row === 'string' ? row : problemOf(row, change)
    if (problem !== undefined) conflicts.push({ place, what: problem })
    else if (typeof row !== 'string') page.push({ kind: row.kind, cells: stagedCells(row, change, [place, nr++]) })
    if (conflicts.length >= MAX_CONFLICTS) break
    if (page.length === PAGE) await flush()
  }
  await flush()
  return conflicts
}

interface StagedRow {
  readonly kind: RowKind
  readonly cells: Row
}

function problemOf({ kind, value }: NameRow, { isName }: ImportChange): string | undefined {
  if (kind !== 'name' && kind !== 'reserved') return undefined
  return isName(value.name) ? undefined : `not a name: "${value.name.slice(0, 40)}"`
}

function stagedCells(row: NameRow, { shapeOf }: ImportChange, ends: Row): Row {
  const skeleton = row.kind === 'name' || row.kind === 'reserved' ? [shapeOf(row.value.name).skeleton] : []
  return [...cellsOf(row), ...skeleton, ...ends]
}

function* insertPage(page: readonly StagedRow[]): Verb<void> {
  for (const kind of ROW_KINDS) {
    const rows = page.filter((row) => row.kind === kind).map(({ cells }) => cells)
    const marks = columnsOf(kind).map(() => '?')
    if (rows.length > 0) yield* run(`INSERT INTO ${stageOf(kind)} VALUES ${rowMarks(rows.length, marks)}`, rows.flat())
  }
}

/** The rules over the staged rows, within one transaction. It changes nothing when there are conflicts. */
export function* applyImport(change: ImportChange): Verb<ImportOutcome> {
  // PostgreSQL knows nothing of a temporary table before it is told to look.
  for (const kind of ROW_KINDS) yield* run(sql(({ either }) => either('', `ANALYZE ${stageOf(kind)}`)))
  const conflicts: ImportConflict[] = []
  for (const kind of ROW_KINDS) conflicts.push(...(yield* conflictsOf(kind)))
  if (conflicts.length > 0) return { outcome: 'conflicts', conflicts: conflicts.slice(0, MAX_CONFLICTS) }
  const given = yield* countStaged()
  for (const kind of ROW_KINDS) for (const known of IMPORT_RULES[kind].known) yield* run(known)
  const added = yield* countStaged()
  for (const kind of ROW_KINDS)
    for (const add of IMPORT_RULES[kind].add)
      yield* run(add, (dialect) => (textOf(add, dialect).includes('?') ? [change.now, change.reason] : []))
  const known = Object.fromEntries(ROW_KINDS.map((kind) => [kind, given[kind] - added[kind]])) as ImportCounts
  return { outcome: 'imported', added, known, lookAlikes: yield* countLookAlikes(change.shapeOf) }
}

function* conflictsOf(kind: RowKind): Verb<readonly ImportConflict[]> {
  const conflicts: ImportConflict[] = []
  for (const refusal of IMPORT_RULES[kind].refusals)
    for (const [place, subject, why] of yield* all((dialect) => `${textOf(refusal, dialect)} LIMIT ${MAX_CONFLICTS}`))
      conflicts.push({ place: String(place), what: `${subject} ${why}` })
  return conflicts
}

function* countStaged(): Verb<ImportCounts> {
  const counts: Partial<Record<RowKind, number>> = {}
  for (const kind of ROW_KINDS) counts[kind] = Number((yield* get(`SELECT count(*) FROM ${stageOf(kind)}`))?.[0] ?? 0)
  return counts as ImportCounts
}

/** Only skeletons that several active names share are looked at one by one. */
const CROWDED = sql(
  ({ by, hex }) => `SELECT a.name, ${hex('a.pubkey')} FROM in_name a
  WHERE a.released_at IS NULL AND EXISTS (
    SELECT 1 FROM name n ${by('name_skeleton')}
    WHERE n.skeleton = a.skeleton AND n.released_at IS NULL AND n.name <> a.name)`,
)

function* countLookAlikes(shapeOf: (name: string) => NameShape): Verb<number> {
  let lookAlikes = 0
  for (const [name, pubkey] of yield* all(CROWDED))
    if ((yield* findRival(shapeOf(String(name)), String(pubkey))) !== undefined) lookAlikes += 1
  return lookAlikes
}
