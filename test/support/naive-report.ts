// The sums of a ledger, the slow and obvious way: filters and additions, days by the text of the time in UTC.
import type { Grouping, Report, SaleSum } from '../../src/till/reports/model.js'
import type { LedgerRow } from './sales-history.js'

const keyOf = (by: Grouping, { at, currency, rail }: LedgerRow): string =>
  ({
    day: () => isoOf(at).slice(0, 10),
    month: () => isoOf(at).slice(0, 7),
    currency: () => currency ?? '',
    rail: () => rail,
  })[by]()

const isoOf = (at: number): string => new Date(at).toISOString()

/** Units of 10^-8. */
const unitsOf = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
}

/** Nanogrin in units of 10^-8 USD at a rate with at most three decimals, to the cent, halves up. */
const inUsd = (nanogrin: bigint, rate: string): bigint => {
  const thousandths = BigInt(Math.round(Number(rate) * 1000))
  const cents = nanogrin * thousandths * 100n
  const divisor = 1_000n * 1_000_000_000n
  return ((cents * 2n + divisor) / (divisor * 2n)) * 1_000_000n
}

/** Units of 10^-9. */
const nanoOf = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** What a sale is worth, and in which currency; tips in units of 10^-9. */
const worthOf = ({ currency, fiat, amount, rate, tip }: LedgerRow) =>
  rate === null
    ? { currency: currency ?? '', units: unitsOf(fiat ?? '0'), tips: nanoOf(tip ?? '0'), converted: 0 }
    : { currency: 'USD', units: inUsd(amount, rate), tips: inUsd(nanoOf(tip ?? '0'), rate) * 10n, converted: 1 }

const sumOf = (rows: readonly LedgerRow[]) => ({
  count: rows.length,
  amount: rows.reduce((sum, { amount }) => sum + amount, 0n),
})

const salesOf = (rows: readonly LedgerRow[]) => ({
  ...sumOf(rows),
  prices: [...new Set(rows.map((row) => worthOf(row).currency))].sort().map((currency) => {
    const own = rows.filter((row) => worthOf(row).currency === currency)
    return {
      currency,
      ...sumOf(own),
      units: own.reduce((sum, row) => sum + worthOf(row).units, 0n),
      tips: own.reduce((sum, row) => sum + worthOf(row).tips, 0n),
      converted: own.reduce((sum, row) => sum + worthOf(row).converted, 0),
    }
  }),
})

/** What a report by this grouping must say. */
export function naiveSums(by: Grouping, ledger: readonly LedgerRow[]) {
  const sales = ledger.filter(({ currency }) => currency !== null)
  const byKey = new Map<string, LedgerRow[]>()
  for (const row of sales) {
    const rows = byKey.get(keyOf(by, row)) ?? []
    rows.push(row)
    byKey.set(keyOf(by, row), rows)
  }
  return {
    groups: [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, rows]) => ({ key, ...salesOf(rows) })),
    total: salesOf(sales),
    apart: sumOf(ledger.filter(({ currency }) => currency === null)),
    confirmed: sumOf(ledger),
  }
}

const withUnits = ({ count, amount, prices }: SaleSum) => ({
  count,
  amount,
  prices: prices.map(({ currency, count, amount, fiat, tips, converted }) => ({
    ...{ currency, count, amount, units: unitsOf(fiat ?? '0') },
    ...{ tips: nanoOf(tips ?? '0'), converted },
  })),
})

/** A report in the same form. */
export const comparable = ({ groups, total, users, unmatched, confirmed }: Report) => ({
  groups: groups.map(({ key, ...sum }) => ({ key, ...withUnits(sum) })),
  total: withUnits(total),
  apart: { count: users.count + unmatched.count, amount: users.amount + unmatched.amount },
  confirmed,
})

/** Spans of the years of a history that a report by this grouping may have: by day one after the other. */
export const spansOf = (by: Grouping): readonly { readonly from: string; readonly to: string }[] =>
  by === 'day'
    ? [2022, 2023, 2024, 2025, 2026].map((year) => ({ from: `${year}-01`, to: `${year}-12` }))
    : [{ from: '1970-01', to: '2999-12' }]

/** What falls into a span of days in UTC. */
export const within = (ledger: readonly LedgerRow[], { from, to }: { readonly from: string; readonly to: string }) =>
  ledger.filter(({ at }) => isoOf(at).slice(0, 7) >= from && isoOf(at).slice(0, 7) <= to)
