// SQL of the read side. Each statement returns one row, because SQLite aggregates faster than the library returns rows.
import type { QueryPlan } from './plan.js'

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
export const areSeparate = (first: number, kinds: number): boolean => first <= 1 && kinds > 1 && kinds <= MOST_SEPARATE

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
export const PRESENT: Readonly<Record<Table, string>> = {
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

export const PAGE = shapes(pageSql)
export const LOCATE = shapes(locateSql)
export const COUNT = shapes(countSql)
export const AFTER = shapes(afterSql)

/** Number of expired events, up to a limit, and their bytes, without reading texts. */
export const EXPIRED_SIZE = `
  SELECT count(*), total(length(e.text)) FROM
  (SELECT seq FROM expiry WHERE expires <= ?1 LIMIT ?2) x JOIN event e ON e.seq = x.seq`
export const EXPIRED = `
  SELECT CAST(group_concat(text, x'0a') AS BLOB) FROM
  (SELECT e.text FROM expiry x JOIN event e ON e.seq = x.seq WHERE x.expires <= ?1 LIMIT ?2)`

/** Texts by number, in the given order; an empty line stands for a deleted or expired event. */
export const TEXTS = `
  SELECT CAST(group_concat(coalesce(e.text, x''), x'0a') AS BLOB)
  FROM json_each(?1) j LEFT JOIN event e ON e.seq = j.value AND (e.expires IS NULL OR e.expires > ?2)`

/** Texts by id prefixes, unordered. */
export const TEXTS_BY_ID = `
  SELECT CAST(group_concat(e.text, x'0a') AS BLOB)
  FROM by_id i CROSS JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?1)) AND i.seq <= ?2 AND (e.expires IS NULL OR e.expires > ?3)`
export const TEXT_BY_ID = TEXTS_BY_ID.replace('IN (SELECT value FROM json_each(?1))', '= ?1')

/** The beginnings of texts, up to the kind at least, each after its number and a blank. */
export const HEADS_BY_ID = `
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
export const KINDS_SQL = { tag: kindsSql('tag', 'hash'), author: kindsSql('author', 'author') } as const
