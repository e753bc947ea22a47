// The till as its pages see it: reads of the store and of the running till, and the three changes that pages offer. Nothing that it answers
// opens a checkout: no token, seed or other secret is in it.
import type { NanoGrin } from '../../grin/amount/index.js'
import { createReadiness } from '../../http/index.js'
import type { Clock } from '../../lib/ports.js'
import type { Till, TillStatus } from '../api.js'
import type { ConsoleReads, DeliveryRow, MessageRow, PaymentRow } from '../console-reads.js'
import type { Attempt, Delivery, Invoice } from '../model.js'
import type { TillStore } from '../ports.js'
import type { Sum } from '../reports/model.js'
import { createDaySums, midnightBefore } from './day-sums.js'
import { createInvoiceSearch } from './search.js'

/** Counts end there. */
export const MOST_COUNTED = 10_000
/** Days of the chart on the page Today. */
export const CHART_DAYS = 30

type Secrets = 'token' | 'qrSvg' | 'payLink' | 'slatepack'

/** The token opens the checkout; code, link and slatepack are what it shows. */
export type ShownInvoice = Omit<Invoice, Secrets>

export interface PaymentRecord {
  readonly payment: PaymentRow
  readonly messages: readonly MessageRow[]
}

export interface DeliveryRecord {
  readonly delivery: DeliveryRow
  /** The latest, newest first. */
  readonly attempts: readonly Attempt[]
}

/** Everything about one invoice, oldest payment and event first; each list is bounded. */
export interface InvoiceRecord {
  readonly invoice: ShownInvoice
  readonly payments: readonly PaymentRecord[]
  readonly deliveries: readonly DeliveryRecord[]
}

export interface Health
  extends Pick<TillStatus, 'alarms' | 'node' | 'tipTime' | 'relays' | 'inbox' | 'messages'>,
    Pick<TillStatus['webhooks'], 'receivers'> {
  readonly checks: Awaited<ReturnType<ReturnType<typeof createReadiness>['findings']>>
}

/** Of one invoice: payments, deliveries (the latest; two events to eight receivers), and attempts of each. */
const MOST = { payments: 10, deliveries: 16, attempts: 12, candidates: 10 } as const
/** What the parts say may be this old: a node far away answers after the page. */
const HEALTH_AGE_MS = 10_000
/** Asked again in the background when it is older. */
const HEALTH_FRESH_MS = 2000

export type TillView = ReturnType<typeof createTillView>

export interface TillViewParts {
  readonly till: Till
  readonly store: ConsoleReads & Pick<TillStore, 'balance' | 'deliveriesOf' | 'idsLike'>
  readonly checks: Parameters<typeof createReadiness>[0]['checks']
  readonly clock: Clock
  /** Addresses, without user names and passwords. */
  readonly nodes: readonly string[]
}

