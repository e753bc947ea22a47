// Queries on the database: every method is one statement with one answer.

import { parseJson } from '../../../lib/parse-json.js'
import type { Sqlite, SqlValue } from '../../sqlite/sqlite.js'
import type { QueryPlan } from './plan.js'

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
      const row = db.get(statementFor(PAGE, range), valuesOf(range, now))
      return { bytes: asBuffer(row?.[0]), rows: Number(row?.[1]), last: Number(row?.[2]) }
    },
    locate: (range, cut) => numbersIn(db.get(statementFor(LOCATE, range), valuesOf(range, cut))?.[0]),
    count: (range, cut) => Number(db.get(statementFor(COUNT, range), valuesOf(range, cut))?.[0]),
    countRows(by, rows) {
      if (rows.length === 0 || by === 'id') return 0
      return Number(db.get(PRESENT[by], [`[${rows.map(integerList).join()}]`])?.[0])
    },
    after(range, cut) {
      const row = db.get(statementFor(AFTER, range), valuesOf(range, cut))
      return row && [Number(row[0]), Number(row[1])]
    },
    expired(count, most, now) {
      const values = [BigInt(now), BigInt(count)]
      const [rows = 0, bytes = 0] = (db.get(EXPIRED_SIZE, values) ?? []).map(Number)
      return rows < count && bytes <= most ? (bytesOf(EXPIRED, values) ?? EMPTY) : undefined
    },
    textsOf: (seqs, now) => bytesOf(TEXTS, [integerList(seqs), BigInt(now)]),
    textsById(prefixes, indexed, now) {
      const [only = 0] = prefixes
      return prefixes.length === 1
        ? bytesOf(TEXT_BY_ID, [BigInt(only), BigInt(indexed), BigInt(now)])
        : bytesOf(TEXTS_BY_ID, [integerList(prefixes), BigInt(indexed), BigInt(now)])
    },
    headsById: (prefixes, indexed, now) => bytesOf(HEADS_BY_ID, [integerList(prefixes), BigInt(indexed), BigInt(now)]),
    kindsOf({ by, first }, steps) {
      if (by !== 'tag' && by !== 'author') return undefined
      const row = db.get(KINDS_SQL[by], [integerList(first), BigInt(steps)])
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
  if (areSeparate(plan.first.length, kinds.length)) for (const kind of kinds) values.push(BigInt(kind))
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

// Writes lists of integers as JSON, for statements with many values.

/** A sign, sixteen digits and a comma. */
const MOST_BYTES = 18
const [COMMA, MINUS, ZERO] = [44, 45, 48]
/** Both halves of a safe integer are below 2^31, where division is fast. */
const HALF = 100_000_000

/**
 * Formats safe integers like `[1,-2,3]`. Written digit by digit: the engine caches the text of every number, which would retain a megabyte of
 * useless strings.
 */
export function integerList(values: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(values.length * MOST_BYTES + 1)
  let at = bytes.length
  for (let index = values.length - 1; index >= 0; index--) {
    bytes[--at] = COMMA
    at = writeInteger(bytes, at, values[index] ?? 0)
  }
  return `[${bytes.toString('latin1', at, Math.max(at, bytes.length - 1))}]`
}

/** Writes leftwards from `end`; returns the start. */
function writeInteger(bytes: Buffer, end: number, value: number): number {
  const size = Math.abs(value)
  const high = Math.floor(size / HALF)
  let at = writeDigits(bytes, end, size - high * HALF, high > 0 ? 8 : 1)
  if (high > 0) at = writeDigits(bytes, at, high, 1)
  if (value < 0) bytes[--at] = MINUS
  return at
}

function writeDigits(bytes: Buffer, end: number, value: number, least: number): number {
  let at = end
  for (let rest = value; rest > 0 || end - at < least; ) {
    const next = (rest / 10) | 0
    bytes[--at] = ZERO + rest - next * 10
    rest = next
  }
  return at
}

// SQL of the read side. Each statement returns one row, because SQLite aggregates faster than the library returns rows.

/** How many values a column is compared with. */
type Arity = 'one' | 'many' | 'any'
/** A number: so many kinds, each a search of its own. */
type Kinds = Arity | number
type Table = Exclude<QueryPlan['by'], 'id'>

const FIRST: Readonly<Record<Table, string | undefined>> = {
  tag: 'hash',
  author: 'author',
  kind: undefined,
  time: undefined,
}

/** Parameters of every range statement, in order; lists follow. */
const RANGE_PARAMETERS = ['newest', 'oldest', 'count', 'indexed', 'now or cut'] as const

const condition = (column: string, wish: Arity, parameter: number): string =>
  wish === 'one' ? `${column} = ?${parameter}` : `${column} IN (SELECT value FROM json_each(?${parameter}))`

/** Up to this many kinds under one value are searched apart. SQLite merges ordered searches without a list of values and without sorting. */
const MOST_SEPARATE = 4

/** Whether each kind gets a parameter and a search of its own; otherwise the kinds are one list. */
const areSeparate = (first: number, kinds: number): boolean => first <= 1 && kinds > 1 && kinds <= MOST_SEPARATE

/**
 * Rows of one table, newest first. With several ranges SQLite reads only rows that can be among the newest `count`: it leaves a range as soon as
 * its sorter is full of newer rows.
 */
function ranges(table: Table, first: Arity, kinds: Kinds, below: string, tail = ORDERED): string {
  const conditions = ['place >= ?2', below, 'seq <= ?4']
  let parameter = RANGE_PARAMETERS.length
  const column = FIRST[table]
  if (column !== undefined) conditions.push(condition(column, first, ++parameter))
  const search = (...more: readonly string[]): string =>
    `SELECT place, seq FROM by_${table} WHERE ${[...conditions, ...more].join(' AND ')}`
  if (kinds === 'any') return `${search()} ${tail}`
  if (typeof kinds !== 'number') return `${search(condition('kind', kinds, ++parameter))} ${tail}`
  const searches = Array.from({ length: kinds }, () => search(condition('kind', 'one', ++parameter)))
  return `${searches.join(' UNION ALL ')} ${tail}`
}
const ORDERED = 'ORDER BY place DESC, seq DESC LIMIT ?3'
const FROM_NEWEST = 'place <= ?1'
/** At place `newest` only rows below `cut`. This form lets the search begin there. */
const BELOW_CUT = '(place, seq) < (?1, ?5)'

const LIVE = '(e.expires IS NULL OR e.expires > ?5)'

/** Texts with line breaks, number of rows, and the last place. Rows of deleted or expired events count, but have no text. */
const pageSql = (table: Table, first: Arity, kinds: Kinds): string =>
  `SELECT CAST(group_concat(e.text, x'0a') AS BLOB), count(*), min(i.place)
   FROM (${ranges(table, first, kinds, FROM_NEWEST)}) i LEFT JOIN event e ON e.seq = i.seq AND ${LIVE}`

/** Place and number of each row, as JSON. */
const locateSql = (table: Table, first: Arity, kinds: Kinds): string =>
  `SELECT '[' || group_concat(place || ',' || seq) || ']'
   FROM (${ranges(table, first, kinds, BELOW_CUT)})`

const countSql = (table: Table, first: Arity, kinds: Kinds): string =>
  `SELECT count(*) FROM (${ranges(table, first, kinds, BELOW_CUT, 'LIMIT ?3')})`

const afterSql = (table: Table, first: Arity, kinds: Kinds): string =>
  ranges(table, first, kinds, BELOW_CUT, 'ORDER BY place DESC, seq DESC LIMIT 1 OFFSET ?3')

/** Number of listed rows that exist; each is a list of all columns. */
const presentSql = (table: Table, ...columns: readonly string[]): string => {
  const conditions = columns.map((column, at) => `t.${column} = j.value ->> ${at}`)
  return `SELECT count(*) FROM json_each(?1) j CROSS JOIN by_${table} t ON ${conditions.join(' AND ')}`
}
const PRESENT: Readonly<Record<Table, string>> = {
  time: presentSql('time', 'place', 'seq'),
  kind: presentSql('kind', 'kind', 'place', 'seq'),
  author: presentSql('author', 'author', 'kind', 'place', 'seq'),
  tag: presentSql('tag', 'hash', 'kind', 'place', 'seq'),
}

/** Caches statements by shape: by table, and by the number of values as far as it matters. */
function shapes(make: (table: Table, first: Arity, kinds: Kinds) => string) {
  const made: Record<Table, string[]> = { tag: [], author: [], kind: [], time: [] }
  return (table: Table, first: number, kinds: number): string => {
    const isSeparate = areSeparate(first, kinds)
    const place = (isSeparate ? kinds + 1 : Math.min(kinds, 2)) * 2 + (first > 1 ? 1 : 0)
    const known = made[table][place]
    if (known !== undefined) return known
    const many = kinds === 0 ? 'any' : kinds === 1 ? 'one' : 'many'
    const sql = make(table, first > 1 ? 'many' : 'one', isSeparate ? kinds : many)
    made[table][place] = sql
    return sql
  }
}

const PAGE = shapes(pageSql)
export const LOCATE = shapes(locateSql)
const COUNT = shapes(countSql)
const AFTER = shapes(afterSql)

/** Number of expired events, up to a limit, and their bytes, without reading texts. */
const EXPIRED_SIZE = `
  SELECT count(*), total(length(e.text)) FROM
  (SELECT seq FROM expiry WHERE expires <= ?1 LIMIT ?2) x JOIN event e ON e.seq = x.seq`
const EXPIRED = `
  SELECT CAST(group_concat(text, x'0a') AS BLOB) FROM
  (SELECT e.text FROM expiry x JOIN event e ON e.seq = x.seq WHERE x.expires <= ?1 LIMIT ?2)`

/** Texts by number, in the given order; an empty line stands for a deleted or expired event. */
const TEXTS = `
  SELECT CAST(group_concat(coalesce(e.text, x''), x'0a') AS BLOB)
  FROM json_each(?1) j LEFT JOIN event e ON e.seq = j.value AND (e.expires IS NULL OR e.expires > ?2)`

/** Texts by id prefixes, unordered. */
const TEXTS_BY_ID = `
  SELECT CAST(group_concat(e.text, x'0a') AS BLOB)
  FROM by_id i CROSS JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?1)) AND i.seq <= ?2 AND (e.expires IS NULL OR e.expires > ?3)`
const TEXT_BY_ID = TEXTS_BY_ID.replace('IN (SELECT value FROM json_each(?1))', '= ?1')

/** The beginnings of texts, up to the kind at least, each after its number and a blank. */
const HEADS_BY_ID = `
  SELECT CAST(group_concat(e.seq || ' ' || CAST(substr(e.text, 1, 200) AS TEXT), x'0a') AS BLOB)
  FROM by_id i CROSS JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?1)) AND i.seq <= ?2 AND (e.expires IS NULL OR e.expires > ?3)`

/** The kinds under values of the first column, as JSON; one step per kind, at most ?2. */
const kindsSql = (table: 'tag' | 'author', column: string): string => `
  WITH RECURSIVE step (first, kind) AS (
    SELECT value, (SELECT min(kind) FROM by_${table} WHERE ${column} = value) FROM json_each(?1)
    UNION ALL
    SELECT first, (SELECT min(kind) FROM by_${table} WHERE ${column} = step.first AND kind > step.kind)
    FROM step WHERE step.kind IS NOT NULL LIMIT ?2
  )
  SELECT '[' || group_concat(DISTINCT kind) || ']', count(*) FROM step`
const KINDS_SQL = { tag: kindsSql('tag', 'hash'), author: kindsSql('author', 'author') } as const
