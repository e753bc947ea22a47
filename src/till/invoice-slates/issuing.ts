// The native invoice slate (I1) of an invoice on a rail that issues one (grin1; specification: invoicing, 5.4).
import { messageOf } from '../../lib/errors.js'
import type { Invoice } from '../model.js'
import type { TillParts } from '../parts.js'
import { GRACE_MS } from '../payments/matching.js'
import type { IssuedSlate } from '../ports.js'
import type { Rails } from '../rails.js'

/** Slates that are closed in one go; the rest waits for the next. */
const MOST_AT_ONCE = 1000

/** Invoices that get a fresh slate in one pass; the rest waits for the next. */
const MOST_MISSING = 50
/** Invoices whose payers are waited for; others get theirs in their turn. */
const MOST_LOOKED_AT = 1000

interface InvoiceSlatesParts
  extends Pick<TillParts, 'store' | 'wallet' | 'clock' | 'log' | 'settings' | 'hasSpareKey'> {
  readonly rails: Rails
}

/** Issuing and closing. An invoice without its slate can still be paid in every other way. */
export function createInvoiceSlates({ store, wallet, clock, log, settings, hasSpareKey, rails }: InvoiceSlatesParts) {
  const isOffered = rails.can(rails.offeredUnder(settings), 'issuesSlate')
  /** Ids of invoices without a slate that a payer or the shop looked at, in that order. */
  const lookedAt = new Set<string>()
  let fresh = 0

  async function make({ id, amount }: Pick<Invoice, 'id' | 'amount'>): Promise<IssuedSlate> {
    const { slate, armor } = await wallet.issue(amount, await store.takeKeyIndex())
    return { slate: { ...slate, invoiceId: id, state: 'open', createdAt: clock.now() }, armor }
  }

  /** Undefined off the rail, and when it fails, which is only logged. Throws when the wallet is stopped. */
  async function issue(invoice: Pick<Invoice, 'id' | 'amount' | 'offeredRail'>): Promise<IssuedSlate | undefined> {
    if (!rails.can(invoice.offeredRail, 'issuesSlate')) return undefined
    return make(invoice).catch((cause: unknown) => {
      if (wallet.fault() !== undefined) throw cause // there is no other way to pay
      log.warn(
        { invoice: invoice.id, cause: messageOf(cause) },
        'no slate for this invoice; its other ways to pay work',
      )
      return undefined
    })
  }

  const lacksSlate = ({ offeredRail, status, slatepack, expiresAt }: Invoice): boolean =>
    rails.can(offeredRail, 'issuesSlate') &&
    status === 'open' &&
    slatepack === null &&
    (expiresAt === null || expiresAt > clock.now())

  /** One line when the last invoice stops waiting, not one for each second. */
  function note(count: number, isDone: boolean): void {
    fresh += count
    if (fresh === 0 || !isDone) return
    log.info({ slates: fresh }, 'fresh invoice slates issued: no open invoice waits for one')
    fresh = 0
  }

  /** Those that were looked at first, then the newest. */
  async function missing(): Promise<readonly Invoice[]> {
    const ids = [...lookedAt].slice(0, MOST_MISSING)
    const asked = await Promise.all(ids.map((id) => store.invoiceById(id)))
    const first = asked.flatMap((invoice) => (invoice && lacksSlate(invoice) ? [invoice] : []))
    const lacking = new Set(first.map(({ id }) => id))
    for (const id of ids) if (!lacking.has(id)) lookedAt.delete(id)
    const others = await store.invoicesWithoutSlate(clock.now(), MOST_MISSING)
    return [...first, ...others.filter(({ id }) => !lacking.has(id))]
  }

  return {
    issue,
    /** The next pass serves this invoice before the others, should it lack its slate. */
    lookAt(invoice: Invoice): void {
      if (isOffered && lookedAt.size < MOST_LOOKED_AT && lacksSlate(invoice)) lookedAt.add(invoice.id)
    },
    /**
     * Gives a fresh slate to open invoices that show none: after a start, when all slates were closed, and after a payment that was
     * taken back. As many as there are keys to spare, one proof at a time, so that payers' slates find a free worker. Ends early when
     * `signal` aborts; a process that dies in between leaves the rest to the next pass.
     */
    async issueMissing(signal?: AbortSignal): Promise<void> {
      if (!isOffered || wallet.fault() !== undefined) return
      const waiting = await missing()
      let count = 0
      for (const invoice of waiting) {
        if (signal?.aborted || !(await hasSpareKey())) break
        const issued = await issue(invoice)
        lookedAt.delete(invoice.id)
        if (issued && (await store.replaceInvoiceSlate(issued.slate, issued.armor)) === 'replaced') count += 1
      }
      note(count, count === waiting.length)
    },
    /** Wipes the secrets of slates that can no longer be answered, after the grace period for an I2 that is under way. */
    async closeEnded(): Promise<void> {
      while ((await store.closeInvoiceSlates(clock.now() - GRACE_MS, MOST_AT_ONCE)) === MOST_AT_ONCE);
    },
  }
}

/** The invoice with its slate on it, as both are stored. */
export const withSlate = (invoice: Invoice, issued: IssuedSlate | undefined): Invoice =>
  issued ? { ...invoice, slateId: issued.slate.slateId, slatepack: issued.armor } : invoice
