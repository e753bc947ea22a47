// A till's view in memory: what its pages are tested and looked at with. Everything may be replaced.

import type { DeliveryRecord, Health, InvoiceRecord, TillView } from '../../src/till/console/view.js'
import type { DeliveryRow, PaymentRow } from '../../src/till/console-reads.js'
import { anInvoice, aPayment, DAY, freshHex, grin, HOUR, MINUTE, NOON } from './till-builders.js'

const aDeliveryRow = (over: Partial<DeliveryRow> = {}): DeliveryRow => ({
  eventId: freshHex(32),
  receiver: 1,
  type: 'payment.received',
  invoiceId: null,
  paymentId: null,
  createdAt: NOON,
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastError: null,
  ...over,
})

export const HEALTHY: Health = {
  checks: ['database', 'wallet', 'node', 'webhooks', 'relays'].map((name) => ({
    name,
    ok: true,
    detail: 'fine',
    since: NOON - DAY,
  })),
  alarms: [],
  node: { ok: true, height: 2_750_001, detail: 'at block 2750001' },
  tipTime: NOON - MINUTE,
  relays: [
    {
      url: 'wss://relay.example',
      state: 'connected',
      subscribed: true,
      since: NOON - DAY,
      lastError: null,
      roundTripMs: 41.370_000_004,
      received: 311,
      blamed: 0,
      challenges: false,
      oneTimeKeys: 'served',
    },
    {
      url: 'wss://other.example',
      state: 'waiting',
      subscribed: false,
      since: NOON - HOUR,
      lastError: 'connect ECONNREFUSED',
      roundTripMs: null,
      received: 0,
      blamed: 0,
      challenges: false,
      oneTimeKeys: 'served',
    },
  ],
  inbox: { waiting: 0, retrying: 1, dropped: 0, outcomes: { received: 42, refused: 3 } },
  receivers: [
    { receiver: 1, host: 'shop.example', pending: 0, oldestSeconds: null, failingSeconds: null, abandoned: 0 },
    { receiver: 2, host: 'books.example', pending: 2, oldestSeconds: 75, failingSeconds: 60, abandoned: 4 },
  ],
  messages: { pending: 1, oldestSeconds: 7 },
}

export interface FakeTillView extends TillView {
  readonly records: Map<string, InvoiceRecord>
  readonly paid: Map<string, PaymentRow>
  readonly events: Map<string, readonly DeliveryRecord[]>
  /** What was changed, as words. */
  readonly done: string[]
  healthNow: Health
  mark: number
}

export function createFakeTillView(over: Partial<TillView> = {}): FakeTillView {
  const records = new Map<string, InvoiceRecord>()
  const paid = new Map<string, PaymentRow>()
  const events = new Map<string, readonly DeliveryRecord[]>()
  const done: string[] = []
  const page = <T>(items: readonly T[], { limit }: { readonly limit: number }) => ({
    items: items.slice(0, limit),
    next: items.length > limit ? '1-1' : null,
  })
  const till: FakeTillView = {
    records,
    paid,
    events,
    done,
    healthNow: HEALTHY,
    mark: 0,
    setup: {
      chain: 'testnet',
      confirmations: 10,
      nodes: ['https://node.example'],
      walletAddress: 'tgrin1address',
      npub: 'npub1till',
    },
    health: async () => till.healthNow,
    figures: async () => ({
      since: NOON - 12 * HOUR,
      received: { count: 7, amount: grin(123.5) },
      confirmed: { count: 5, amount: grin(101.25) },
      underWay: { count: 2, amount: grin(22.25) },
      unsent: { count: 1, amount: grin(2.25) },
      openInvoices: 12,
      waitingPayments: [...paid.values()].filter(({ invoiceId }) => invoiceId === null).length,
      abandonedDeliveries: 4,
    }),
    days: async (count) =>
      Array.from({ length: count }, (_, at) => ({
        day: NOON - 12 * HOUR - (count - 1 - at) * DAY,
        count: at % 7 === 3 ? 0 : 2 + (at % 5),
        amount: at % 7 === 3 ? 0n : grin(20 + ((at * 37) % 90)),
      })),
    invoices: async ({ text, status, limit }) => {
      const rows = [...records.values()].map(({ invoice }) => invoice)
      const found = rows.filter(
        (one) =>
          (status === undefined || one.status === status) &&
          (text === '' || one.id.startsWith(text) || (one.memo ?? '').includes(text)),
      )
      return { ...page(found.toReversed(), { limit }), ...(text !== '' && { searchedBackTo: NOON - DAY }) }
    },
    invoice: async (id) => records.get(id),
    payments: async (choice, request) =>
      page(
        [...paid.values()].filter((one) => choice === 'all' || (choice === 'waiting' && one.invoiceId === null)),
        request,
      ),
    async payment(id) {
      const payment = paid.get(id)
      return payment && { payment, messages: [] }
    },
    invoicesFor: async (amount) =>
      [...records.values()]
        .map(({ invoice }) => invoice)
        .filter((one) => one.amount === amount && one.status === 'open'),
    deliveries: async (_choice, request) =>
      page(
        [...events.values()].flat().map(({ delivery }) => delivery),
        request,
      ),
    deliveriesOf: async (id) => events.get(id) ?? [],
    cancel: async (id) => void done.push(`cancel ${id}`),
    replay: async (id, receiver) => void done.push(`replay ${id} ${receiver}`),
    assign: async (payment, invoice) => void done.push(`assign ${payment} ${invoice}`),
    changeMark: async () => String(till.mark),
    ...over,
  }
  return till
}

