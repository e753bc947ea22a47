// The native invoice slate (I1) of an invoice on the grin1 rail (specification: invoicing, 5.4).
import { messageOf } from '../lib/errors.js'
import { GRACE_MS } from './matching.js'
import type { Invoice } from './model.js'
import type { TillParts } from './parts.js'
import type { IssuedSlate } from './ports.js'

/** Slates that are closed in one go; the rest waits for the next. */
const MOST_AT_ONCE = 1000

/** Invoices that get a fresh slate in one pass; the rest waits for the next. */
const MOST_MISSING = 1000

/** Issuing and closing. An invoice without its slate can still be paid in every other way. */
export function createInvoiceSlates({
  store,
  wallet,
  clock,
  log,
  settings,
}: Pick<TillParts, 'store' | 'wallet' | 'clock' | 'log' | 'settings'>) {
  async function make({ id, amount }: Pick<Invoice, 'id' | 'amount'>): Promise<IssuedSlate> {
    const { slate, armor } = await wallet.issue(amount, await store.takeKeyIndex())
    return { slate: { ...slate, invoiceId: id, state: 'open', createdAt: clock.now() }, armor }
  }

  /** Undefined off the rail, and when it fails, which is only logged. Throws when the wallet is stopped. */
  async function issue(invoice: Pick<Invoice, 'id' | 'amount' | 'rail'>): Promise<IssuedSlate | undefined> {
    if (invoice.rail === null) return undefined
    return make(invoice).catch((cause: unknown) => {
      if (wallet.fault() !== undefined) throw cause // there is no other way to pay
      log.warn(
        { invoice: invoice.id, cause: messageOf(cause) },
        'no slate for this invoice; its other ways to pay work',
      )
      return undefined
    })
  }

  return {
    issue,
    /**
     * Gives a fresh slate to open invoices that show none: after a start, when all slates were closed, and after a payment that was
     * taken back. One proof at a time, so that payers' slates find a free worker. Ends early when `signal` aborts; a process that dies in
     * between leaves the rest to the next pass.
     */
    async issueMissing(signal?: AbortSignal): Promise<void> {
      if (!settings.grin1Rail || wallet.fault() !== undefined) return
      const missing = await store.invoicesWithoutSlate(clock.now(), MOST_MISSING)
      let count = 0
      for (const invoice of missing) {
        if (signal?.aborted) break
        const issued = await issue(invoice)
        if (issued && (await store.replaceInvoiceSlate(issued.slate, issued.armor)) === 'replaced') count += 1
      }
      if (count > 0) log.info({ slates: count, missing: missing.length }, 'fresh invoice slates issued')
    },
    /** Wipes the secrets of slates that nobody may answer any more. An I2 on its way has the grace of every rail. */
    async closeEnded(): Promise<void> {
      while ((await store.closeInvoiceSlates(clock.now() - GRACE_MS, MOST_AT_ONCE)) === MOST_AT_ONCE);
    },
  }
}

/** The invoice with its slate on it, as both are stored. */
export const withSlate = (invoice: Invoice, issued: IssuedSlate | undefined): Invoice =>
  issued ? { ...invoice, slateId: issued.slate.slateId, slatepack: issued.armor } : invoice
