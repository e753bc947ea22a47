// A payer takes a payment back whose reply it will not use (specification: invoicing, 4.7, void messages).
import type { Lock } from '../locks.js'
import type { Invoice, Payment } from '../model.js'
import type { TillParts } from '../parts.js'

export interface VoidsParts extends Pick<TillParts, 'store' | 'clock' | 'log'> {
  readonly lock: Lock
  readonly announce: (invoiceId: string) => void
}

/**
 * Times that one invoice is opened again. Paying and taking back costs nothing: without a bound one pay link would fill the database
 * and call the shop's webhook for ever. Afterwards the last payment stands until it settles or times out.
 */
const REOPENINGS = { kind: 'reopening', limit: 3, windowMs: 24 * 3_600_000 } as const

/** The payer's own payment, and no kernel of it was seen. */
const isVoidable = ({ payer, settlement }: Payment, author: string): boolean =>
  payer === author && (settlement === 'received' || settlement === 'replied')

/**
 * Answers `voidPayment`: false when this author may not, or it is too late. The kernel stays watched, so that a payer who lies
 * gains nothing: its payment comes back by itself.
 */
export function createVoids({ store, clock, log, lock, announce }: VoidsParts) {
  const invoiceOf = ({ invoiceId }: Payment): Promise<Invoice | undefined> =>
    invoiceId === null ? Promise.resolve(undefined) : store.invoiceById(invoiceId)

  async function giveBack(payment: Payment): Promise<boolean> {
    const now = clock.now()
    const invoice = await invoiceOf(payment)
    const inTime = invoice !== undefined && isInTime(invoice, now)
    if (inTime && !(await store.takeUse({ ...REOPENINGS, key: invoice.id, now }))) return false
    if (!(await store.abandonPayment(payment.id, now, inTime))) return false
    log.info(
      { payment: payment.id, invoice: payment.invoiceId, to: inTime ? 'open' : 'expired' },
      'payment taken back by its payer',
    )
    if (invoice) announce(invoice.id)
    return true
  }

  return (paymentId: string, author: string): Promise<boolean> =>
    lock(`payment:${paymentId}`, async () => {
      const payment = await store.paymentById(paymentId)
      return payment !== undefined && isVoidable(payment, author) && giveBack(payment)
    })
}

const isInTime = ({ expiresAt }: Invoice, now: number): boolean => expiresAt === null || expiresAt > now
