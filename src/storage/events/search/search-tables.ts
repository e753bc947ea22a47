// The tables of the search index (NIP-50). They exist only while search is on. `search` is an FTS5 index without content: it holds the terms of
// `src/nostr/search`, and terms for kind and author. Its row ids order events as answers do; `search_row` holds their numbers.
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
