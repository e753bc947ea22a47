// The databases of the authorities this one succeeds: the separate process (names, grants, offers, transfers), the one inside a relay
// (name_claims), and an older edition (names only). Columns may be missing or more; times there are unix seconds.
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { pagesOf } from '../carry.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { checkRow } from './lines.js'
import type { NameRow, RowKind } from './row-kinds.js'

/** A row of a foreign file: its place, and its value or what is wrong with it. */
export interface SourceRow {
  /** "names row 12", "line 12". */
  readonly place: string
  readonly row: NameRow | string
}

type Cells = Readonly<Record<string, SqlValue>>

interface LegacyTable {
  readonly kind: RowKind
  read(cells: Cells): unknown
}

/** Before this many, a time is in seconds: as milliseconds it would be in 1973, as seconds in the year 5138. */
const SECONDS_END = 100_000_000_000

const whole = (cell: SqlValue | undefined): number | undefined =>
  typeof cell === 'bigint' || typeof cell === 'number' || (typeof cell === 'string' && /^-?\d{1,16}$/.test(cell))
    ? Number(cell)
    : undefined
function time(cell: SqlValue | undefined): number | null {
  const value = whole(cell)
  if (value === undefined) return null
  return value < SECONDS_END ? value * 1000 : value
}
const height = (cell: SqlValue | undefined): number | null => whole(cell) ?? null
/** An amount as decimal text. Theirs are unsigned 64-bit numbers in a signed column, so the upper half came out negative. */
function digits(cell: SqlValue | undefined): string {
  if (typeof cell === 'bigint') return BigInt.asUintN(64, cell).toString()
  return String(cell ?? '').trim()
}
const words = (cell: SqlValue | undefined): string => (typeof cell === 'string' ? cell : '')
/** Keys and ids are hex in most files, bytes in some. */
const key = (cell: SqlValue | undefined): string =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : words(cell).toLowerCase()

const NAME: LegacyTable = {
  kind: 'name',
  read: ({ name, pubkey, created_at, released_at }) => ({
    name: words(name),
    pubkey: key(pubkey),
    createdAt: time(created_at) ?? 0,
    releasedAt: time(released_at),
  }),
}

const GRANT: LegacyTable = {
  kind: 'grant',
  read(cells) {
    const isPaid = cells.status === 'paid' || cells.status === 'confirmed'
    const createdAt = time(cells.created_at) ?? 0
    return {
      pubkey: key(cells.pubkey),
      resource: cells.resource ?? 'name',
      // None of ours: our own invoices of the key go on counting from 1.
      serial: 0,
      invoiceId: words(cells.invoice_id),
      payUrl: words(cells.pay_url),
      amount: digits(cells.amount_nanogrin),
      status: isPaid ? 'paid' : 'pending',
      createdAt,
      paidAt: isPaid ? (time(cells.paid_at) ?? createdAt) : null,
    }
  },
}

const OFFER: LegacyTable = {
  kind: 'offer',
  read(cells) {
    const event = parseJson(words(cells.event_json))
    const signedAt = membersOf(event).created_at
    const createdAt = time(cells.created_at) ?? time(typeof signedAt === 'number' ? signedAt : null) ?? 0
    return {
      id: key(cells.offer_id),
      event,
      name: words(cells.name),
      seller: key(cells.seller_pubkey),
      buyer: key(cells.buyer_pubkey),
      price: digits(cells.price_nanogrin),
      proofAddress: words(cells.proof_address).toLowerCase(),
      expiration: whole(cells.expiration),
      status: cells.status,
      endHeight: height(cells.end_height),
      stateChangedAt: time(cells.state_changed_at) ?? createdAt,
      createdAt,
    }
  },
}

const TRANSFER: LegacyTable = {
  kind: 'transfer',
  read: (cells) => ({
    offerId: key(cells.offer_id),
    name: words(cells.name),
    seller: key(cells.seller_pubkey),
    buyer: key(cells.buyer_pubkey),
    price: digits(cells.price_nanogrin),
    kernelExcess: key(cells.kernel_excess),
    // Not always noted there; nothing depends on it once the sale is done.
    kernelHeight: whole(cells.kernel_height) ?? 0,
    claimedAt: time(cells.claimed_at) ?? 0,
  }),
}

/** By the table's name there. */
const LEGACY_TABLES: Readonly<Record<string, LegacyTable>> = {
  names: NAME,
  name_claims: NAME,
  paid_grants: GRANT,
  offers: OFFER,
  transfers: TRANSFER,
}

/** Tables of this file that a name authority before this one made; none: it was made by something else. */
export function legacyTables(db: Sqlite): readonly string[] {
  const present = new Set(db.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(([name]) => name))
  const known = Object.keys(LEGACY_TABLES).filter((table) => present.has(table) && columnsOf(db, table).length > 0)
  return known.includes('names') || known.includes('name_claims') ? known : []
}

/** A table of names has these two at least, whatever else it has. */
function columnsOf(db: Sqlite, table: string): readonly string[] {
  const columns = db.all('SELECT name FROM pragma_table_info(?)', [table]).map(([name]) => String(name))
  return columns.includes('name') || columns.includes('pubkey') ? columns : []
}

/** The rows of one of `legacyTables`, in the order in which they were written. */
export async function* legacyRows(db: Sqlite, table: string): AsyncGenerator<SourceRow> {
  const legacy = LEGACY_TABLES[table]
  if (!legacy) return
  const columns = columnsOf(db, table)
  let at = 0
  for await (const page of pagesOf(db, { from: quoted(table), columns: columns.map(quoted), key: ['rowid'] }))
    for (const row of page) {
      at += 1
      const cells = Object.fromEntries(columns.map((column, c) => [column, row[c] ?? null]))
      yield { place: `${table} row ${at}`, row: checkRow(legacy.kind, legacy.read(cells)) }
    }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
