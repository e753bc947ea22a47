// The tables of the search index (NIP-50). They exist only while search is on. `search` is an FTS5 index without content: it holds the terms of
// `src/nostr/search`, and terms for kind and author. Its row ids order events as answers do; `search_row` holds their numbers.

import type { Filter } from '../../../nostr/filter/index.js'
import { inTitle } from '../../../nostr/search/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { IndexKeys } from '../index/index-keys.js'

/** Changes whenever the terms of an event or the settings of the index change: then the index is made anew. */
const FORMAT = 3

/**
 * Automatic merging is off, because one commit could merge the whole index: every slice merges a few pages instead, two segments of a level at a
 * time, because a query opens the list of each word in each segment. The tokenizer splits at blanks only: all other bytes of the terms are its
 * token characters.
 */
const CREATE = `
CREATE VIRTUAL TABLE search USING fts5(
  terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'"
);
INSERT INTO search (search, rank) VALUES ('automerge', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 1999);
INSERT INTO search (search, rank) VALUES ('usermerge', 2);
CREATE TABLE search_row (row INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
CREATE TABLE search_progress (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  format TEXT NOT NULL,
  upto INTEGER NOT NULL,
  dropping INTEGER NOT NULL
) STRICT;
`

/** The form of an index of these kinds. */
export const searchFormat = (kinds: readonly number[]): string =>
  `${FORMAT}: ${[...kinds].sort((a, b) => a - b).join()}`

export interface SearchProgress {
  readonly format: string
  /** Events up to this number are in the index. */
  readonly upTo: number
  readonly isDropping: boolean
}

