// Writes what was taken over from the till before this one: all of it in one transaction, or nothing.
import type { Delivery, Invoice, Moved, MovedUser, Payment, RowRemark, TakeOver } from '../../till/index.js'
import { hexKey, textCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import { runVerb } from '../sqlite/run-verb.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { raiseKeyIndex } from './keys.js'
import { findInvoice, findPayment } from './rows.js'
import { DELIVERY, INVOICE, PAYMENT, USER } from './tables.js'

const KINDS = ['invoices', 'payments', 'users', 'events'] as const
type Kind = (typeof KINDS)[number]

type TillImportCounts = Readonly<Record<Kind, number>>

export type TillImportOutcome =
  | {
      readonly outcome: 'imported'
      readonly added: TillImportCounts
      /** Rows that were here already; what happened to them here since stays. */
      readonly known: TillImportCounts
    }
  /** Nothing was changed. */
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly RowRemark[] }

type Rows = Pick<TakeOver, Kind>

export interface TillImportVerb {
  /** One transaction; repeating it changes nothing. `isDryRun`: nothing is changed, the answer is what it would have been. */
  importTill(rows: Rows, options?: { readonly isDryRun?: boolean }): Promise<TillImportOutcome>
}

/** Ends a transaction that is not to be kept. */
class Undone extends Error {
  constructor(readonly answer: TillImportOutcome) {
    super('not to be kept')
  }
}

export const tillImportVerb = (db: Sqlite, write: Write): TillImportVerb => ({
  importTill: (rows, { isDryRun = false } = {}) =>
    write(() => {
      const answer = apply(db, rows)
      if (isDryRun || answer.outcome === 'conflicts') throw new Undone(answer)
      return answer
    }).catch((thrown: unknown) => {
      if (thrown instanceof Undone) return thrown.answer
      throw thrown
    }),
})

/** `known`: it is here. A text: why it can never be. Undefined: it was added. */
type Verdict = 'known' | undefined | { readonly conflict: string }

/** Invoices and users before the payments that name them. */
function apply(db: Sqlite, rows: Rows): TillImportOutcome {
  const conflicts: RowRemark[] = []
  const added = { invoices: 0, payments: 0, users: 0, events: 0 }
  const known = { ...added }
  function each<T>(kind: Kind, list: readonly Moved<T>[], add: (db: Sqlite, value: T) => Verdict): void {
    for (const { place, value } of list) {
      const verdict = add(db, value)
      if (verdict === undefined) added[kind] += 1
      else if (verdict === 'known') known[kind] += 1
      else conflicts.push({ place, what: verdict.conflict })
    }
  }
  each('invoices', rows.invoices, addInvoice)
  each('users', rows.users, addUser)
  each('payments', rows.payments, addPayment)
  each('events', rows.events, addEvent)
  return conflicts.length > 0 ? { outcome: 'conflicts', conflicts } : { outcome: 'imported', added, known }
}

const exists = (db: Sqlite, sql: string, ...values: readonly SqlValue[]): boolean => db.get(sql, values) !== undefined

function addInvoice(db: Sqlite, invoice: Invoice): Verdict {
  const here = runVerb(db, findInvoice(invoice.id))
  if (here) return here.token === invoice.token ? 'known' : { conflict: `invoice ${invoice.id} is another one here` }
  if (exists(db, 'SELECT 1 FROM invoice WHERE token = ?', invoice.token))
    return { conflict: `invoice ${invoice.id} has the token of another one here` }
  db.run(`INSERT INTO invoice (${INVOICE.columns}) VALUES (${INVOICE.marks})`, INVOICE.values(invoice))
  return undefined
}

function addUser(db: Sqlite, { keys, ...user }: MovedUser): Verdict {
  const first = keys[0]
  if (exists(db, 'SELECT 1 FROM user WHERE id = ?', user.id)) {
    const same = 'SELECT 1 FROM endpub WHERE user_id = ? AND epoch = ? AND pubkey = ?'
    const isSame = first && exists(db, same, user.id, first.epoch, hexKey(first.pubkey))
    return isSame ? 'known' : { conflict: `user ${user.id} is another one here` }
  }
  db.run(`INSERT INTO user (${USER.columns}) VALUES (${USER.marks})`, USER.values(user))
  for (const { epoch, pubkey, rotatedAt } of keys)
    db.run('INSERT INTO endpub (pubkey, user_id, epoch, created_at) VALUES (?, ?, ?, ?)', [
      hexKey(pubkey),
      user.id,
      epoch,
      rotatedAt,
    ])
  return undefined
}

function addPayment(db: Sqlite, payment: Payment): Verdict {
  const here = runVerb(db, findPayment(payment.id))
  if (here)
    return Buffer.compare(here.excess, payment.excess) === 0
      ? 'known'
      : { conflict: `payment ${payment.id} is another one here` }
  const taken = 'SELECT 1 FROM payment WHERE key_index = ? OR commitment = ? OR excess = ?'
  if (exists(db, taken, payment.keyIndex, payment.commitment, payment.excess))
    return { conflict: `the output or kernel of payment ${payment.id} belongs to another payment here` }
  const invoice = payment.invoiceId === null ? undefined : runVerb(db, findInvoice(payment.invoiceId))
  if (invoice && invoice.paymentId !== payment.id)
    return { conflict: `invoice ${invoice.id} is ${invoice.status} here, and payment ${payment.id} pays it there` }
  db.run(`INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks})`, PAYMENT.values(payment))
  runVerb(db, raiseKeyIndex(payment.keyIndex + 1))
  return undefined
}

function addEvent(db: Sqlite, event: Delivery): Verdict {
  const here = db.get('SELECT body FROM event WHERE id = ? AND receiver = ?', [event.eventId, event.receiver])
  if (here)
    return textCell.read(here[0] ?? null) === event.body
      ? 'known'
      : { conflict: `event ${event.eventId} is another one here` }
  db.run(`INSERT INTO event (${DELIVERY.columns}, line, failed) VALUES (${DELIVERY.marks}, ?, ?)`, [
    ...DELIVERY.values(event),
    event.invoiceId ?? event.paymentId ?? event.eventId,
    event.lastError === null ? 0 : 1,
  ])
  return undefined
}
