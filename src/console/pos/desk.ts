// What the point of sale asks of the till. Amounts are nanogrin, times epoch milliseconds.
import type { NanoGrin } from '../../grin/amount/index.js'
import type { Progress } from '../../lib/payment-words.js'

type SaleStatus = 'open' | 'paid' | 'confirmed' | 'expired' | 'cancelled'

/** The least that turns the screen green (PAY_POS_PAID_AT). */
export type PaidFrom = Exclude<Progress, 'signed'>

/** A sale made at the point of sale: an invoice whose order begins with `pos-`. */
export interface Sale {
  /** Of the invoice, 32 hex digits. */
  readonly id: string
  readonly status: SaleStatus
  readonly amount: NanoGrin
  /** The price in fiat money, as it was asked for, tip included; null: a price in GRIN. */
  readonly fiat: { readonly amount: string; readonly currency: string } | null
  /** The part of the price that is a tip, decimal text in its currency. */
  readonly tip: string | null
  /** As the customer reads it; with the tip in it. */
  readonly note: string | null
  readonly reference: string
  readonly createdAt: number
  readonly expiresAt: number | null
  /** When the till signed; null: it has not. */
  readonly paidAt: number | null
  /** Where its payment stands; null: the till has signed none. */
  readonly progress: Progress | null
  /** What the counter calls paid. */
  readonly paidFrom: PaidFrom
  readonly confirmations: number
  /** Confirmations after which it is confirmed. */
  readonly required: number
}

/** What the customer scans. */
interface SaleCodes {
  /** Opens a wallet; null where the till offers no payment over Nostr. */
  readonly wallet: string | null
  /** The checkout page, for every other wallet. */
  readonly page: string
}

export interface NewSale {
  /** The same for one form: a second creation with it answers the first sale. */
  readonly key: string
  /** `pos-20261123-124605-7f3a9c`: later sales sort later. */
  readonly reference: string
  readonly price: { readonly grin: NanoGrin } | { readonly fiat: string; readonly currency: string }
  readonly note: string | null
  /** Part of the price: decimal text in its currency. */
  readonly tip: string | null
}

/** A currency of the till; `rate` is fiat per GRIN, null: there is none now, undefined: not known yet. */
export interface PricedCurrency {
  /** Lower case. */
  readonly code: string
  readonly rate: string | null | undefined
}

export interface SaleDesk {
  /** Waits for no source longer than a fraction of a second. */
  currencies(): Promise<readonly PricedCurrency[]>
  /** Parts of the till that are not ready, by name; empty: all are. */
  notReady(): Promise<readonly string[]>
  /** Throws what creating an invoice throws: RATE_UNAVAILABLE, AMOUNT_OUT_OF_RANGE, WALLET_STOPPED, IDEMPOTENCY_MISMATCH and others. */
  open(sale: NewSale): Promise<{ readonly sale: Sale; readonly isRepeated: boolean }>
  /** Undefined also for an invoice that was not made at the point of sale. */
  find(id: string): Promise<Sale | undefined>
  codes(id: string): Promise<SaleCodes | undefined>
  /** Answers the sale once it is no longer as the caller saw it, or after `ms`, or on abort; unchanged not before a second. */
  changed(seen: Sale, ms: number, signal: AbortSignal): Promise<Sale>
  /** Throws INVOICE_NOT_OPEN. */
  cancel(id: string): Promise<void>
  /** Newest first. */
  latest(limit: number): Promise<readonly Sale[]>
  /** The command that pays like a customer, on a till that plays; else null. */
  payCommand(id: string): string | null
}