/** Undefined: there is no index. */
export function readSearchProgress(db: Sqlite): SearchProgress | undefined {
  if (!db.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_progress'")) return undefined
  const [format, upTo, dropping] = db.get('SELECT format, upto, dropping FROM search_progress') ?? []
  return { format: String(format), upTo: Number(upTo), isDropping: Number(dropping) !== 0 }
}

export function createTables(db: Sqlite, format: string): void {
  db.script(CREATE)
  db.run('INSERT INTO search_progress (only, format, upto, dropping) VALUES (1, ?, 0, 0)', [format])
}

/** Pages of the index that one call merges. */
const MERGED_PAGES = 32

/** Merges some segments, within a transaction; false: nothing was left to merge. */
export function mergeSome(db: Sqlite): boolean {
  const before = changesOf(db)
  db.run("INSERT INTO search (search, rank) VALUES ('merge', ?)", [MERGED_PAGES])
  // The command itself counts as one change.
  return changesOf(db) - before > 1
}

const changesOf = (db: Sqlite): number => Number(db.get('SELECT total_changes()')?.[0])

/** Rows per step. A page of the index has up to 4 kB. */
const DROPPED = 256
/** The index keeps its own two records to the end. */
const EMPTYING = [
  `DELETE FROM search_data WHERE id IN (SELECT id FROM search_data WHERE id > 10 ORDER BY id DESC LIMIT ${DROPPED})`,
  `DELETE FROM search_idx WHERE (segid, term) IN (SELECT segid, term FROM search_idx LIMIT ${DROPPED})`,
  `DELETE FROM search_docsize WHERE id IN (SELECT id FROM search_docsize LIMIT ${8 * DROPPED})`,
  `DELETE FROM search_row WHERE row IN (SELECT row FROM search_row LIMIT ${8 * DROPPED})`,
]

/** Deletes a part of the tables, within a transaction; true when they are gone. */
export function dropSome(db: Sqlite): boolean {
  db.run('UPDATE search_progress SET dropping = 1')
  for (const sql of EMPTYING) if (db.run(sql) > 0) return false
  db.script('DROP TABLE search; DROP TABLE search_row; DROP TABLE search_progress')
  return true
}

// The row ids of the search index: an event's place in time, then 15 bits of its number. An event that shares both with an
// earlier one is left out of the index, which takes tens of thousands of deliberately chosen events within one second.

const SEQ_BITS = 15n
const SEQ_MASK = (1n << SEQ_BITS) - 1n

export const searchRow = ({ place }: Pick<IndexKeys, 'place'>, seq: number): bigint =>
  (BigInt(place) << SEQ_BITS) | (BigInt(seq) & SEQ_MASK)

/** The first and the last row of a place. */
export const firstRowOf = (place: number): bigint => BigInt(place) << SEQ_BITS
export const lastRowOf = (place: number): bigint => firstRowOf(place) | SEQ_MASK

// FTS5 expressions of a search. The terms hold letters, digits and underscores only, and are quoted.

/** More authors are compared with the texts. */
const MAX_AUTHORS = 32
const AUTHOR_DIGITS = 12

export const kindTerm = (kind: number): string => `_k${kind}`
export const authorTerm = (pubkey: string): string => `_a${pubkey.slice(0, AUTHOR_DIGITS)}`

/** First what has all words in its name or title, then the rest. */
export type SearchPhase = 'title' | 'other'

export interface MatchExpression {
  /** One expression for all conditions. */
  readonly whole: string
  /** The conditions that must all hold; the rarest bounds the number of matches. */
  readonly parts: readonly string[]
}

export function matchExpression({ search, kinds = [], authors = [] }: Filter, phase: SearchPhase): MatchExpression {
  const terms = search?.terms ?? []
  const inTitles = terms.map((term) => quoted(inTitle(term)))
  const anywhere = terms.map((term) => anyOf([quoted(term), quoted(inTitle(term))]))
  const fixed = [
    anyOf(kinds.map((kind) => quoted(kindTerm(kind)))),
    ...(authors.length > 0 && authors.length <= MAX_AUTHORS
      ? [anyOf(authors.map((author) => quoted(authorTerm(author))))]
      : []),
  ]
  const parts = [...(phase === 'title' ? inTitles : anywhere), ...fixed]
  const all = parts.join(' AND ')
  return { parts, whole: phase === 'title' ? all : `(${all}) NOT (${inTitles.join(' AND ')})` }
}

const quoted = (term: string): string => `"${term}"`
const anyOf = (terms: readonly string[]): string => `(${terms.join(' OR ')})`

// Statements on the search index. Row ids exceed the numbers of the library, so they are passed as text or bigint.

/** Rows of the index, both included. */
export interface RowRange {
  readonly newest: bigint
  readonly oldest: bigint
}

interface SearchPage {
  /** Texts with line breaks; an empty line stands for a deleted or expired event. */
  readonly bytes: Buffer | undefined
  readonly rows: number
  /** The last row; undefined without rows. */
  readonly last: bigint | undefined
}

export interface SearchDisk {
  /** The newest matches of an expression in a range. */
  page(expression: string, range: RowRange, count: number, now: number): SearchPage
  /** True when at most `count` events in the range match. */
  isRare(expression: string, range: RowRange, count: number): boolean
  /** The row that ends the newest `count` events of a range; undefined when the range has fewer. */
  rowAfter(range: RowRange, count: number): bigint | undefined
}

const FOUND = `SELECT rowid AS row FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?3 AND ?2
  ORDER BY rowid DESC LIMIT ?4`
const PAGE = `
  SELECT CAST(group_concat(coalesce(e.text, x''), x'0a') AS BLOB), count(*), CAST(min(f.row) AS TEXT)
  FROM (${FOUND}) f LEFT JOIN search_row r ON r.row = f.row
  LEFT JOIN event e ON e.seq = r.seq AND (e.expires IS NULL OR e.expires > ?5)`
const RARE = 'SELECT 1 FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?3 AND ?2 LIMIT 1 OFFSET ?4'
const ROW_AFTER = `SELECT CAST(row AS TEXT) FROM search_row WHERE row BETWEEN ?2 AND ?1
  ORDER BY row DESC LIMIT 1 OFFSET ?3`

export function createSearchDisk(db: Sqlite): SearchDisk {
  return {
    page(expression, { newest, oldest }, count, now) {
      const [text, rows, last] = db.get(PAGE, [expression, newest, oldest, BigInt(count), BigInt(now)]) ?? []
      const bytes = text instanceof Uint8Array ? Buffer.from(text.buffer, text.byteOffset, text.byteLength) : undefined
      return { bytes, rows: Number(rows), last: rowOf(last) }
    },
    isRare: (expression, { newest, oldest }, count) =>
      db.get(RARE, [expression, newest, oldest, BigInt(count)]) === undefined,
    rowAfter: ({ newest, oldest }, count) => rowOf(db.get(ROW_AFTER, [newest, oldest, BigInt(count)])?.[0]),
  }
}

const rowOf = (text: unknown): bigint | undefined => (typeof text === 'string' ? BigInt(text) : undefined)
