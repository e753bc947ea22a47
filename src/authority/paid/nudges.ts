// A webhook only triggers a poll (specification: names, 9): the authority trusts what the service answers then.
import type { SaleParts } from './parts.js'
import type { Polls } from './polls.js'

/** Token bucket of polls. What exceeds it is left to the poll loop: a flood of webhooks must not become a flood of polls. */
const BURST = 60
const PER_SECOND = 4

export function createWebhookPolls({ store, clock, polls }: Pick<SaleParts, 'store' | 'clock'> & { readonly polls: Polls }) {
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

  /** Resolves when the invoice was polled, needs no poll, or the bucket is empty. */
  return async function pollFromWebhook(invoiceId: string): Promise<void> {
    const grant = await store.grantOfInvoice(invoiceId)
    if (grant?.status === 'pending' && spend()) await polls.pollAnew(grant)
  }
}
