// What the till said against what its file holds, in plain SQL through a connection of its own.
import { openSqlite, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import type { ReceivedEvent } from '../support/hook-receiver.js'
import { findDamage } from './store-checker.js'
import type { Ledger } from './till-load.js'

/** Everything that was lost, doubled or changed; empty when nothing was. */
export function findLosses(path: string, ledger: Ledger, events: readonly ReceivedEvent[]): readonly string[] {
  const db = openSqlite(path, 'reading')
  try {
    return [
      ...findDamage(path, []),
      ...ledger.contradictions,
      ...lostInvoices(db, ledger),
      ...lostReplies(db, ledger),
      ...lostEvents(db, events),
    ]
  } finally {
    db.close()
  }
}

const countOf = (db: Sqlite, sql: string, value: string): number => Number(db.get(sql, [value])?.[0])

function lostInvoices(db: Sqlite, { invoices, keys }: Ledger): string[] {
  const ids = [...invoices.keys()].filter((id) => countOf(db, 'SELECT count(*) FROM invoice WHERE id = ?', id) !== 1)
  const doubled = [...keys.keys()].filter(
    (key) => countOf(db, 'SELECT count(*) FROM invoice WHERE order_ref = ?', key) !== 1,
  )
  return [
    ...ids.map((id) => `invoice ${id} is gone`),
    ...doubled.map((key) => `key ${key} has not exactly one invoice`),
  ]
}

const lostReplies = (db: Sqlite, { replies }: Ledger): string[] =>
  [...replies].flatMap(([slateId, reply]) =>
    db.get('SELECT reply FROM payment WHERE id = ?', [slateId])?.[0] === reply
      ? []
      : [`the reply to ${slateId} is lost or changed`],
  )

/** Every event got through, each time with the same bytes. */
function lostEvents(db: Sqlite, events: readonly ReceivedEvent[]): string[] {
  const received = new Map<string, Set<string>>()
  for (const { json, body } of events) received.set(json.event_id, (received.get(json.event_id) ?? new Set()).add(body))
  const rows = db.all("SELECT id, body, state FROM event WHERE type <> 'test.ping'")
  const known = new Set(rows.map(([id]) => String(id)))
  const unstored = [...received.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `event ${id} was sent and is not stored`)
  const wrong = rows.flatMap(([id, body, state]) => {
    const bodies = received.get(String(id))
    if (state !== 'delivered') return [`event ${id} is ${state}`]
    if (bodies?.size !== 1 || !bodies.has(String(body))) return [`event ${id} did not arrive with its stored bytes`]
    return []
  })
  return [...unstored, ...wrong]
}
