// A till without wallet, store or chain: it keeps invoices in memory and answers pastes by what they contain. It is
// what routes and pages are tested against; the real till has its own tests.

import { nanoGrin } from '../../src/grin/amount/index.js'
import * as refusals from '../../src/till/errors.js'
import type {
  CreateInvoice,
  Delivery,
  Invoice,
  Payment,
  Till,
  TillSettings,
  TillStore,
  UserView,
} from '../../src/till/index.js'
import { createReports } from '../../src/till/reports/reports.js'
import { type Quick, quickTill } from './quick-stores.js'
import { anInvoice, aPayment, freshHex, grin, HOUR, NOON, tillSettings } from './till-builders.js'

export const ADDRESS = 'tgrin1qq7mx6xsfhvv7t3r8ztfrtjr2dxqq8m0n3yz9lk6gp0sxk7xv4aqsn3v8e'
/** As long as a real one. */
export const I1 = `BEGINSLATEPACK. ${Array.from({ length: 20 }, (_, i) => `I1x${String(i).padStart(2, '0')}kQm8vTzR4w`).join(' ')}. ENDSLATEPACK.`
export const REPLY = `BEGINSLATEPACK. ${Array.from({ length: 24 }, (_, i) => `S2x${String(i).padStart(2, '0')}kQm8vTzR4w`).join(' ')}. ENDSLATEPACK.`

const SETTINGS = tillSettings({ publicUrl: 'https://till.example', chain: 'mainnet' })

const aUser = (id: string): UserView => ({
  id,
  rotateInterval: null,
  epoch: 0,
  pubkey: freshHex(64),
  rotatedAt: NOON,
  createdAt: NOON,
  npub: 'npub1fake',
  nprofile: 'nprofile1fake',
  qrSvg: '<svg/>',
})

export const aDelivery = (over: Partial<Delivery> = {}): Delivery => ({
  eventId: freshHex(32),
  receiver: 1,
  type: 'payment.received',
  invoiceId: null,
  paymentId: null,
  body: '{}',
  createdAt: NOON,
  state: 'pending',
  attempts: 1,
  nextAttemptAt: NOON + HOUR,
  lastError: 'HTTP 500',
  ...over,
})

/** What a test may look at and change. */
export interface FakeTill extends Till {
  readonly invoices: Map<string, Invoice>
  readonly payments: Map<string, Payment>
  readonly deliveries: Map<string, Delivery>
  readonly asked: CreateInvoice[]
  /** Adds or changes an invoice and tells those who wait. */
  put(invoice: Partial<Invoice>): Invoice
  /** Creation waits for this. */
  gate: Promise<void>
  /** What reports count. */
  readonly reported: Quick<TillStore>
}

