// What a report counts, and what it says. Amounts are nanogrin in bigints, times epoch milliseconds, days `YYYY-MM-DD` of the zone asked for.
import type { NanoGrin } from '../../grin/amount/index.js'
import type { FiatQuote, Invoice, Page, RailName } from '../model.js'

export const GROUPINGS = ['day', 'month', 'currency', 'rail'] as const
export type Grouping = (typeof GROUPINGS)[number]

/**
 * `sale`: the payment settled an invoice. `user`: it came to the key of a user. `unmatched`: neither, so it has no owner yet.
 */
type RowKind = 'sale' | 'user' | 'unmatched'

/** One confirmed payment. */
export interface ConfirmedRow {
  readonly confirmedAt: number
  readonly amount: NanoGrin
  readonly rail: RailName
  readonly kind: RowKind
  /** The price of the invoice that it settled, as locked when it was paid; null: that invoice is priced in GRIN, or there is none. */
  readonly fiat: FiatQuote | null
  /** Of that invoice too; null where there is none. */
  readonly grinRate: Invoice['grinRate']
  readonly tip: Invoice['tip']
}

/** What reports need of the store. */
export interface ReportStore {
  /** Payments confirmed at or after `from` and before `to`, in the order of confirmation. Each page is read by itself. */
  confirmedRows(span: {
    readonly from: number
    readonly to: number
    readonly limit: number
    readonly cursor?: string
  }): Promise<Page<ConfirmedRow>>
}

/** As asked for, unchecked but for `by`. */
export interface ReportRequest {
  readonly by: Grouping
  /** The first day or month; default: this month. */
  readonly from?: string | undefined
  /** The last day or month, included; default: today. */
  readonly to?: string | undefined
  /** A name of the IANA list; default UTC. */
  readonly zone?: string | undefined
}

/** A number of payments and their sum, which may outgrow 64 bits. */
export interface Sum {
  readonly count: number
  readonly amount: bigint
}

/** The sales that have a value in one currency. */
export interface PriceSum extends Sum {
  /** Upper case; `GRIN` for sales without a value in fiat money. */
  readonly currency: string
  /** The sum of their values as decimal text, exact; null for `GRIN`. */
  readonly fiat: string | null
  /** Where the rates came from, in alphabetical order. */
  readonly sources: readonly string[]
  /** The part of the sum that is tips, decimal text in `currency`; null: none is. */
  readonly tips: string | null
  /** How many of them were priced in GRIN. Each counts at the rate stored with it, rounded to the digits of the currency. */
  readonly converted: number
}

export interface SaleSum extends Sum {
  readonly prices: readonly PriceSum[]
}

export interface ReportGroup extends SaleSum {
  /** A day, a month, a currency or a rail. */
  readonly key: string
}

export interface Report {
  readonly by: Grouping
  readonly from: string
  readonly to: string
  readonly zone: string
  /** The first moment that counts, and the first that no longer does. */
  readonly startsAt: number
  readonly endsAt: number
  /** Only groups with a sale, in the order of their keys. */
  readonly groups: readonly ReportGroup[]
  readonly total: SaleSum
  readonly users: Sum
  readonly unmatched: Sum
  /** All three together: over all time what the wallet's balance calls confirmed. */
  readonly confirmed: Sum
}
