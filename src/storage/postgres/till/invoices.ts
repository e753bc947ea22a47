// Invoices: creation with idempotency, the states that time and the operator bring about, and the searches of the matcher.
import type { IdempotencyKey, InsertInvoiceAnswer, Invoice, InvoiceStore } from '../../../till/index.js'
import { lowerEnd, when } from '../../paging.js'
import { hexKey, numericAmountCell, textCell } from '../../sqlite/columns.js'
import type { SqlValue } from '../../sqlite/sqlite.js'
import { becomes, CANCEL, EXPIRE, IS_OVER } from '../../till/invoice-moves.js'
import { KEY_LIFE, requoted } from '../../till/rules.js'
import type { Queries } from '../change.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { forgetWritten } from '../upkeep.js'
import { payableBy } from './payable.js'
import { findInvoice } from './rows.js'
import { closeSlates, insertFirstSlate, replaceSlate } from './slate-moves.js'
import { INVOICE } from './tables.js'
import { addUpPayments } from './totals.js'

const INSERT = `INSERT INTO invoice (${INVOICE.columns}) VALUES (${INVOICE.marks})`
const BY_TOKEN = `SELECT ${INVOICE.columns} FROM invoice WHERE token = ?`

const PAYABLE = {
  recipient: payableBy("match_mode = 'derived' AND recipient_pubkey = ?"),
  matchKey: payableBy("match_mode = 'memo' AND match_key = ?"),
  memo: payableBy("match_mode = 'memo' AND memo = ? AND amount = ?"),
  amount: payableBy("match_mode = 'amount' AND amount = ?"),
} as const

const EXPIRE_DUE = `UPDATE invoice SET ${becomes('time-over')}
  WHERE seq IN (SELECT seq FROM invoice WHERE ${IS_OVER} ORDER BY expires_at LIMIT ?) RETURNING id`
const FORGET_KEYS = `DELETE FROM idempotency
  WHERE key IN (SELECT key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`

/** Takes a key that is free, or whose time is over. It looks at no row before: of two at once, the second is repeated. */
const TAKE_KEY = `INSERT INTO idempotency (key, digest, invoice_id, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, invoice_id = excluded.invoice_id, created_at = excluded.created_at
    WHERE idempotency.created_at <= ?`
const KNOWN_KEY = 'SELECT digest, invoice_id FROM idempotency WHERE key = ? AND created_at > ?'

export function invoiceVerbs({ read, change, repeatable }: Transactions): InvoiceStore {
  const page = createPages(read)
  const payable = (by: keyof typeof PAYABLE, ...values: readonly SqlValue[]): Promise<readonly Invoice[]> =>
    read(async (db) => (await db.all(PAYABLE[by], values)).map(INVOICE.read))

  return {
    insertInvoice: (invoice, now, key, slate) =>
      change(async (db): Promise<InsertInvoiceAnswer> => {
        const earlier = key && (await takeKey(db, key, invoice.id, now))
        if (earlier) return earlier
        await db.run(INSERT, INVOICE.values(invoice))
        if (slate) await insertFirstSlate(db, invoice, slate)
        return { outcome: 'created' }
      }),
    idempotent: (key, now) => read(async (db) => (await earlierAnswer(db, key, now)) ?? { outcome: 'created' }),
    invoiceById: (id) => read((db) => findInvoice(db, id)),
    invoiceByToken: (token) =>
      read(async (db) => {
        const row = await db.get(BY_TOKEN, [token])
        return row && INVOICE.read(row)
      }),
    async listInvoices({ status, orderRef, from, limit, ...ends }) {
      const { to, cursor } = lowerEnd(ends)
      const where = [
        when('status = ?', status),
        when('order_ref = ?', orderRef),
        when('created_at >= ?', from),
        when('created_at < ?', to),
      ]
      return page({ table: INVOICE, from: 'invoice', where }, { limit, cursor })
    },
    async expireDue(now, limit) {
      await repeatable((db) => db.run(FORGET_KEYS, [now - KEY_LIFE, limit]))
      await repeatable((db) => forgetWritten(db, limit))
      await repeatable(addUpPayments)
      return change(async (db) => {
        const expired = await db.runReturning(EXPIRE_DUE, [now, limit])
        return expired.map(([id = null]) => textCell.read(id))
      })
    },
    expireInvoice: (id, now) => change(async (db) => (await db.run(EXPIRE, [id, now])) > 0),
    cancelInvoice: (id) =>
      change(async (db) => {
        if ((await db.run(CANCEL, [id])) > 0) return 'cancelled'
        return (await findInvoice(db, id)) ? 'not-open' : 'unknown'
      }),
    requote: (id, seen, quote, issued) =>
      change(async (db) => {
        const before = await findInvoice(db, id)
        const renewed = requoted(before, seen, quote)
        if (!before || !renewed) return 'refused'
        const changed = INVOICE.change(renewed)
        await db.run(`UPDATE invoice SET ${changed.sql} WHERE id = ?`, [...changed.values, id])
        if (issued) await replaceSlate(db, before, issued)
        else await closeSlates(db, before)
        return 'requoted'
      }),
    payableByRecipient: (pubkey, cutoff, limit) => payable('recipient', hexKey(pubkey), cutoff, limit),
    payableByMatchKey: (matchKey, cutoff, limit) => payable('matchKey', matchKey, cutoff, limit),
    payableByMemo: (memo, exact, cutoff, limit) => payable('memo', memo, numericAmountCell.write(exact), cutoff, limit),
    payableByAmount: (exact, cutoff, limit) => payable('amount', numericAmountCell.write(exact), cutoff, limit),
  }
}

/** Undefined: the key belongs to this invoice now. */
async function takeKey(
  db: Queries,
  key: IdempotencyKey,
  invoiceId: string,
  now: number,
): Promise<InsertInvoiceAnswer | undefined> {
  const taken = await db.run(TAKE_KEY, [key.key, key.digest, invoiceId, now, now - KEY_LIFE])
  return taken > 0 ? undefined : earlierAnswer(db, key, now)
}

async function earlierAnswer(
  db: Queries,
  { key, digest }: IdempotencyKey,
  now: number,
): Promise<InsertInvoiceAnswer | undefined> {
  const known = await db.get(KNOWN_KEY, [key, now - KEY_LIFE])
  if (!known) return undefined
  const [knownDigest, invoiceId = null] = known
  if (knownDigest !== digest) return { outcome: 'other-body' }
  const invoice = await findInvoice(db, textCell.read(invoiceId))
  return invoice && { outcome: 'replayed', invoice }
}