export function createFakeTill(settings: Partial<TillSettings> = {}): FakeTill {
  const invoices = new Map<string, Invoice>()
  const payments = new Map<string, Payment>()
  const deliveries = new Map<string, Delivery>()
  const users = new Map<string, UserView>()
  const replays = new Map<string, { readonly digest: string; readonly id: string }>()
  const waiting = new Set<() => void>()
  const asked: CreateInvoice[] = []
  let reported: Quick<TillStore> | undefined
  const byToken = (token: string) => [...invoices.values()].find((invoice) => invoice.token === token)
  const existing = (id: string): Invoice => {
    const invoice = invoices.get(id)
    if (!invoice) throw refusals.invoiceNotFound()
    return invoice
  }

  function put(change: Partial<Invoice>): Invoice {
    const before = change.id === undefined ? undefined : invoices.get(change.id)
    const invoice = before ? { ...before, ...change } : anInvoice(change)
    invoices.set(invoice.id, invoice)
    for (const tell of [...waiting]) tell()
    waiting.clear()
    return invoice
  }

  const till: FakeTill = {
    settings: { ...SETTINGS, ...settings },
    identity: { address: ADDRESS, pubkey: '1'.repeat(64), npub: 'npub1till', nprofile: 'nprofile1till' },
    invoices,
    payments,
    deliveries,
    asked,
    put,
    gate: Promise.resolve(),
    get reported() {
      reported ??= quickTill()
      return reported
    },

    async createInvoice(request, key) {
      await till.gate
      const before = key && replays.get(key.key)
      if (before && before.digest !== key.digest) throw refusals.idempotencyMismatch()
      if (before) return { invoice: existing(before.id), replayed: true }
      if (request.amountNanogrin === undefined && request.amountFiat === undefined) throw refusals.amountMissing()
      asked.push(request)
      const { amountFiat, currency = '', expirySecs } = request
      const invoice = put({
        fiat: amountFiat === undefined ? null : { amount: amountFiat, currency, rate: '0.08', source: 'fixed' },
        expiresAt: expirySecs === undefined ? null : NOON + expirySecs * 1000,
        amount: request.amountNanogrin === undefined ? grin(150) : grin(Number(request.amountNanogrin) / 1e9),
        orderRef: request.orderRef ?? null,
        memo: request.memo ?? null,
        returnUrl: request.returnUrl ?? null,
        tip: request.tip ?? null,
      })
      if (key) replays.set(key.key, { digest: key.digest, id: invoice.id })
      return { invoice, replayed: false }
    },
    findInvoice: async (id) => invoices.get(id),
    findByToken: async (token) => byToken(token),
    listInvoices: async ({ limit, status, orderRef }) => {
      const all = [...invoices.values()].filter(
        (invoice) =>
          (status === undefined || invoice.status === status) &&
          (orderRef === undefined || invoice.orderRef === orderRef),
      )
      return { items: all.slice(0, limit), next: all.length > limit ? 'more' : null }
    },
    async cancelInvoice(id) {
      const { status } = existing(id)
      if (status !== 'open') throw refusals.invoiceNotOpen(status)
      return put({ id, status: 'cancelled' })
    },
    async requote(token) {
      const invoice = byToken(token)
      if (!invoice) throw refusals.invoiceNotFound()
      if (!till.canRequote(invoice)) throw refusals.requoteRefused('only expired fiat invoices')
      return put({ id: invoice.id, status: 'open', amount: grin(151), requotes: invoice.requotes + 1 })
    },
    canRequote: ({ status, fiat }) => status === 'expired' && fiat !== null,
    // Like the real one: what differs already is answered at once, and every announcement ends the waiting.
    changed: async (seen, _ms, signal) => {
      const before = existing(seen.id)
      const same = before.status === seen.status && before.confirmations === seen.confirmations
      if (same && !signal?.aborted)
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
          signal?.addEventListener('abort', () => resolve())
        })
      return existing(seen.id)
    },

    takesPlainSends: async ({ offeredRail }) => offeredRail === 'grin1',
    async pasteSlatepack(token, text) {
      const invoice = byToken(token)
      if (!invoice) throw refusals.invoiceNotFound()
      const known = [...payments.values()].find(({ invoiceId }) => invoiceId === invoice.id)
      if (known && text.includes('good')) return { payment: known, slatepack: known.reply, repeated: true }
      if (invoice.status === 'paid' || invoice.status === 'confirmed')
        throw refusals.invoiceAlreadyPaid(invoice.status === 'paid' ? 'signed' : 'confirmed')
      if (invoice.status !== 'open') throw refusals.invoiceExpired()
      if (!text.includes('good')) throw refusals.wrongAmount(grin(2), invoice.amount)
      // A good answer (I2) to the invoice's own slate carries its id.
      const id = text.includes('good I2') && invoice.slateId ? { id: invoice.slateId } : {}
      const payment = aPayment({ ...id, invoiceId: invoice.id, amount: invoice.amount, reply: REPLY })
      payments.set(payment.id, payment)
      put({ id: invoice.id, status: 'paid', paidAt: NOON, paymentId: payment.id })
      return { payment, slatepack: REPLY, repeated: false }
    },

    findPayment: async (id) => payments.get(id),
    listPayments: async ({ limit }) => ({ items: [...payments.values()].slice(0, limit), next: null }),
    async assignPayment(paymentId, invoiceId) {
      const payment = payments.get(paymentId)
      if (!payment) throw refusals.paymentNotFound()
      const matched = { ...payment, invoiceId: existing(invoiceId).id }
      payments.set(paymentId, matched)
      return matched
    },
    async resendReply(paymentId) {
      const payment = payments.get(paymentId)
      if (!payment) throw refusals.paymentNotFound()
      if (payment.rail !== 'nostr') throw refusals.replyNotByNostr()
      return payment
    },
    async receipt(paymentId) {
      if (!payments.has(paymentId)) throw refusals.paymentNotFound()
      return {
        receipt: {
          version: 1,
          payment_id: paymentId,
          amount: 2_000_000_000,
          kernel_excess: '08'.padEnd(66, 'a'),
          confirmed_height: null,
          confirmations: null,
          proof: null,
          issued_at: '2026-07-01T12:00:00Z',
          server_pubkey: '1'.repeat(64),
        },
        sig: 'a'.repeat(128),
      }
    },

    listDeliveries: async ({ limit }) => ({ items: [...deliveries.values()].slice(0, limit), next: null }),
    findDelivery: async (id) => {
      const delivery = deliveries.get(id)
      return delivery && { delivery, attempts: [], all: [delivery] }
    },
    findIds: async (kind, prefix) =>
      [...{ invoice: invoices, payment: payments, event: deliveries }[kind].keys()]
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, 6),
    async replay(id) {
      const delivery = deliveries.get(id)
      if (!delivery) throw refusals.deliveryNotFound(id)
      return { ...delivery, attempts: 0, state: 'pending' }
    },
    testWebhook: async (receiver = 1) => ({
      eventId: freshHex(32),
      receiver,
      attempt: { number: 1, startedAt: NOON, durationMs: 12, httpStatus: 200, error: null, answerHead: 'ok' },
    }),

    async createUser(id = freshHex(32), rotateInterval = null) {
      if (users.has(id)) throw refusals.userExists(id)
      const user = { ...aUser(id), rotateInterval }
      users.set(id, user)
      return user
    },
    findUser: async (id) => users.get(id),
    listUsers: async (limit) => ({
      items: [...users.values()].slice(0, limit).map((user) => ({ ...user, balance: 3n })),
      next: null,
    }),
    async rotateUser(id) {
      const user = users.get(id)
      if (!user) throw refusals.userNotFound()
      const rotated = { ...user, epoch: user.epoch + 1, pubkey: freshHex(64) }
      users.set(id, rotated)
      return rotated
    },
    async setRotateInterval(id) {
      if (!users.has(id)) throw refusals.userNotFound()
    },

    report: (order) =>
      createReports({ store: till.reported, clock: { now: () => NOON, monotonic: () => 0 } }).make(order),
    today: async () => ({
      since: 0,
      received: { count: 2, amount: nanoGrin(3_500_000_000n) },
      confirmed: { count: 1, amount: nanoGrin(2_000_000_000n) },
      openInvoices: 3,
      unmatched: 1,
    }),
    balance: async () => ({ confirmed: { count: 1, amount: 2n ** 60n } }),
    status: async () => ({
      walletAddress: ADDRESS,
      npub: 'npub1till',
      node: { ok: true, height: 1_000_000, detail: 'at tip' },
      webhooks: {
        pending: 2,
        abandoned: 4,
        oldestSeconds: 75,
        receivers: [
          { receiver: 1, host: 'shop.example', pending: 0, oldestSeconds: null, failingSeconds: null, abandoned: 0 },
          { receiver: 2, host: 'names.example', pending: 2, oldestSeconds: 75, failingSeconds: 60, abandoned: 4 },
        ],
      },
      messages: { pending: 1, oldestSeconds: 7 },
      relays: [
        {
          url: 'wss://relay.example',
          state: 'connected',
          subscribed: true,
          since: NOON,
          lastError: null,
          roundTripMs: 41,
          received: 3,
          blamed: 0,
          challenges: false,
          oneTimeKeys: 'served',
        },
      ],
      inbox: { waiting: 0, retrying: 0, dropped: 0, outcomes: { received: 3 } },
      alarms: [],
    }),
    passes: {
      sweep: async () => {},
      issueSlates: async () => undefined,
      confirm: async () => {},
      look: async () => {},
      push: async () => {},
      deliver: async () => {},
      rotate: async () => {},
    },
  }
  return till
}
