import { expect, test } from 'vitest'
import { timeLineOf } from '../../../src/till/console/timeline.js'
import type { InvoiceRecord } from '../../../src/till/console/view.js'
import type { DeliveryRow, MessageRow, PaymentRow } from '../../../src/till/console-reads.js'
import { anInvoice, aPayment, grin, HOUR, MINUTE, NOON } from '../../support/till-builders.js'

const CONTEXT = { confirmations: 10, hostOf: (receiver: number) => (receiver === 1 ? 'shop.example' : undefined) }

const record = (invoice: Parameters<typeof anInvoice>[0], rest: Partial<InvoiceRecord> = {}): InvoiceRecord => ({
  invoice: anInvoice(invoice),
  payments: [],
  deliveries: [],
  ...rest,
})

const titles = (one: InvoiceRecord) => timeLineOf(one, CONTEXT).map(({ state, title }) => `${state} ${title}`)

const aMessage = (over: Partial<MessageRow> = {}): MessageRow => ({
  paymentId: 'p1',
  layout: 'plain',
  kind: 'reply',
  state: 'sent',
  createdAt: NOON + MINUTE,
  attempts: 1,
  nextAttemptAt: null,
  acceptedBy: ['wss://relay.example'],
  lastError: null,
  ...over,
})

const aDelivery = (over: Partial<DeliveryRow> = {}): DeliveryRow => ({
  eventId: 'e1',
  receiver: 1,
  type: 'payment.received',
  invoiceId: null,
  paymentId: null,
  createdAt: NOON + MINUTE,
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastError: null,
  ...over,
})

const paid = (payment: Partial<PaymentRow>, messages: readonly MessageRow[] = []): InvoiceRecord => {
  const one = aPayment({ createdAt: NOON + MINUTE, settlement: 'replied', ...payment } as Parameters<
    typeof aPayment
  >[0])
  const status = one.settlement === 'confirmed' ? 'confirmed' : 'paid'
  return record({ status, paymentId: one.id }, { payments: [{ payment: one, messages }] })
}

test('an open invoice waits, with its end', () => {
  const steps = timeLineOf(record({ expiresAt: NOON + HOUR }), CONTEXT)
  expect(steps.map(({ title }) => title)).toEqual(['Invoice created', 'Waits for a payment'])
  expect(steps.at(-1)?.detail).toEqual(['until', NOON + HOUR])
})

test('a whole life stands in the order in which it happened', () => {
  const one = paid({
    settlement: 'confirmed',
    minedAt: NOON + 5 * MINUTE,
    minedHeight: 77,
    confirmations: 10,
    confirmedAt: NOON + HOUR,
  })
  const received = { delivery: aDelivery(), attempts: [] }
  const confirmed = { delivery: aDelivery({ type: 'payment.confirmed', createdAt: NOON + HOUR }), attempts: [] }
  expect(titles({ ...one, deliveries: [received, confirmed] })).toEqual([
    'done Invoice created',
    'done S1 received over slatepack',
    'done S2 signed and handed to the payer',
    'done Seen by a node',
    'done Webhook payment.received to receiver 1 (shop.example)',
    'done Mined in block 77',
    'done Confirmed',
    'done Webhook payment.confirmed to receiver 1 (shop.example)',
  ])
})

test.each([
  ['received', 'now S2 signed; the payer does not have it yet (slatepack)'],
  ['replied', 'now Waits until the payer’s wallet publishes it'],
  ['seen', 'now Waits for a block'],
  ['mined', 'now Mined in block 5'],
  ['abandoned', 'bad Given up: no kernel came in time; a late one still counts'],
] as const)('a payment that is %s', (settlement, last) => {
  expect(titles(paid({ settlement, minedHeight: 5, minedAt: NOON + HOUR })).at(-1)).toBe(last)
})

test('depth is counted while it grows', () => {
  const steps = timeLineOf(
    paid({ settlement: 'mined', minedAt: NOON + HOUR, minedHeight: 5, confirmations: 3 }),
    CONTEXT,
  )
  expect(steps.at(-1)?.detail).toEqual(['3 of 10 confirmations'])
})

test('a reply that no relay takes says so, and when it is tried again', () => {
  const message = aMessage({
    state: 'pending',
    acceptedBy: [],
    attempts: 2,
    lastError: 'timeout',
    nextAttemptAt: NOON + HOUR,
  })
  const reply = timeLineOf(paid({ settlement: 'received', rail: 'nostr' }, [message]), CONTEXT)[2]
  expect(reply).toMatchObject({ state: 'now', detail: ['2 attempts: timeout', ', next', NOON + HOUR] })
  const given = timeLineOf(paid({ settlement: 'received' }, [{ ...message, state: 'given-up' }]), CONTEXT)[2]
  expect(given).toMatchObject({ state: 'bad', detail: ['given up after 2 attempts: timeout'] })
})

test('other messages are steps of their own', () => {
  expect(titles(paid({}, [aMessage(), aMessage({ kind: 'thanks', state: 'pending' })]))).toContain(
    'now Receipt for the payer over Nostr',
  )
})

test('a payment of the invoice’s own slate is I2 and I3', () => {
  const one = paid({})
  const own = { ...one, invoice: { ...one.invoice, slateId: one.invoice.paymentId } }
  expect(titles(own).slice(1, 3)).toEqual(['done I2 received over slatepack', 'done I3 signed and handed to the payer'])
})

test('a second payment is told from the one that settles', () => {
  const one = paid({})
  const [first] = one.payments
  const second = { payment: aPayment({ createdAt: NOON + HOUR, amount: grin(3) }), messages: [] }
  const steps = timeLineOf({ ...one, payments: first ? [first, second] : [] }, CONTEXT)
  expect(steps.filter(({ detail }) => detail.includes('; this payment does not settle the invoice'))).toHaveLength(1)
})

test('a webhook shows why it fails and what comes next', () => {
  const failing = aDelivery({
    state: 'pending',
    attempts: 3,
    lastError: 'HTTP 500',
    nextAttemptAt: NOON + HOUR,
    receiver: 2,
  })
  const [, step] = timeLineOf(record({}, { deliveries: [{ delivery: failing, attempts: [] }] }), CONTEXT)
  expect(step).toMatchObject({ state: 'bad', title: 'Webhook payment.received to receiver 2' })
  expect(step?.detail).toEqual(['waits, 3 attempts: HTTP 500', '; next', NOON + HOUR])
})

test('invoices that ended without a payment, and those priced anew', () => {
  expect(titles(record({ status: 'expired', expiresAt: NOON + HOUR })).at(-1)).toBe('bad Expired')
  expect(titles(record({ status: 'cancelled' })).at(-1)).toBe('bad Cancelled by the operator')
  const fiat = { amount: '12.50', currency: 'usd', rate: '0.1', source: 'x', rateAt: NOON + MINUTE }
  const steps = timeLineOf(record({ fiat, requotes: 2 }), CONTEXT)
  expect(steps.map(({ title }) => title)).toEqual(['Invoice created', 'Priced anew', 'Waits for a payment'])
  expect(steps[0]?.detail[0]).toBe('12.50 USD, 2 GRIN')
})
