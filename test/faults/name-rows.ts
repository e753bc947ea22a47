// The database of a name authority, read by SQL of its own through a connection of its own.
import Database from 'libsql'

export interface Line {
  readonly seq: number
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly name: string | null
  readonly key: string | null
  readonly reason: string | null
}

export interface NameRow {
  readonly name: string
  readonly key: string
  readonly createdAt: number
  readonly releasedAt: number | null
  readonly suspendedAt: number | null
}

interface GrantRow {
  readonly key: string
  readonly invoice: string
  readonly status: string
}

interface OfferRow {
  readonly id: string
  readonly name: string
  readonly seller: string
  readonly buyer: string
  readonly price: string
  readonly status: string
}

interface TransferRow extends Omit<OfferRow, 'status'> {
  readonly excess: string
  readonly at: number
}

/** Everything at one moment. */
export interface Tables {
  readonly damage: readonly string[]
  readonly audit: readonly Line[]
  readonly lineOf: ReadonlyMap<number, Line>
  readonly names: readonly NameRow[]
  readonly reserved: readonly string[]
  /** Until when, by key. */
  readonly cooldowns: ReadonlyMap<string, number>
  /** Until when they are kept, by id. */
  readonly auths: ReadonlyMap<string, number>
  readonly grants: readonly GrantRow[]
  readonly offers: readonly OfferRow[]
  readonly transfers: readonly TransferRow[]
}

const SQL = {
  audit: 'SELECT seq, at, actor, action, name, lower(hex(pubkey)), pubkey IS NULL, reason FROM audit ORDER BY seq',
  names: 'SELECT name, lower(hex(pubkey)), created_at, released_at, suspended_at FROM name NOT INDEXED',
  reserved: 'SELECT name FROM reserved',
  cooldowns: 'SELECT lower(hex(pubkey)), until FROM cooldown NOT INDEXED',
  auths: 'SELECT lower(hex(id)), forget_at FROM auth NOT INDEXED',
  grants: "SELECT lower(hex(pubkey)), invoice_id, status FROM paid_grant NOT INDEXED WHERE resource = 'name'",
  offers:
    'SELECT lower(hex(id)), name, lower(hex(seller)), lower(hex(buyer)), CAST(price AS TEXT), status FROM offer NOT INDEXED',
  transfers: `SELECT lower(hex(offer_id)), name, lower(hex(seller)), lower(hex(buyer)), CAST(price AS TEXT),
    lower(hex(kernel_excess)), claimed_at FROM transfer NOT INDEXED`,
} as const

// biome-ignore lint/suspicious/noExplicitAny: columns of plain SQL, in the order of the text above
type Columns = any[]

/** Reads all tables in one transaction; the file may be in use. */
export function readTables(path: string): Tables {
  const db = new Database(path)
  db.exec('PRAGMA busy_timeout=10000')
  db.exec('BEGIN')
  try {
    const all = (sql: string): Columns[] => db.prepare(sql).raw(true).all() as Columns[]
    const audit = all(SQL.audit).map(([seq, at, actor, action, name, key, isNull, reason]): Line => {
      return { seq, at, actor, action, name, key: isNull ? null : key, reason }
    })
    return {
      audit,
      lineOf: new Map(audit.map((line) => [line.seq, line])),
      damage: all('PRAGMA integrity_check').flatMap(([text]) =>
        text === 'ok' ? [] : [`the file is damaged: ${text}`],
      ),
      names: all(SQL.names).map(([name, key, createdAt, releasedAt, suspendedAt]) => {
        return { name, key, createdAt, releasedAt, suspendedAt }
      }),
      reserved: all(SQL.reserved).map(([name]) => name),
      cooldowns: new Map(all(SQL.cooldowns).map(([key, until]) => [key, until])),
      auths: new Map(all(SQL.auths).map(([id, forgetAt]) => [id, forgetAt])),
      grants: all(SQL.grants).map(([key, invoice, status]) => ({ key, invoice, status })),
      offers: all(SQL.offers).map(([id, name, seller, buyer, price, status]) => {
        return { id, name, seller, buyer, price, status }
      }),
      transfers: all(SQL.transfers).map(([id, name, seller, buyer, price, excess, at]) => {
        return { id, name, seller, buyer, price, excess, at }
      }),
    }
  } finally {
    db.exec('ROLLBACK')
    db.close()
  }
}
