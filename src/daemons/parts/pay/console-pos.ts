// The point of sale on this till: its sales are ordinary invoices, made by the same verb as POST /invoice.
import type { NewSale, PaidFrom, Sale, SaleDesk } from '../../../console/index.js'
import { bodyDigest, type Readiness } from '../../../http/index.js'
import { progressOf } from '../../../lib/payment-words.js'
import { type Invoice, type Rates, type SaleReads, type SaleRow, scannedLink, type Till } from '../../../till/index.js'
import { USUAL_NODE_PORT } from '../../sandbox-ports.js'
import { createRateLook, type RateLookParts } from './console-rates.js'

export interface SaleDeskParts {
  readonly till: Till
  readonly store: SaleReads
  readonly rates: Pick<Rates, 'rate'>
  readonly readiness: Readiness
  /** Whether customers are offered payments over Nostr. */
  readonly offersWallets: boolean
  /** What the counter calls paid (PAY_POS_PAID_AT). */
  readonly paidFrom: PaidFrom
  /** Of the first Grin node: where it is a sandbox, its command line finds it there. */
  readonly nodeUrl?: string | undefined
  readonly clock: RateLookParts['clock'] & { now(): number }
}

const PREFIX = 'pos-'

const portFlag = (nodeUrl?: string): string => {
  const port = nodeUrl === undefined ? '' : new URL(nodeUrl).port
  return port === '' || Number(port) === USUAL_NODE_PORT ? '' : ` --node-port ${port}`
}

/** A customer at the counter pays at once; a price in fiat may end sooner (PAY_QUOTE_TTL). */
const EXPIRY_SECONDS = 900
const LEAST_WAIT_MS = 1000
/** What `/ready` finds is shown as last heard of where asking takes longer. */
const PATIENCE_MS = 10

export function createSaleDesk(parts: SaleDeskParts): SaleDesk {
  const { till, store, readiness, clock } = parts
  const { currencies, chain, publicUrl } = till.settings
  const rateOf = createRateLook(parts)
  let failed: readonly string[] = []

  async function look(): Promise<void> {
    const findings = await readiness.findings()
    failed = findings.filter(({ ok, informative }) => !ok && !informative).map(({ name }) => name)
  }

  const isSale = ({ orderRef }: Invoice): boolean => orderRef?.startsWith(PREFIX) ?? false

  async function findInvoice(id: string): Promise<Invoice | undefined> {
    const invoice = await till.findInvoice(id)
    return invoice && isSale(invoice) ? invoice : undefined
  }

  async function saleOf(invoice: SaleRow): Promise<Sale> {
    const { paymentId, status } = invoice
    const payment = status === 'paid' && paymentId !== null ? await till.findPayment(paymentId) : undefined
    const isSigned = status === 'paid' || status === 'confirmed'
    const { confirmations } = invoice
    const progress = isSigned ? progressOf({ status, confirmations, settlement: payment?.settlement }) : null
    return { ...shownOf(invoice), progress, paidFrom: parts.paidFrom, required: till.settings.confirmations }
  }

  return {
    currencies: () => Promise.all(currencies.map(async (code) => ({ code, rate: await rateOf(code) }))),
    async notReady() {
      const patience = new AbortController()
      await Promise.race([look(), clock.sleep(PATIENCE_MS, patience.signal)])
      patience.abort()
      return failed
    },
    async open(sale) {
      const { key, ...request } = sale
      const created = await till.createInvoice(requestOf(sale), { key: `pos:${key}`, digest: digestOf(request) })
      return { sale: await saleOf(created.invoice), isRepeated: created.replayed }
    },
    async find(id) {
      const invoice = await findInvoice(id)
      return invoice && saleOf(invoice)
    },
    async codes(id) {
      const invoice = await findInvoice(id)
      if (!invoice) return undefined
      const wallet = parts.offersWallets ? scannedLink(invoice, till.settings.uriScheme) : null
      return { wallet, page: `${publicUrl}/pay/${invoice.token}` }
    },
    async changed(seen, ms, signal) {
      const before = await till.findInvoice(seen.id)
      if (!before) return seen
      const current = await saleOf(before)
      if (!isSame(current, seen)) return current
      const startedAt = clock.now()
      const after = await saleOf(await till.changed(before, ms, signal))
      // Where too many wait already, the answer comes at once.
      const rest = Math.min(LEAST_WAIT_MS, startedAt + LEAST_WAIT_MS - clock.now())
      if (isSame(after, seen) && rest > 0) await clock.sleep(rest, signal)
      return after
    },
    async cancel(id) {
      await till.cancelInvoice(id)
    },
    latest: async (limit) => Promise.all((await store.latestOfOrders(PREFIX, limit)).map(saleOf)),
    payCommand: (id) => (chain === 'sandbox' ? `grinpay sandbox pay ${id}${portFlag(parts.nodeUrl)}` : null),
  }
}

const isSame = (a: Sale, b: Sale): boolean =>
  a.status === b.status && a.confirmations === b.confirmations && a.progress === b.progress

const shownOf = ({
  id,
  status,
  amount,
  fiat,
  memo,
  orderRef,
  createdAt,
  expiresAt,
  paidAt,
  confirmations,
  tip,
}: SaleRow) => ({
  id,
  status,
  amount,
  fiat: fiat && { amount: fiat.amount, currency: fiat.currency },
  note: memo,
  reference: orderRef ?? '',
  createdAt,
  expiresAt,
  paidAt,
  confirmations,
  tip,
})

const requestOf = ({ price, note, reference, tip }: NewSale): Parameters<Till['createInvoice']>[0] => ({
  ...('grin' in price ? { amountNanogrin: price.grin } : { amountFiat: price.fiat, currency: price.currency }),
  ...(note !== null && { memo: note }),
  ...(tip !== null && { tip }),
  orderRef: reference,
  expirySecs: EXPIRY_SECONDS,
})

/** What makes two sends of a form the same sale: not the moment that its reference names. */
const digestOf = ({ price, note }: Pick<NewSale, 'price' | 'note'>): string =>
  bodyDigest('grin' in price ? { grin: String(price.grin), note } : { ...price, note })
