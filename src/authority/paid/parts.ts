// Dependencies of paid access.
import type { Secret } from '../../lib/secret.js'
import type { AuthoritySettings, Sale } from '../api.js'
import type { Clock, GrantStore, Log, PaymentService } from '../ports.js'

export interface PaidParts {
  readonly store: GrantStore
  readonly clock: Clock
  readonly log: Log
  readonly settings: Pick<AuthoritySettings, 'domain' | 'sale' | 'pollIntervalSeconds'>
  /** Required when something is for sale. */
  readonly payments: PaymentService | undefined
  /** Undefined: the webhook receiver does not exist. */
  readonly webhookSecret: Secret | undefined
}

/** The same, when something is for sale. */
export interface SaleParts extends Pick<PaidParts, 'store' | 'clock' | 'log'> {
  readonly domain: string
  readonly sale: Sale
  /** Least time between two polls of one invoice. */
  readonly pollIntervalMs: number
  readonly payments: PaymentService
}
