// Payments: receiving, looking and matching, each with the invoice and the events it moves in the same transaction.
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type {
  AcceptExtras,
  AcceptPaymentAnswer,
  AssignAnswer,
  DayFigures,
  Payment,
  PaymentStore,
  PaymentSum,
} from '../../till/index.js'
import { either, readPage, when } from '../paging.js'
import { amountOfHalves, integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'
import { type Balance, balanceOf } from './balance.js'
import { createDueSearch } from './due-times.js'
import { becomes } from './invoice-moves.js'
import { raiseKeyIndex } from './keys.js'
import type { Leases } from './leases.js'
import { insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment, markReplied } from './rows.js'
import { acceptRefusal, assigned, assignRefusal, notStored } from './rules.js'
import type { SettlementVerbs } from './settlement.js'
import { closeSlates, finalizeSlate, isOpenSlate } from './slate-moves.js'
import { INVOICE, PAYMENT } from './tables.js'

const SELECT = `SELECT ${PAYMENT.columns} FROM payment`
const paymentsDue = createDueSearch({
  select: SELECT,
  column: 'next_check_at',
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.payment,
})
const YOUNG = `${SELECT} INDEXED BY payment_created
  WHERE created_at BETWEEN ? AND ? AND settlement <> 'confirmed' ORDER BY created_at DESC, seq DESC LIMIT ?`
const HASTEN = 'UPDATE payment SET next_check_at = ? WHERE id = ? AND next_check_at > ?'

/** Receiving and matching; keys and settlement have files of their own. `checks` are the leases of payments to check. */
export function paymentVerbs(
  db: Sqlite,
  write: Write,
  checks: Leases,
): Omit<PaymentStore, 'takeKeyIndex' | keyof SettlementVerbs> {
  return {
    acceptPayment: (payment, event, now, cutoff, extras = {}) =>
      write((): AcceptPaymentAnswer => {
        const refusal = refusalOf(db, payment, cutoff, extras)
        if (refusal) return refusal
        acceptPayment(db, payment, now, extras)
        if (event) insertEvent(db, event)
        return { outcome: 'accepted' }
      }),
    markReplied: (id) => write(() => markReplied(db, id)),
    paymentById: async (id) => findPayment(db, id),
    async listPayments({ unmatched, settlement, ...page }) {
      const where = [
        either('invoice_id IS NULL', 'invoice_id IS NOT NULL', unmatched),
        when('settlement = ?', settlement),
      ]
      return readPage(db, { table: PAYMENT, from: 'payment', where }, page)
    },
    claimChecks: async (claim) =>
      checks.claim(
        claim,
        (limit) => paymentsDue(db, claim.now, limit).map(PAYMENT.read),
        ({ id }) => id,
      ),
    async releaseChecks(ids, by) {
      for (const id of ids) if (checks.isMine(id, by)) checks.end(id)
    },
    youngPayments: async ({ from, to, limit }) => db.all(YOUNG, [from, to, limit]).map(PAYMENT.read),
    hastenChecks: (ids, now) =>
      write(() => {
        for (const id of ids) db.run(HASTEN, [now, id, now])
      }),
    postponeCheck: (id, nextCheckAt) =>
      write(() => {
        checks.end(id)
        db.run('UPDATE payment SET next_check_at = ? WHERE id = ?', [nextCheckAt, id])
      }),
    assignPayment: (paymentId, invoiceId, seen, events, now) =>
      write((): AssignAnswer => {
        const payment = findPayment(db, paymentId)
        if (!payment) return 'unknown-payment'
        const invoice = findInvoice(db, invoiceId)
        if (!invoice) return 'unknown-invoice'
        const refusal = assignRefusal(payment, invoice, seen)
        if (refusal) return refusal
        assignPayment(db, payment, invoiceId, now)
        for (const event of events) insertEvent(db, event)
        return 'assigned'
      }),
    balance: async () => balance(db),
    dayFigures: async (since) => dayFigures(db, since),
  }
}

/** In the order the port names. */
function refusalOf(
  db: Sqlite,
  payment: Payment,
  cutoff: number,
  { finished }: AcceptExtras,
): AcceptPaymentAnswer | undefined {
  const { id, invoiceId } = payment
  const known = findPayment(db, id)
  if (known) return { outcome: 'known-slate', payment: known }
  if (invoiceId === null) return undefined
  const invoice = findInvoice(db, invoiceId)
  if (!invoice) throw notStored(payment)
  const refusal = acceptRefusal(invoice, payment, cutoff)
  if (refusal) return refusal
  return finished && !isOpenSlate(db, finished.slateId, invoiceId) ? { outcome: 'slate-closed' } : undefined
}

function acceptPayment(db: Sqlite, payment: Payment, now: number, { finished, letters = [] }: AcceptExtras): void {
  if (payment.invoiceId !== null)
    db.run(
      `UPDATE invoice SET ${becomes('payment-accepted')}, paid_at = ?, payment_id = ?, confirmations = 0 WHERE id = ?`,
      [now, payment.id, payment.invoiceId],
    )
  db.run(`INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks})`, PAYMENT.values(payment))
  // Whatever the caller did, an index that stands in a payment is never handed out again.
  raiseKeyIndex(db, payment.keyIndex + 1)
  if (finished) finalizeSlate(db, payment.id, finished, now)
  if (payment.invoiceId !== null) closeSlates(db, payment.invoiceId)
  insertLetters(db, payment.id, letters, now)
}

function assignPayment(db: Sqlite, payment: Payment, invoiceId: string, now: number): void {
  const change = INVOICE.change(assigned(payment, now))
  db.run('UPDATE payment SET invoice_id = ? WHERE id = ?', [invoiceId, payment.id])
  db.run(`UPDATE invoice SET ${change.sql} WHERE id = ?`, [...change.values, invoiceId])
}

const balance = (db: Sqlite): Balance =>
  balanceOf(
    db
      .all('SELECT settlement, count, high, low FROM payment_total')
      .map(([settlement, ...sums]) => [settlement, sumOf(sums)]),
  )

/** Amounts reach 2^64-1, beyond what a sum in SQL holds: both halves are added up by themselves. */
const SUM = 'count(*), sum((amount >> 32) & 4294967295), sum(amount & 4294967295)'

const RECEIVED = `SELECT ${SUM} FROM payment WHERE created_at >= ?`
/** Both searches name their index: with another one SQLite would read every payment of a user, or of many days. */
const CONFIRMED = `SELECT ${SUM} FROM payment INDEXED BY payment_confirmed
  WHERE settlement = 'confirmed' AND confirmed_at >= ?`
const WAITING = `SELECT
  (SELECT count(*) FROM invoice WHERE status = 'open'),
  (SELECT count(*) FROM payment INDEXED BY payment_waiting
    WHERE invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned')`

/** `since`: epoch milliseconds. */
function dayFigures(db: Sqlite, since: number): DayFigures {
  const [openInvoices = 0n, unmatched = 0n] = db.get(WAITING) ?? []
  return {
    received: sumOf(db.get(RECEIVED, [since])),
    confirmed: sumOf(db.get(CONFIRMED, [since])),
    openInvoices: integerCell.read(openInvoices),
    unmatched: integerCell.read(unmatched),
  }
}

const sumOf = ([count = 0n, high, low]: Row = []): PaymentSum => ({
  count: integerCell.read(count),
  amount: amountOfHalves(high, low),
})
