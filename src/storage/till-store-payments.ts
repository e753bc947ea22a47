// Payments: receive, settle and match, each with the invoice and the event it moves in the same transaction.
import type { NanoGrin } from '../grin/amount/index.js'
import type {
  AcceptPaymentAnswer,
  AssignAnswer,
  Invoice,
  Payment,
  PaymentStore,
  Settlement,
  Sighting,
  WebhookEvent,
} from '../till/index.js'
import { amountOfHalves, integer } from './columns.js'
import type { Write } from './group-commit.js'
import { either, readPage, when } from './paging.js'
import type { Sqlite } from './sqlite.js'
import { raiseKeyIndex } from './till-store-keys.js'
import { insertEvent } from './till-store-outbox.js'
import { INVOICE, PAYMENT } from './till-tables.js'

const SELECT = `SELECT ${PAYMENT.columns} FROM payment`
const CHECKS = `${SELECT} WHERE next_check_at <= ? ORDER BY next_check_at, seq LIMIT ?`

export function paymentVerbs(db: Sqlite, write: Write): Omit<PaymentStore, 'takeKeyIndex'> {
  return {
    acceptPayment: (payment, event, now, cutoff) =>
      write((): AcceptPaymentAnswer => {
        const refusal = acceptRefusal(db, payment, cutoff)
        if (refusal) return refusal
        acceptPayment(db, payment, now)
        if (event) insertEvent(db, event)
        return { outcome: 'accepted' }
      }),
    markReplied: (id) =>
      write(
        () => void db.run("UPDATE payment SET settlement = 'replied' WHERE id = ? AND settlement = 'received'", [id]),
      ),
    paymentById: async (id) => paymentOf(db, id),
    async listPayments({ unmatched, settlement, ...page }) {
      const where = [
        either('invoice_id IS NULL', 'invoice_id IS NOT NULL', unmatched),
        when('settlement = ?', settlement),
      ]
      return readPage(db, { table: PAYMENT, from: 'payment', where }, page)
    },
    paymentsToCheck: async (now, limit) => db.all(CHECKS, [now, limit]).map(PAYMENT.read),
    postponeCheck: (id, nextCheckAt) =>
      write(() => void db.run('UPDATE payment SET next_check_at = ? WHERE id = ?', [nextCheckAt, id])),
    recordSighting: (sighting, now) => write(() => recordSighting(db, sighting, now)),
    confirmPayment: (sighting, event, now) => write(() => confirmPayment(db, sighting, event, now)),
    abandonPayment: (id, _now, nextCheckAt, reopen = false) => write(() => abandonPayment(db, id, nextCheckAt, reopen)),
    assignPayment: (paymentId, invoiceId, seen, events, now) =>
      write((): AssignAnswer => {
        const payment = paymentOf(db, paymentId)
        if (!payment) return 'unknown-payment'
        const invoice = invoiceOf(db, invoiceId)
        if (!invoice) return 'unknown-invoice'
        const refusal = assignRefusal(payment, invoice, seen)
        if (refusal) return refusal
        assignPayment(db, payment, invoiceId, now)
        for (const event of events) insertEvent(db, event)
        return 'assigned'
      }),
    balance: async () => balance(db),
  }
}

function paymentOf(db: Sqlite, id: string): Payment | undefined {
  const row = db.get(`${SELECT} WHERE id = ?`, [id])
  return row && PAYMENT.read(row)
}

function invoiceOf(db: Sqlite, id: string): Invoice | undefined {
  const row = db.get(`SELECT ${INVOICE.columns} FROM invoice WHERE id = ?`, [id])
  return row && INVOICE.read(row)
}

/** In the order the port names. An invoice that is not stored is the caller's bug. */
function acceptRefusal(
  db: Sqlite,
  { id, invoiceId, amount }: Payment,
  cutoff: number,
): AcceptPaymentAnswer | undefined {
  const known = paymentOf(db, id)
  if (known) return { outcome: 'known-slate', payment: known }
  if (invoiceId === null) return undefined
  const invoice = invoiceOf(db, invoiceId)
  if (!invoice) throw new Error(`payment ${id} for an invoice that is not stored`)
  if (!isFree(invoice) || (invoice.expiresAt ?? Number.POSITIVE_INFINITY) <= cutoff)
    return { outcome: 'not-open', status: invoice.status === 'open' ? 'expired' : invoice.status }
  return invoice.amount === amount ? undefined : { outcome: 'other-amount', amount: invoice.amount }
}

/** Open or expired, and no payment has it. */
const isFree = ({ status, paymentId }: Invoice): boolean =>
  paymentId === null && (status === 'open' || status === 'expired')

function acceptPayment(db: Sqlite, payment: Payment, now: number): void {
  if (payment.invoiceId !== null)
    db.run("UPDATE invoice SET status = 'paid', paid_at = ?, payment_id = ?, confirmations = 0 WHERE id = ?", [
      now,
      payment.id,
      payment.invoiceId,
    ])
  db.run(`INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks})`, PAYMENT.values(payment))
  // Whatever the caller did, an index that stands in a payment is never handed out again.
  raiseKeyIndex(db, payment.keyIndex + 1)
}

