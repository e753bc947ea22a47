// Queries on the database: every method is one statement with one answer.
import { parseJson } from '../../../lib/parse-json.js'
import type { Sqlite, SqlValue } from '../../sqlite/sqlite.js'
import { integerList } from './integer-list.js'
import type { QueryPlan } from './plan.js'
import * as sql from './query-sql.js'

/** A range of rows of a plan. */
export interface Range {
  readonly plan: QueryPlan
  /** Replaces the plan's kinds when those are absent. */
  readonly kinds: readonly number[] | undefined
  /** Places, both included. */
  readonly newest: number
  readonly oldest: number
  readonly count: number
  /** Rows of later events are skipped, because the stage has them. */
  readonly indexed: number
}

/** Texts with line breaks. */
export interface TextPage {
  /** Undefined: no texts. */
  readonly bytes: Buffer | undefined
  /** Rows visited. */
  readonly rows: number
  /** Place of the last row; meaningless without rows. */
  readonly last: number
}

export interface Disk {
  texts(range: Range, now: number): TextPage
  /** Alternating places and numbers; at the newest place only numbers below `cut`. */
  locate(range: Range, cut: number): readonly number[]
  /** Number of rows, up to the range's count; at the newest place only numbers below `cut`. */
  count(range: Range, cut: number): number
  /** Number of these rows that exist in the plan's table. */
  countRows(by: QueryPlan['by'], rows: readonly (readonly number[])[]): number
  /** Place and number of the row after the first `count`; undefined at the end. For a single range. */
  after(range: Range, cut: number): readonly [place: number, seq: number] | undefined
  /** Texts of expired events not deleted yet; undefined beyond `count` events or `bytes`. */
  expired(count: number, bytes: number, now: number): Buffer | undefined
  textsOf(seqs: readonly number[], now: number): Buffer | undefined
  textsById(prefixes: readonly number[], indexed: number, now: number): Buffer | undefined
  headsById(prefixes: readonly number[], indexed: number, now: number): Buffer | undefined
  /** The kinds of events under a plan's first values; undefined when listing takes more than `steps`. */
  kindsOf(plan: QueryPlan, steps: number): readonly number[] | undefined
}

const EMPTY = Buffer.alloc(0)

export function createDisk(db: Sqlite): Disk {
  const bytesOf = (statement: string, values: readonly SqlValue[]): Buffer | undefined =>
    asBuffer(db.get(statement, values)?.[0])

  return {
    texts(range, now) {
      const row = db.get(statementFor(sql.PAGE, range), valuesOf(range, now))
      return { bytes: asBuffer(row?.[0]), rows: Number(row?.[1]), last: Number(row?.[2]) }
    },
    locate: (range, cut) => numbersIn(db.get(statementFor(sql.LOCATE, range), valuesOf(range, cut))?.[0]),
    count: (range, cut) => Number(db.get(statementFor(sql.COUNT, range), valuesOf(range, cut))?.[0]),
    countRows(by, rows) {
      if (rows.length === 0 || by === 'id') return 0
      return Number(db.get(sql.PRESENT[by], [`[${rows.map(integerList).join()}]`])?.[0])
    },
    after(range, cut) {
      const row = db.get(statementFor(sql.AFTER, range), valuesOf(range, cut))
      return row && [Number(row[0]), Number(row[1])]
    },
    expired(count, most, now) {
      const values = [BigInt(now), BigInt(count)]
      const [rows = 0, bytes = 0] = (db.get(sql.EXPIRED_SIZE, values) ?? []).map(Number)
      return rows < count && bytes <= most ? (bytesOf(sql.EXPIRED, values) ?? EMPTY) : undefined
    },
    textsOf: (seqs, now) => bytesOf(sql.TEXTS, [integerList(seqs), BigInt(now)]),
    textsById(prefixes, indexed, now) {
      const [only = 0] = prefixes
      return prefixes.length === 1
        ? bytesOf(sql.TEXT_BY_ID, [BigInt(only), BigInt(indexed), BigInt(now)])
        : bytesOf(sql.TEXTS_BY_ID, [integerList(prefixes), BigInt(indexed), BigInt(now)])
    },
    headsById: (prefixes, indexed, now) =>
      bytesOf(sql.HEADS_BY_ID, [integerList(prefixes), BigInt(indexed), BigInt(now)]),
    kindsOf({ by, first }, steps) {
      if (by !== 'tag' && by !== 'author') return undefined
      const row = db.get(sql.KINDS_SQL[by], [integerList(first), BigInt(steps)])
      return Number(row?.[1]) < steps ? numbersIn(row?.[0]) : undefined
    },
  }
}

type Shape = (table: Exclude<QueryPlan['by'], 'id'>, first: number, kinds: number) => string

function statementFor(shape: Shape, { plan, kinds }: Range): string {
  const { by, first } = plan
  return shape(by === 'id' ? 'time' : by, first.length, kinds?.length ?? 0)
}

/** Bound as BigInt: the library binds numbers as doubles, which is slower. */
function valuesOf({ plan, kinds, newest, oldest, count, indexed }: Range, last: number): SqlValue[] {
  const values: SqlValue[] = [BigInt(newest), BigInt(oldest), BigInt(count), BigInt(indexed), BigInt(last)]
  if (plan.first.length > 0) values.push(oneOrList(plan.first))
  if (kinds === undefined || kinds.length === 0) return values
  if (sql.areSeparate(plan.first.length, kinds.length)) for (const kind of kinds) values.push(BigInt(kind))
  else values.push(oneOrList(kinds))
  return values
}

const oneOrList = (values: readonly number[]): SqlValue => {
  const [only] = values
  return only !== undefined && values.length === 1 ? BigInt(only) : integerList(values)
}

function asBuffer(value: SqlValue | undefined): Buffer | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function numbersIn(value: SqlValue | undefined): readonly number[] {
  const list = typeof value === 'string' ? parseJson(value) : undefined
  return Array.isArray(list) ? list : []
}
