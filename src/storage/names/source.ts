// Files that names can be imported from: a names.db, a legacy database, a static nostr.json, or the lines of an export.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { membersOf, objectOf, parseJson } from '../../lib/parse-json.js'
import { withoutByteOrderMark } from '../../lib/plain-text.js'
import { importUnknown } from '../errors.js'
import { NAMES_FILE } from '../sqlite/kinds.js'
import { requireSchema } from '../sqlite/migrate.js'
import { isDatabaseFile, naming, withFile } from '../sqlite/open-file.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { exportRows } from './export.js'
import { legacyRows, legacyTables, type SourceRow } from './legacy-import.js'
import { checkRow, parseNameLine } from './lines.js'

/** A nostr.json is read whole; a larger file is taken for lines. */
const LARGEST_DOCUMENT = 64 * 1024 * 1024

/** An opened source. Its rows can be read once. */
export interface NameSource {
  /** What was recognised, for the operator: "names.db of grinpay", "tables names, offers", "lines of an export". */
  readonly origin: string
  readonly rows: AsyncIterable<SourceRow>
  close(): void
}

/**
 * Recognises the file by its content. Times of legacy files are converted from seconds. Nothing is written, save that SQLite may
 * put its side files beside a database. Throws IMPORT_UNKNOWN, DATABASE_OLDER, DATABASE_NEWER, DATABASE_UNUSABLE.
 */
export function openNameSource(path: string): NameSource {
  if (!existsSync(path)) throw importUnknown(path, 'there is no such file')
  return naming(path, NAMES_FILE, () => {
    if (!isDatabaseFile(path)) return { ...textRows(path), close: () => undefined }
    return withFile(path, 'reading', (db) => ({ ...databaseRows(db), close: () => db.close() }))
  })
}

function textRows(path: string): Pick<NameSource, 'origin' | 'rows'> {
  const { size, mtimeMs } = statSync(path)
  const names = size > LARGEST_DOCUMENT ? undefined : namesIn(withoutByteOrderMark(readFileSync(path, 'utf8')))
  if (!names) return { origin: 'lines of an export', rows: lineRows(path) }
  return { origin: 'a static nostr.json', rows: documentRows(names, Math.floor(mtimeMs)) }
}

function databaseRows(db: Sqlite): Pick<NameSource, 'origin' | 'rows'> {
  if (db.get('PRAGMA application_id')?.[0] === BigInt(NAMES_FILE.applicationId)) {
    requireSchema(db, NAMES_FILE)
    return { origin: 'names.db of grinpay', rows: ownRows(db) }
  }
  const tables = legacyTables(db)
  if (tables.length === 0) throw importUnknown(db.path, 'it has no table "names" or "name_claims"')
  return { origin: `tables ${tables.join(', ')}`, rows: foreignRows(db, tables) }
}

async function* ownRows(db: Sqlite): AsyncGenerator<SourceRow> {
  let at = 0
  for await (const row of exportRows(db)) yield { place: `row ${++at} (${row.kind})`, row }
}

async function* foreignRows(db: Sqlite, tables: readonly string[]): AsyncGenerator<SourceRow> {
  for (const table of tables) yield* legacyRows(db, table)
}

async function* lineRows(path: string): AsyncGenerator<SourceRow> {
  const input = createReadStream(path)
  let at = 0
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      at += 1
      const text = at === 1 ? withoutByteOrderMark(line) : line
      if (text.trim() !== '') yield { place: `line ${at}`, row: parseNameLine(text) }
    }
  } finally {
    // The end of the loop closes neither: the stream would be read to its end.
    input.destroy()
  }
}

/** The names of a static nostr.json, as web servers hand them out (NIP-05). */
type StaticNames = Readonly<Record<string, unknown>>

/** Undefined for what is no such document. */
function namesIn(text: string): StaticNames | undefined {
  const { names } = objectOf(parseJson(text))
  return typeof names === 'object' && names !== null && !Array.isArray(names) ? membersOf(names) : undefined
}

/** One row per name; its relays are not kept: the authority answers with its own. `createdAt`: epoch milliseconds; the document has no times. */
async function* documentRows(names: StaticNames, createdAt: number): AsyncGenerator<SourceRow> {
  for (const [typed, key] of Object.entries(names)) {
    const pubkey = typeof key === 'string' ? key.trim().toLowerCase() : key
    yield {
      place: `name ${JSON.stringify(typed.slice(0, 40))}`,
      row: checkRow('name', { name: typed.toLowerCase(), pubkey, createdAt }),
    }
  }
}
