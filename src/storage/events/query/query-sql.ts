// The statements of the read side. Each answers one row: SQLite puts an answer together faster than the library hands out rows.
import type { QueryPlan } from './plan.js'

/** Of one value, a list, or anything. */
type Arity = 'one' | 'many' | 'any'
type Table = Exclude<QueryPlan['by'], 'id'>

const FIRST: Readonly<Record<Table, string | undefined>> = {
  tag: 'hash',
  author: 'author',
  kind: undefined,
  time: undefined,
}

/** Parameters of every statement over ranges, in their order; the lists follow. */
const RANGE_PARAMETERS = ['newest', 'oldest', 'count', 'indexed', 'now or cut'] as const

const condition = (column: string, wish: Arity, parameter: number): string =>
  wish === 'one' ? `${column} = ?${parameter}` : `${column} IN (SELECT value FROM json_each(?${parameter}))`

/**
 * Rows of one table, newest first. Of several ranges SQLite reads only what can still be among the newest `count`: within a range the
 * rows come in order, so it leaves one as soon as its sorter is full of newer ones.
 */
function ranges(table: Table, first: Arity, kinds: Arity, below: string, tail = ORDERED): string {
  const conditions = ['place >= ?2', below, 'seq <= ?4']
  let parameter = RANGE_PARAMETERS.length
  const column = FIRST[table]
  if (column !== undefined) conditions.push(condition(column, first, ++parameter))
  if (kinds !== 'any') conditions.push(condition('kind', kinds, ++parameter))
  return `SELECT place, seq FROM by_${table} WHERE ${conditions.join(' AND ')} ${tail}`
}
const ORDERED = 'ORDER BY place DESC, seq DESC LIMIT ?3'
const FROM_NEWEST = 'place <= ?1'
/** Of the place `newest` only the rows below `cut`; in this form the search begins there, however many are above. */
const BELOW_CUT = '(place, seq) < (?1, ?5)'

const LIVE = '(e.expires IS NULL OR e.expires > ?5)'

/** Texts with line breaks, how many rows the table had, and the last one's place. Rows whose event is gone or has expired count, but have no text. */
const pageSql = (table: Table, first: Arity, kinds: Arity): string =>
  `SELECT CAST(group_concat(e.text, x'0a') AS BLOB), count(*), min(i.place)
   FROM (${ranges(table, first, kinds, FROM_NEWEST)}) i LEFT JOIN event e ON e.seq = i.seq AND ${LIVE}`

/** Place and number of each row, as JSON. */
const locateSql = (table: Table, first: Arity, kinds: Arity): string =>
  `SELECT '[' || group_concat(place || ',' || seq) || ']'
   FROM (${ranges(table, first, kinds, BELOW_CUT)})`

const countSql = (table: Table, first: Arity, kinds: Arity): string =>
  `SELECT count(*) FROM (${ranges(table, first, kinds, BELOW_CUT, 'LIMIT ?3')})`

const afterSql = (table: Table, first: Arity, kinds: Arity): string =>
  ranges(table, first, kinds, BELOW_CUT, 'ORDER BY place DESC, seq DESC LIMIT 1 OFFSET ?3')

/** How many of the rows of a list are there; each is a list of all columns. */
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

/** A statement in all shapes that it comes in, made when they are asked for. */
function shapes(make: (table: Table, first: Arity, kinds: Arity) => string) {
  const made = new Map<string, string>()
  return (table: Table, first: number, kinds: number): string => {
    const key = `${table} ${Math.min(first, 2)} ${Math.min(kinds, 2)}`
    const known = made.get(key)
    if (known !== undefined) return known
    const sql = make(table, first === 1 ? 'one' : 'many', kinds === 0 ? 'any' : kinds === 1 ? 'one' : 'many')
    made.set(key, sql)
    return sql
  }
}

export const PAGE = shapes(pageSql)
export const LOCATE = shapes(locateSql)
export const COUNT = shapes(countSql)
export const AFTER = shapes(afterSql)

/** How many, up to a number, and their bytes, which the rows tell without the texts. */
export const EXPIRED_SIZE = `
  SELECT count(*), total(length(e.text)) FROM
  (SELECT seq FROM expiry WHERE expires <= ?1 LIMIT ?2) x JOIN event e ON e.seq = x.seq`
export const EXPIRED = `
  SELECT CAST(group_concat(text, x'0a') AS BLOB) FROM
  (SELECT e.text FROM expiry x JOIN event e ON e.seq = x.seq WHERE x.expires <= ?1 LIMIT ?2)`

/** Texts by number, in the order given; an empty line stands for what is gone or has expired. */
export const TEXTS = `
  SELECT CAST(group_concat(coalesce(e.text, x''), x'0a') AS BLOB)
  FROM json_each(?1) j LEFT JOIN event e ON e.seq = j.value AND (e.expires IS NULL OR e.expires > ?2)`

/** Texts by the beginnings of ids, in no order. */
export const TEXTS_BY_ID = `
  SELECT CAST(group_concat(e.text, x'0a') AS BLOB)
  FROM by_id i CROSS JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?1)) AND i.seq <= ?2 AND (e.expires IS NULL OR e.expires > ?3)`
export const TEXT_BY_ID = TEXTS_BY_ID.replace('IN (SELECT value FROM json_each(?1))', '= ?1')

/** The beginnings of these texts, as far as the kind at least, each after its number and a blank. */
export const HEADS_BY_ID = `
  SELECT CAST(group_concat(e.seq || ' ' || CAST(substr(e.text, 1, 200) AS TEXT), x'0a') AS BLOB)
  FROM by_id i CROSS JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?1)) AND i.seq <= ?2 AND (e.expires IS NULL OR e.expires > ?3)`

/** The kinds under some values of the first column, as JSON; a step for each, and never more than ?2. */
const kindsSql = (table: 'tag' | 'author', column: string): string => `
  WITH RECURSIVE step (first, kind) AS (
    SELECT value, (SELECT min(kind) FROM by_${table} WHERE ${column} = value) FROM json_each(?1)
    UNION ALL
    SELECT first, (SELECT min(kind) FROM by_${table} WHERE ${column} = step.first AND kind > step.kind)
    FROM step WHERE step.kind IS NOT NULL LIMIT ?2
  )
  SELECT '[' || group_concat(DISTINCT kind) || ']', count(*) FROM step`
export const KINDS_SQL = { tag: kindsSql('tag', 'hash'), author: kindsSql('author', 'author') } as const
