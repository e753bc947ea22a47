// Customers of the sandbox, one for each way to pay. All spend from the same coins.

import type { InvoicingClient } from '../client/index.js'
import { foreignText } from '../lib/plain-text.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { badRail } from './errors.js'
import { createForeignPayer } from './foreign-payer.js'
import { createNostrPayer } from './nostr-payer.js'
import type { SandboxPayer, SignedPayment } from './payer.js'

const PAY_RAILS = ['nostr', 'slatepack', 'grin1'] as const
export type PayRail = (typeof PAY_RAILS)[number]

type View = Pick<Awaited<ReturnType<InvoicingClient['invoice']>>, 'pay_url' | 'pay_link' | 'amount_nanogrin'>

export type Customers = Readonly<Record<PayRail, (invoice: View) => Promise<SignedPayment>>>

export interface CustomerParts {
  readonly payer: SandboxPayer
  /** http://127.0.0.1:port of the till's Foreign API. */
  readonly foreignUrl: string
  readonly clock: SystemClock
  readonly random: SystemRandom
}

export function createCustomers(parts: CustomerParts): Customers {
  const nostr = createNostrPayer(parts)
  const foreign = createForeignPayer(parts)
  return {
    nostr: ({ pay_link }) => nostr.pay(pay_link),
    slatepack: ({ pay_url }) => parts.payer.pay(pay_url),
    grin1: ({ amount_nanogrin }) => foreign.pay(BigInt(amount_nanogrin)),
  }
}

/** The rail to pay over; default `nostr`. Throws SANDBOX_BAD_RAIL. */
export function payRailOf(value: unknown): PayRail {
  const rail = PAY_RAILS.find((known) => known === (value ?? 'nostr'))
  if (!rail) throw badRail(foreignText(value).slice(0, 40))
  return rail
}
