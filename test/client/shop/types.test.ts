// The types that shops are promised, held to what the till really answers and sends. The compiler is the judge of the first part.
import { expect, test } from 'vitest'
import type { Invoice, InvoiceStatus, NewInvoice, ShopEvent } from '../../../src/client/shop/index.js'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import type { EventType, InvoiceView } from '../../../src/till/index.js'
import { EVENT_TYPES } from '../../../src/till/model.js'
import { TILL_WEBHOOKS } from '../../../src/till/routes/openapi.js'
import { createInvoiceBody } from '../../../src/till/routes/requests.js'
import { paymentBody, testEvent } from '../../../src/till/webhooks/events.js'

/** Both ways: nothing missing, nothing invented. `amount_nanogrin` is a number in every invoice that a till makes. */
type Same<A, B> = [A, B] extends [B, A] ? true : never
type Plain<V> = Omit<V, 'amount_nanogrin'>
const same: [
  Same<Plain<Invoice>, Plain<InvoiceView>>,
  Same<InvoiceStatus, InvoiceView['status']>,
  Same<ShopEvent['event_type'], EventType>,
] = [true, true, true]

test('invoice, states and event types are the same', () => expect(same).toEqual([true, true, true]))

test('what may be sent is what the till takes', () => {
  const all: Required<Omit<Extract<NewInvoice, { amount_grin: number }>, 'amount_fiat' | 'currency'>> &
    Pick<Required<Extract<NewInvoice, { amount_fiat: string }>>, 'amount_fiat' | 'currency'> = {
    amount_grin: 1,
    amount_fiat: '1',
    currency: 'usd',
    order_ref: 'x',
    memo: 'x',
    match_mode: 'memo',
    expiry_secs: 60,
    return_url: 'https://shop.example/',
  }
  expect(Object.keys(all).sort()).toEqual(Object.keys(createInvoiceBody.shape).sort())
})

const BASE = { event_id: 'e', created_at: '2026-07-01T12:00:00Z', invoice_id: 'i', order_ref: null, user_id: null }
const PAID = { slate_id: 's', amount: 1_500_000_000, amount_grin: '1.5', payer: null }
const payment = {
  id: 's',
  amount: nanoGrin(1_500_000_000n),
  payer: null,
  userId: null,
  minedHeight: 7,
  confirmations: 10,
}
const NOON = Date.UTC(2026, 6, 1, 12)

test.each<[ShopEvent]>([
  [{ ...BASE, event_type: 'payment.received', payment: { ...PAID, status: 'received', confirmed_height: null } }],
  [
    {
      ...BASE,
      event_type: 'payment.confirmed',
      payment: { ...PAID, status: 'confirmed', confirmed_height: 7, confirmations: 10 },
    },
  ],
])('events are what the till writes: %j', (event) => {
  if (event.event_type === 'test.ping') return
  const facts = { type: event.event_type, payment, invoice: { id: 'i', orderRef: null } }
  expect(JSON.parse(paymentBody(facts, 'e', NOON))).toEqual(event)
  const ids = {
    slate_id: '0436430c-2b02-624c-2032-570501212b00',
    event_id: 'e1'.repeat(16),
    invoice_id: '9b'.repeat(16),
  }
  const sent = { ...event, ...ids, payment: { ...event.payment, slate_id: ids.slate_id } }
  const { slate_id: _, ...described } = sent
  expect(TILL_WEBHOOKS[event.event_type]?.schema.parse(described)).toEqual(described)
})

test('so is the test event', () => {
  const ping: ShopEvent = {
    ...BASE,
    event_id: '00'.repeat(16),
    invoice_id: null,
    event_type: 'test.ping',
    payment: null,
  }
  expect(JSON.parse(testEvent(1, { bytes: (n) => new Uint8Array(n) }, NOON).body)).toEqual(ping)
  expect(TILL_WEBHOOKS['test.ping']?.schema.parse(ping)).toEqual(ping)
  expect(Object.keys(TILL_WEBHOOKS).sort()).toEqual([...EVENT_TYPES].sort())
})
