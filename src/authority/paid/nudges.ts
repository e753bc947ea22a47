// Webhooks only say "look again" (specification: names, 9): what counts is what the service answers then.
import type { SaleParts } from './parts.js'
import type { Polls } from './polls.js'

/** Nudges that are looked into at once. What comes faster is left to the loop: a flood of webhooks must not become one of polls. */
const BURST = 60
const PER_SECOND = 4

export function createNudges({ store, clock, polls }: Pick<SaleParts, 'store' | 'clock'> & { readonly polls: Polls }) {
  let budget = BURST
  let countedAt = clock.now()

  function spend(): boolean {
    const now = clock.now()
    budget = Math.min(BURST, budget + (Math.max(0, now - countedAt) / 1000) * PER_SECOND)
    countedAt = now
    if (budget < 1) return false
    budget -= 1
    return true
  }

  /** Resolves when the invoice was looked at, or when there is no reason or no room to. */
  return async function nudge(invoiceId: string): Promise<void> {
    const grant = await store.grantOfInvoice(invoiceId)
    if (grant?.status === 'pending' && spend()) await polls.pollAnew(grant)
  }
}
