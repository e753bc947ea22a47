// Payments: receiving, looking and matching, each with the invoice and the events it moves in the same transaction.
import type { NanoGrin } from '../../grin/amount/index.js'
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type {
  AcceptExtras,
  AcceptPaymentAnswer,
  AssignAnswer,
  DayFigures,
  Invoice,
  Payment,
  PaymentStore,
  PaymentSum,
  Settlement,
} from '../../till/index.js'
import { type Happening, next, statusAfter } from '../../till/invoices/transitions.js'
import { either, readPage, when } from '../paging.js'
import { amountOfHalves, integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'
import { createDueSearch } from './due-times.js'
import { becomes } from './invoice-moves.js'
import { raiseKeyIndex } from './keys.js'
import type { Leases } from './leases.js'
import { insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment, markReplied } from './rows.js'
import type { SettlementVerbs } from './settlement.js'
import { closeSlates, finalizeSlate, isOpenSlate } from './slate-moves.js'
import { PAYMENT } from './tables.js'

const SELECT = `SELECT ${PAYMENT.columns} FROM payment`
const paymentsDue = createDueSearch({
  select: SELECT,
  column: 'next_check_at',
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.payment,
})

/** Receiving and matching; keys and settlement have files of their own. `checks` are the leases of payments to check. */
export function paymentVerbs(
  db: Sqlite,
  write: Write,
  checks: Leases,
): Omit<PaymentStore, 'takeKeyIndex' | keyof SettlementVerbs> {
  return {
    acceptPayment: (payment, event, now, cutoff, extras = {}) =>
      write((): AcceptPaymentAnswer => {
        const refusal = acceptRefusal(db, payment, cutoff, extras)
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

/** In the order the port names. An invoice that is not stored is the caller's bug. */
function acceptRefusal(
  db: Sqlite,
  { id, invoiceId, amount }: Payment,
  cutoff: number,
  { finished }: AcceptExtras,
): AcceptPaymentAnswer | undefined {
  const known = findPayment(db, id)
  if (known) return { outcome: 'known-slate', payment: known }
  if (invoiceId === null) return undefined
  const invoice = findInvoice(db, invoiceId)
  if (!invoice) throw new Error(`payment ${id} for an invoice that is not stored`)
  if (!isFree(invoice, 'payment-accepted') || (invoice.expiresAt ?? Number.POSITIVE_INFINITY) <= cutoff)
    return { outcome: 'not-open', status: invoice.status === 'open' ? 'expired' : invoice.status }
  if (invoice.amount !== amount) return { outcome: 'other-amount', amount: invoice.amount }
  return finished && !isOpenSlate(db, finished.slateId, invoiceId) ? { outcome: 'slate-closed' } : undefined
}

/** No payment has it, and the table lets this happen to it. */
const isFree = ({ status, paymentId }: Invoice, happening: Happening): boolean =>
  paymentId === null && next(status, happening) !== undefined

/** What it means for an invoice that this payment is assigned to it. */
const assigning = ({ settlement }: Payment): Happening =>
  settlement === 'confirmed' ? 'confirmed-payment-assigned' : 'payment-accepted'

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

/** Only a payment that has no invoice, for an invoice that has no payment, over exactly its amount. */
function assignRefusal(payment: Payment, invoice: Invoice, seen: Settlement): AssignAnswer | undefined {
  if (payment.invoiceId !== null) return 'already-matched'
  if (payment.settlement === 'abandoned' || !isFree(invoice, assigning(payment))) return 'not-assignable'
  if (payment.amount !== invoice.amount) return 'other-amount'
  return payment.settlement === seen ? undefined : 'moved'
}

function assignPayment(db: Sqlite, payment: Payment, invoiceId: string, now: number): void {
  const confirmed = payment.settlement === 'confirmed'
  db.run('UPDATE payment SET invoice_id = ? WHERE id = ?', [invoiceId, payment.id])
  db.run(
    'UPDATE invoice SET status = ?, paid_at = ?, confirmed_at = ?, payment_id = ?, confirmations = ? WHERE id = ?',
    [statusAfter(assigning(payment)), now, confirmed ? now : null, payment.id, payment.confirmations, invoiceId],
  )
}

function balance(db: Sqlite): Record<Settlement, { count: number; amount: NanoGrin }> {
  const empty = () => ({ count: 0, amount: amountOfHalves(0n, 0n) })
  const sums = {
    received: empty(),
    replied: empty(),
    seen: empty(),
    mined: empty(),
    confirmed: empty(),
    abandoned: empty(),
  }
  for (const [settlement, count = 0n, high, low] of db.all('SELECT settlement, count, high, low FROM payment_total')) {
    const sum = Object.entries(sums).find(([name]) => name === settlement)?.[1]
    if (sum) Object.assign(sum, { count: integerCell.read(count), amount: amountOfHalves(high, low) })
  }
  return sums
}

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