export function createTillView({ till, store, checks, clock, nodes }: TillViewParts) {
  const { settings, identity } = till
  const sums = createDaySums(store, clock)
  const { search, payable } = createInvoiceSearch(store)
  const health = createHealth({ till, checks, clock })
  // The first page after a start finds the sums made. A failure shows on the page that asks next.
  const warmUp = async () => [await sums.last(CHART_DAYS), await sums.today('received')]
  warmUp().catch(() => undefined)

  const attemptsOf = async (delivery: DeliveryRow) => ({
    delivery,
    attempts: await store.latestAttempts(delivery.eventId, delivery.receiver, MOST.attempts),
  })
  const withLetters = async (payment: PaymentRow) => ({
    payment,
    messages: await store.messagesOfPayment(payment.id),
  })

  async function paymentsOf({ id, paymentId }: Invoice): Promise<readonly PaymentRow[]> {
    const payments = await store.paymentsOf(id, MOST.payments)
    if (paymentId === null || payments.some((one) => one.id === paymentId)) return payments
    const named = await store.paymentRow(paymentId)
    return named ? [...payments, named] : payments
  }

  return {
    setup: {
      chain: settings.chain,
      confirmations: settings.confirmations,
      nodes,
      walletAddress: identity.address,
      npub: identity.npub,
    },
    health: health.read,
    async figures() {
      const now = clock.now()
      const [received, confirmed, counts, balance] = await Promise.all([
        sums.today('received'),
        sums.today('confirmed'),
        store.openCounts(MOST_COUNTED),
        store.balance(),
      ])
      const unsent = total([balance.received, balance.replied])
      const underWay = total([unsent, balance.seen, balance.mined])
      return { since: midnightBefore(now), received, confirmed, underWay, unsent, ...counts }
    },
    days: sums.last,
    invoices: search,
    async invoice(id: string): Promise<InvoiceRecord | undefined> {
      const found = await till.findInvoice(id)
      if (!found) return undefined
      const { items } = await store.deliveryRows({ by: 'invoice', invoiceId: id }, { limit: MOST.deliveries })
      return {
        invoice: withoutSecrets(found),
        payments: await Promise.all((await paymentsOf(found)).map(withLetters)),
        deliveries: await Promise.all(items.toReversed().map(attemptsOf)),
      }
    },
    payments: store.paymentRows,
    async payment(id: string): Promise<PaymentRecord | undefined> {
      const payment = await store.paymentRow(id)
      return payment && withLetters(payment)
    },
    /** Invoices that could take this amount: open or expired without a payment, newest first; a bounded search. */
    invoicesFor: (amount: NanoGrin) => payable(amount, MOST.candidates),
    deliveries: store.deliveryRows,
    /** One for each receiver of the event; empty: there is no such event. */
    deliveriesOf: async (eventId: string): Promise<readonly DeliveryRecord[]> =>
      Promise.all((await store.deliveriesOf(eventId)).map((delivery) => attemptsOf(withoutBody(delivery)))),
    cancel: async (invoiceId: string) => void (await till.cancelInvoice(invoiceId)),
    replay: async (eventId: string, receiver: number) => void (await till.replay(eventId, receiver)),
    assign: async (paymentId: string, invoiceId: string) => void (await till.assignPayment(paymentId, invoiceId)),
    /** A text that differs once anything changed that a page could show. */
    changeMark: async (): Promise<string> => `${await store.changeMark()} ${health.digest()}`,
  }
}

const total = (parts: readonly Sum[]): Sum => ({
  count: parts.reduce((sum, { count }) => sum + count, 0),
  amount: parts.reduce((sum, { amount }) => sum + amount, 0n),
})

const withoutSecrets = <T extends Pick<Invoice, 'id'>>({
  token: _token,
  qrSvg: _code,
  payLink: _link,
  slatepack: _armor,
  ...invoice
}: T & Partial<Pick<Invoice, Secrets>>) => invoice

const withoutBody = ({ body: _body, ...delivery }: Delivery): DeliveryRow => delivery

/** What the parts say. A younger answer is shown while the next one is under way, so that a node that hangs holds up no page. */
function createHealth({ till, checks, clock }: Pick<TillViewParts, 'till' | 'checks' | 'clock'>) {
  const readiness = createReadiness({ checks, clock })
  let last: { readonly health: Health; readonly at: number } | undefined
  let asking: Promise<Health> | undefined

  async function ask(): Promise<Health> {
    try {
      const [found, status] = await Promise.all([readiness.findings(), till.status()])
      const { alarms, node, tipTime, relays, inbox, messages } = status
      const health = {
        checks: found,
        alarms,
        node,
        tipTime,
        relays,
        inbox,
        messages,
        receivers: status.webhooks.receivers,
      }
      last = { health, at: clock.monotonic() }
      return health
    } finally {
      asking = undefined
    }
  }

  const age = (): number => (last ? clock.monotonic() - last.at : Number.POSITIVE_INFINITY)

  /** A failure is reported to the next reader who waits. */
  function askAhead(): void {
    asking ??= ask()
    asking.catch(() => undefined)
  }

  return {
    async read(): Promise<Health> {
      if (last && age() < HEALTH_FRESH_MS) return last.health
      askAhead()
      return last && age() < HEALTH_AGE_MS ? last.health : (asking ?? ask())
    },
    /** What pages show of it, as a text that changes with it. Asks again once it is old. */
    digest(): string {
      if (age() >= HEALTH_AGE_MS / 2) askAhead()
      const { checks: parts = [], alarms = [], relays = [], node } = last?.health ?? {}
      const states = [...parts.map(({ ok }) => ok), ...relays.map(({ state, subscribed }) => `${state} ${subscribed}`)]
      return [node?.height, ...states, alarms.length].join(' ')
    },
  }
}