/** A till with an invoice in every state, a payment that waits and a webhook that fails. `text` stands wherever customers write. */
export function createBusyTill(
  text = 'Table 7: two coffees & a croissant',
): FakeTillView & { readonly ids: Record<'open' | 'mined' | 'waits' | 'failing', string> } {
  const till = createFakeTillView()
  const put = (invoice: Parameters<typeof anInvoice>[0], rest: Partial<InvoiceRecord> = {}) => {
    const one = anInvoice({ orderRef: text, memo: text, ...invoice })
    till.records.set(one.id, { invoice: one, payments: [], deliveries: [], ...rest })
    return one
  }
  const fiat = { amount: '12.50', currency: 'eur', rate: '0.0831', source: 'coingecko', rateAt: NOON }
  put({ status: 'expired', createdAt: NOON - DAY, expiresAt: NOON - DAY + HOUR })
  put({ status: 'cancelled', createdAt: NOON - 5 * HOUR })
  put({ status: 'confirmed', createdAt: NOON - 4 * HOUR, confirmations: 10, amount: grin(150.421203) })
  const failing = aDeliveryRow({
    state: 'pending',
    attempts: 3,
    lastError: `HTTP 500 ${text}`,
    nextAttemptAt: NOON + 4 * MINUTE,
    receiver: 2,
    createdAt: NOON - 50 * MINUTE,
  })
  const attempts = [3, 2, 1].map((number) => ({
    number,
    startedAt: NOON - (60 - number * 10) * MINUTE,
    durationMs: 812,
    httpStatus: 500,
    error: `HTTP 500 ${text}`,
    answerHead: text,
  }))
  const payment = aPayment({
    rail: 'nostr',
    settlement: 'mined',
    createdAt: NOON - 50 * MINUTE,
    minedAt: NOON - 20 * MINUTE,
    minedHeight: 2_749_998,
    confirmations: 4,
    amount: grin(150.421203),
    payer: 'ab'.repeat(32),
  })
  const mined = put(
    {
      status: 'paid',
      createdAt: NOON - HOUR,
      expiresAt: NOON,
      amount: payment.amount,
      fiat,
      requotes: 1,
      paymentId: payment.id,
      confirmations: 4,
    },
    {
      payments: [
        {
          payment,
          messages: [
            {
              paymentId: payment.id,
              layout: 'plain',
              kind: 'reply',
              state: 'sent',
              createdAt: payment.createdAt,
              attempts: 1,
              nextAttemptAt: null,
              acceptedBy: ['wss://relay.example', 'wss://other.example'],
              lastError: null,
            },
          ],
        },
      ],
      deliveries: [
        {
          delivery: aDeliveryRow({ createdAt: NOON - 50 * MINUTE }),
          attempts: [
            {
              number: 1,
              startedAt: NOON - 49 * MINUTE,
              durationMs: 40,
              httpStatus: 200,
              error: null,
              answerHead: 'ok',
            },
          ],
        },
        { delivery: failing, attempts },
      ],
    },
  )
  till.paid.set(payment.id, { ...payment, invoiceId: mined.id })
  const open = put({ createdAt: NOON - 3 * MINUTE, expiresAt: NOON + 12 * MINUTE, amount: grin(7) })
  const waits = aPayment({
    amount: grin(7),
    settlement: 'confirmed',
    confirmedAt: NOON,
    confirmations: 12,
    minedHeight: 9,
  })
  till.paid.set(waits.id, waits)
  till.events.set(failing.eventId, [{ delivery: failing, attempts }])
  return Object.assign(till, { ids: { open: open.id, mined: mined.id, waits: waits.id, failing: failing.eventId } })
}

/** The same till when much is wrong. */
export const troubled = (text = 'connect ECONNREFUSED 127.0.0.1:3413'): Health => ({
  ...HEALTHY,
  checks: HEALTHY.checks.map((check) =>
    check.name === 'node' ? { ...check, ok: false, detail: text, since: NOON - 11 * MINUTE } : check,
  ),
  node: { ok: false, height: 2_750_001, detail: text },
  alarms: [
    'webhook receiver 2: books.example has taken no delivery for more than an hour, 2 wait; grinpay webhook list --receiver 2 --failed tells why',
    `payment ${freshHex(8)}: its kernel came after invoice ${freshHex(32)} was cancelled`,
  ],
})
