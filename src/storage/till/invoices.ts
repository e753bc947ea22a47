// Invoices: creation with idempotency, the states that time and the operator bring about, and the searches of the matcher.
import type { IdempotencyKey, InsertInvoiceAnswer, Invoice, InvoiceStore } from '../../till/index.js'
import { lowerEnd, readPage, when } from '../paging.js'
import { amountCell, hexKey, textCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { becomes, CANCEL, EXPIRE, IS_OVER, mayBe } from './invoice-moves.js'
import { findInvoice } from './rows.js'
import { KEY_LIFE, requoted } from './rules.js'
import { closeSlates, insertFirstSlate, replaceSlate } from './slate-moves.js'
import { INVOICE } from './tables.js'

const SELECT = `SELECT ${INVOICE.columns} FROM invoice`
const INSERT = `INSERT INTO invoice (${INVOICE.columns}) VALUES (${INVOICE.marks})`

/**
 * Oldest first. The conditions repeat those of the partial indexes word by word, or SQLite would not use them; naming the
 * index turns a mistake there into an error instead of a slow search.
 */
export const payableBy = (index: string, condition: string): string => `${SELECT} INDEXED BY invoice_${index}
  WHERE ${mayBe('payment-accepted')} AND payment_id IS NULL AND ${condition}
    AND coalesce(expires_at, 9223372036854775807) > ? ORDER BY created_at, seq LIMIT ?`

const PAYABLE = {
  recipient: payableBy('recipient', "match_mode = 'derived' AND recipient_pubkey = ?"),
  match_key: payableBy('payable_match_key', "match_mode = 'memo' AND match_key = ?"),
  memo: payableBy('payable_memo', "match_mode = 'memo' AND memo = ? AND amount = ?"),
  amount: payableBy('payable_amount', "match_mode = 'amount' AND amount = ?"),
} as const

const EXPIRE_DUE = `UPDATE invoice SET ${becomes('time-over')}
  WHERE seq IN (SELECT seq FROM invoice INDEXED BY invoice_open_expiry WHERE ${IS_OVER} ORDER BY expires_at LIMIT ?) RETURNING id`
const FORGET_KEYS = `DELETE FROM idempotency
  WHERE key IN (SELECT key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`

/** The verbs on one connection; `write` runs those that change anything. */
export function invoiceVerbs(db: Sqlite, write: Write): InvoiceStore {
  const payable = (by: keyof typeof PAYABLE, ...values: readonly SqlValue[]): readonly Invoice[] =>
    db.all(PAYABLE[by], values).map(INVOICE.read)

  return {
    insertInvoice: (invoice, now, key, slate) =>
      write((): InsertInvoiceAnswer => {
        const earlier = key && earlierAnswer(db, key, now)
        if (earlier) return earlier
        db.run(INSERT, INVOICE.values(invoice))
        if (slate) insertFirstSlate(db, invoice, slate)
        if (key) rememberKey(db, key, invoice.id, now)
        return { outcome: 'created' }
      }),
    idempotent: async (key, now) => earlierAnswer(db, key, now) ?? { outcome: 'created' },
    invoiceById: async (id) => findInvoice(db, id),
    async invoiceByToken(token) {
      const row = db.get(`${SELECT} WHERE token = ?`, [token])
      return row && INVOICE.read(row)
    },
    async listInvoices({ status, orderRef, from, limit, ...ends }) {
      const { to, cursor } = lowerEnd(ends)
      const where = [
        when('status = ?', status),
        when('order_ref = ?', orderRef),
        when('created_at >= ?', from),
        when('created_at < ?', to),
      ]
      return readPage(db, { table: INVOICE, from: 'invoice', where }, { limit, cursor })
    },
    expireDue: (now, limit) =>
      write(() => {
        db.run(FORGET_KEYS, [now - KEY_LIFE, limit])
        return db.all(EXPIRE_DUE, [now, limit]).map(([id = null]) => textCell.read(id))
      }),
    expireInvoice: (id, now) => write(() => db.run(EXPIRE, [id, now]) > 0),
    cancelInvoice: (id) =>
      write(() => {
        if (db.run(CANCEL, [id]) > 0) return 'cancelled'
        return db.get('SELECT 1 FROM invoice WHERE id = ?', [id]) ? 'not-open' : 'unknown'
      }),
    requote: (id, seen, quote, issued) =>
      write(() => {
        const answer = requote(db, id, seen, quote)
        if (answer === 'requoted' && issued) replaceSlate(db, issued)
        return answer
      }),
    payableByRecipient: async (pubkey, cutoff, limit) => payable('recipient', hexKey(pubkey), cutoff, limit),
    payableByMatchKey: async (matchKey, cutoff, limit) => payable('match_key', matchKey, cutoff, limit),
    payableByMemo: async (memo, exact, cutoff, limit) => payable('memo', memo, amountCell.write(exact), cutoff, limit),
    payableByAmount: async (exact, cutoff, limit) => payable('amount', amountCell.write(exact), cutoff, limit),
  }
}

function earlierAnswer(db: Sqlite, { key, digest }: IdempotencyKey, now: number): InsertInvoiceAnswer | undefined {
  const known = db.get('SELECT digest, invoice_id FROM idempotency WHERE key = ? AND created_at > ?', [
    key,
    now - KEY_LIFE,
  ])
  if (!known) return undefined
  const [knownDigest, invoiceId = null] = known
  if (knownDigest !== digest) return { outcome: 'other-body' }
  const invoice = findInvoice(db, textCell.read(invoiceId))
  return invoice && { outcome: 'replayed', invoice }
}

function rememberKey(db: Sqlite, { key, digest }: IdempotencyKey, invoiceId: string, now: number): void {
  db.run('INSERT OR REPLACE INTO idempotency (key, digest, invoice_id, created_at) VALUES (?, ?, ?, ?)', [
    key,
    digest,
    invoiceId,
    now,
  ])
}

type Quote = Parameters<InvoiceStore['requote']>[2]

function requote(db: Sqlite, id: string, seen: number, quote: Quote): 'requoted' | 'refused' {
  const before = findInvoice(db, id)
  const renewed = requoted(before, seen, quote)
  if (!renewed) return 'refused'
  const change = INVOICE.change(renewed)
  db.run(`UPDATE invoice SET ${change.sql} WHERE id = ?`, [...change.values, id])
  if (before?.slatepack !== null) closeSlates(db, id)
  return 'requoted'
}