/**
 * What a payment's settlement becomes. Not being found (`replied`) neither hands out a reply
 * that is still in the house nor takes a payment back from `abandoned`: only a sighted kernel does that.
 */
function settlementAfter(before: Settlement, seen: Sighting['settlement']): Settlement {
  if (seen === 'replied' && (before === 'received' || before === 'abandoned')) return before
  return seen
}

function recordSighting(db: Sqlite, sighting: Sighting, now: number): void {
  const payment = paymentOf(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return
  const settlement = settlementAfter(payment.settlement, sighting.settlement)
  const minedAt = sighting.minedHeight === null ? null : (payment.minedAt ?? now)
  storeSighting(db, { ...payment, settlement, minedAt }, sighting)
  if (payment.invoiceId === null) return
  if (payment.settlement === 'abandoned' && settlement !== 'abandoned') reviveInvoice(db, payment, now)
  db.run('UPDATE invoice SET confirmations = ? WHERE id = ? AND payment_id = ?', [
    sighting.confirmations,
    payment.invoiceId,
    payment.id,
  ])
}

function storeSighting(db: Sqlite, payment: Payment, sighting: Sighting): void {
  db.run(
    `UPDATE payment SET settlement = ?, mined_at = ?, confirmed_at = ?, mined_height = ?, confirmations = ?,
       next_check_at = ? WHERE id = ?`,
    [
      payment.settlement,
      payment.minedAt,
      payment.confirmedAt,
      sighting.minedHeight,
      sighting.confirmations,
      sighting.nextCheckAt,
      payment.id,
    ],
  )
}

/** The kernel of an abandoned payment appeared: its invoice is paid after all, unless another one or the operator took it. */
function reviveInvoice(db: Sqlite, payment: Payment, now: number): void {
  db.run(
    `UPDATE invoice SET status = 'paid', paid_at = coalesce(paid_at, ?1), payment_id = ?2
     WHERE id = ?3 AND status IN ('open', 'expired') AND (payment_id IS NULL OR payment_id = ?2)`,
    [now, payment.id, payment.invoiceId],
  )
}

function confirmPayment(db: Sqlite, sighting: Sighting, event: WebhookEvent | null, now: number): boolean {
  const payment = paymentOf(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return false
  storeSighting(
    db,
    { ...payment, settlement: 'confirmed', minedAt: payment.minedAt ?? now, confirmedAt: now },
    sighting,
  )
  if (payment.invoiceId !== null) {
    reviveInvoice(db, payment, now)
    db.run(
      `UPDATE invoice SET status = 'confirmed', confirmed_at = ?, confirmations = ?
       WHERE id = ? AND payment_id = ? AND status = 'paid'`,
      [now, sighting.confirmations, payment.invoiceId, payment.id],
    )
  }
  if (event) insertEvent(db, event)
  return true
}

function abandonPayment(db: Sqlite, id: string, nextCheckAt: number | null, reopen: boolean): boolean {
  const given = db.run(
    `UPDATE payment SET settlement = 'abandoned', next_check_at = ?
     WHERE id = ? AND settlement IN ('received', 'replied', 'seen')`,
    [nextCheckAt, id],
  )
  if (given === 0) return false
  // A reopened invoice waits for another payment; an expired one keeps the memory of this one.
  db.run(
    reopen
      ? `UPDATE invoice SET status = 'open', paid_at = NULL, payment_id = NULL, confirmations = 0
         WHERE id = (SELECT invoice_id FROM payment WHERE id = ?1) AND payment_id = ?1 AND status = 'paid'`
      : `UPDATE invoice SET status = 'expired', confirmations = 0
         WHERE id = (SELECT invoice_id FROM payment WHERE id = ?1) AND payment_id = ?1 AND status = 'paid'`,
    [id],
  )
  return true
}

/** Only a payment that has no invoice, for an invoice that has no payment, over exactly its amount. */
function assignRefusal(payment: Payment, invoice: Invoice, seen: Settlement): AssignAnswer | undefined {
  if (payment.invoiceId !== null) return 'already-matched'
  if (payment.settlement === 'abandoned' || !isFree(invoice)) return 'not-assignable'
  if (payment.amount !== invoice.amount) return 'other-amount'
  return payment.settlement === seen ? undefined : 'moved'
}

function assignPayment(db: Sqlite, payment: Payment, invoiceId: string, now: number): void {
  const confirmed = payment.settlement === 'confirmed'
  db.run('UPDATE payment SET invoice_id = ? WHERE id = ?', [invoiceId, payment.id])
  db.run(
    'UPDATE invoice SET status = ?, paid_at = ?, confirmed_at = ?, payment_id = ?, confirmations = ? WHERE id = ?',
    [confirmed ? 'confirmed' : 'paid', now, confirmed ? now : null, payment.id, payment.confirmations, invoiceId],
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
    if (sum) Object.assign(sum, { count: integer.read(count), amount: amountOfHalves(high, low) })
  }
  return sums
}
