// What really differs between the two kinds of database, by name. A statement that needs nothing of it is one text for both.
import type { Row } from './sqlite/sqlite.js'

/** How one kind of database says it. */
export interface Dialect {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** What has no word in common. */
  either(file: string, server: string): string
  /** Behind the name of a table: which index serves the search. SQLite refuses the statement when it does not; PostgreSQL chooses by itself. */
  by(index: string): string
  /** The greatest of several values. */
  greatest(...values: readonly string[]): string
  /** Bytes as lower-case hex. */
  hex(column: string): string
  /** The texts of a column, joined with commas. */
  joined(column: string): string
  /** Two columns with the sum of amounts, for `amountOfHalves`: in SQLite it may outgrow an integer. `each`: around every sum. */
  sums(column: string, each?: (sum: string) => string): string
  /** True when the column is in the JSON list that is bound. */
  isAmong(column: string, type: 'text' | 'bigint'): string
  /** The table of users; PostgreSQL keeps the word `user` for itself. */
  readonly users: string
  readonly leases: LeaseWords
  readonly texts: TextWords
}

/** Who has a row is in memory for a file (till/leases.ts), and in the row in PostgreSQL. */
interface LeaseWords {
  /** For SET, behind the others. */
  readonly end: string
  readonly take: string
  /** For a condition, behind the others: no other instance has the row. */
  readonly isMine: string
  /** For INSERT, behind the others. */
  readonly columns: string
  readonly marks: string
  /** Bound for `isMine`. */
  by(holder: string): Row
  /** Bound for `take` and `marks`. */
  until(end: number | null, holder: string | null): Row
}

/** How texts are searched. */
interface TextWords {
  /** True when the column has the folded text that is bound: right for ASCII, where lower case is all there is to fold. */
  contains(column: string): string
  /** True when the column holds anything but ASCII: the program folds it, as no database does. */
  isBeyondAscii(column: string): string
  /** True when the price in fiat money is the number that is bound. */
  readonly isFiatAmount: string
}

const same = (sum: string): string => sum

const SQLITE: Dialect = {
  name: 'SQLite',
  either: (file) => file,
  by: (index) => `INDEXED BY ${index}`,
  greatest: (...values) => `max(${values.join(', ')})`,
  hex: (column) => `lower(hex(${column}))`,
  joined: (column) => `group_concat(${column})`,
  sums: (column, each = same) =>
    `${each(`sum((${column} >> 32) & 4294967295)`)}, ${each(`sum(${column} & 4294967295)`)}`,
  isAmong: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  users: 'user',
  leases: { end: '', take: '', isMine: '', columns: '', marks: '', by: () => [], until: () => [] },
  texts: {
    contains: (column) => `instr(lower(${column}), ?) > 0`,
    isBeyondAscii: (column) => `${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*'`,
    isFiatAmount: "CAST(json_extract(fiat, '$.amount') AS REAL) = CAST(? AS REAL)",
  },
}

const POSTGRES: Dialect = {
  name: 'PostgreSQL',
  either: (_, server) => server,
  by: () => '',
  greatest: (...values) => `greatest(${values.join(', ')})`,
  hex: (column) => `encode(${column}, 'hex')`,
  joined: (column) => `string_agg(${column}, ',')`,
  sums: (column, each = same) => `0, ${each(`sum(${column})`)}`,
  isAmong: (column, type) => `${column} IN (SELECT json_array_elements_text(?::json)::${type})`,
  users: 'till_user',
  leases: {
    end: ', leased_until = NULL, leased_by = NULL',
    take: ', leased_until = ?, leased_by = ?',
    isMine: ' AND (leased_by IS NULL OR leased_by = ?)',
    columns: ', leased_until, leased_by',
    marks: ', ?, ?::uuid',
    by: (holder) => [holder],
    until: (end, holder) => [end, holder],
  },
  texts: {
    contains: (column) => `strpos(lower(${column} COLLATE "C"), ?::text COLLATE "C") > 0`,
    isBeyondAscii: (column) => `octet_length(${column}) > char_length(${column})`,
    isFiatAmount: "(fiat::json ->> 'amount')::numeric = ?::numeric",
  },
}

export const DIALECTS = { sqlite: SQLITE, postgres: POSTGRES } as const

/** A statement with `?` for each value, or a part of one: a text for both kinds of database, or one for each. Nothing runs an empty one. */
export type Sql = string | ((dialect: Dialect) => string)

/** A statement whose text differs; both are written once. */
export function sql(write: (dialect: Dialect) => string): Sql {
  const [file, server] = [write(SQLITE), write(POSTGRES)]
  return ({ name }) => (name === 'SQLite' ? file : server)
}

/** What is bound: the same values for both, or some for each. */
export type Values = Row | ((dialect: Dialect) => Row)

export const textOf = (statement: Sql, dialect: Dialect): string =>
  typeof statement === 'string' ? statement : statement(dialect)
