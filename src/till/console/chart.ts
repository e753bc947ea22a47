// The chart of Today as figures: bars, lines and the words beside them. The template draws it; everything it says stands in its table too.
import { type Plot, plotOf } from '../../console/index.js'
import { formatGrin, nanoGrin } from '../../grin/amount/index.js'
import type { DaySum } from './day-sums.js'

export interface Chart extends Plot {
  /** First day, middle and today. */
  readonly marks: readonly string[]
  /** Nothing was confirmed: there is nothing to draw. */
  readonly isEmpty: boolean
  /** What the drawing shows, in a sentence or two. */
  readonly summary: string
  /** Newest first. */
  readonly rows: readonly {
    readonly day: string
    readonly count: number
    readonly amount: bigint
    readonly isOpen: boolean
  }[]
}

/** `days`: oldest first, the last one is today. */
export function chartOf(days: readonly DaySum[]): Chart {
  const last = days.length - 1
  const rows = days.map((sum, at) => ({ ...sum, day: dateOf(sum.day), isOpen: at === last }))
  return {
    ...plotOf(rows, {
      value: ({ amount }) => amount,
      title: ({ day, amount, count }) => `${day}: ${grin(amount)} GRIN, ${payments(count)}`,
      label: grin,
      usual: ONE_GRIN,
    }),
    marks: [rows[0], rows[Math.floor(last / 2)], rows[last]].map((row) => row?.day.slice(5) ?? ''),
    isEmpty: rows.every(({ count }) => count === 0),
    summary: summaryOf(rows),
    rows: rows.toReversed(),
  }
}

const ONE_GRIN = 1_000_000_000n

/** A confirmed sum is bounded by the coins there are. */
const grin = (amount: bigint): string => formatGrin(nanoGrin(amount))

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`

function summaryOf(rows: Chart['rows']): string {
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  if (count === 0) return `No payment was confirmed in the last ${rows.length} days.`
  const amount = rows.reduce((sum, row) => sum + row.amount, 0n)
  const [best] = rows.toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount))
  return `Confirmed in the last ${rows.length} days: ${grin(amount)} GRIN in ${payments(count)}. The highest day was ${best?.day} with ${grin(best?.amount ?? 0n)} GRIN.`
}
