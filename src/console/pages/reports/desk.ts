// What the console's reports need of the till. Amounts are nanogrin, times epoch milliseconds, days `YYYY-MM-DD`.

export const GROUPINGS = ['day', 'month', 'currency', 'rail'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface ReportQuestion {
  readonly by: Grouping
  /** Days or months; the last one is included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** A name of the IANA list. */
  readonly zone?: string | undefined
}

interface Sum {
  readonly count: number
  readonly amount: bigint
}

export interface Sales extends Sum {
  readonly prices: readonly (Sum & {
    readonly currency: string
    /** Exact decimal text; null: without a value in fiat money. */
    readonly fiat: string | null
    readonly sources: readonly string[]
    /** Decimal text in `currency`; null: none. */
    readonly tips: string | null
    /** Priced in GRIN, counted at the rate stored with the sale. */
    readonly converted: number
  })[]
}

export interface SalesReport {
  readonly by: Grouping
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly groups: readonly (Sales & { readonly key: string })[]
  readonly total: Sales
  readonly users: Sum
  readonly unmatched: Sum
}

/** `running`: ask the same again in a second; so many payments were read. */
export type ReportAnswer =
  | { readonly state: 'made'; readonly report: SalesReport; readonly madeAt: number }
  | { readonly state: 'running'; readonly payments: number }

export interface ReportDesk {
  /** Within a moment. Throws REPORT_… for what cannot be answered, REPORTS_BUSY. */
  ask(question: ReportQuestion): Promise<ReportAnswer>
  /** Waits until it is made. Throws the same. */
  csv(question: ReportQuestion): Promise<{ readonly from: string; readonly to: string; readonly text: string }>
}
