// Sums of days to the sums of a report.
import { type CsvField, csvLines } from '../../lib/csv.js'
import { dayText } from './calendar.js'
import {
  addTo,
  addValue,
  countOf,
  type DaySums,
  GRIN,
  noDaySums,
  noPayment,
  noValue,
  type SaleCell,
  type Value,
} from './day-sums.js'
import { fiatText, grinText } from './fiat.js'
import type { Grouping, PriceSum, Report, ReportGroup, SaleSum, Sum } from './model.js'

type ReportSums = Pick<Report, 'groups' | 'total' | 'users' | 'unmatched' | 'confirmed'>

interface Fold {
  /** `day` as the calendar counts days. */
  add(day: number, sums: DaySums): void
  /** Payments so far. */
  count(): number
  sums(): ReportSums
}

/** By currency. */
type Prices = Map<string, Value>

export function createFold(by: Grouping): Fold {
  const groups = new Map<string, Prices>()
  const apart = noDaySums()
  const confirmed = noPayment()

  return {
    add(day, sums) {
      addTo(confirmed, countOf(sums))
      addTo(apart.user, sums.user)
      addTo(apart.unmatched, sums.unmatched)
      for (const cell of sums.sales.values()) {
        const key = keyOf(by, day, cell)
        const prices = groups.get(key) ?? new Map<string, Value>()
        groups.set(key, prices)
        addPrice(prices, cell.currency, cell)
      }
    },
    count: () => confirmed.count,
    sums: () => ({
      groups: [...groups].sort(byKey).map(([key, prices]): ReportGroup => ({ key, ...printed(prices) })),
      total: printed(together([...groups.values()])),
      users: { ...apart.user },
      unmatched: { ...apart.unmatched },
      confirmed: { ...confirmed },
    }),
  }
}

function keyOf(by: Grouping, day: number, { priced, rail }: SaleCell): string {
  switch (by) {
    case 'currency':
      return priced
    case 'rail':
      return rail
    case 'day':
      return dayText(day)
    case 'month':
      return dayText(day).slice(0, 7)
  }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  Number(a > b) - Number(a < b)

function together(groups: readonly Prices[]): Prices {
  const all: Prices = new Map()
  for (const [currency, price] of groups.flatMap((prices) => [...prices])) addPrice(all, currency, price)
  return all
}

function addPrice(prices: Prices, currency: string, price: Value): void {
  const sum = prices.get(currency) ?? noValue()
  prices.set(currency, sum)
  addValue(sum, price)
}

function printed(prices: Prices): SaleSum {
  const sums = [...prices].sort(byKey).map(
    ([currency, { count, amount, units, tips, converted, sources }]): PriceSum => ({
      currency,
      count,
      amount,
      fiat: currency === GRIN ? null : fiatText(units, currency),
      sources: [...sources].sort(),
      tips: tips === 0n ? null : currency === GRIN ? grinText(tips) : fiatText(tips, currency),
      converted,
    }),
  )
  return {
    count: sums.reduce((all, { count }) => all + count, 0),
    amount: sums.reduce((all, { amount }) => all + amount, 0n),
    prices: sums,
  }
}

// A report as a CSV file. Each sale stands in one line only, so a column can be added up; payments without an invoice come last.

interface Line extends Sum {
  readonly kind: 'sale' | 'user' | 'unmatched'
  readonly group: string
  readonly price: Pick<PriceSum, 'currency' | 'fiat' | 'sources' | 'tips' | 'converted'> | null
}

/** Only ever added at the end. */
const FIELDS: readonly CsvField<Line>[] = [
  ['kind', ({ kind }) => kind],
  ['group', ({ group }) => group],
  ['currency', ({ price }) => price?.currency ?? null],
  ['payments', ({ count }) => count],
  ['amount_grin', ({ amount }) => grinText(amount)],
  ['fiat_amount', ({ price }) => price?.fiat ?? null],
  ['rate_sources', ({ price }) => price?.sources.join('; ') ?? null],
  ['tips', ({ price }) => price?.tips ?? null],
  ['converted', ({ price }) => price?.converted ?? null],
]

export function reportCsv({ groups, users, unmatched }: Report): string {
  const { head, line } = csvLines(FIELDS)
  const sales = groups.flatMap(({ key, prices }) =>
    prices.map((price): Line => ({ kind: 'sale', group: key, price, count: price.count, amount: price.amount })),
  )
  const rest: readonly Line[] = [
    { kind: 'user', group: '', price: null, ...users },
    { kind: 'unmatched', group: '', price: null, ...unmatched },
  ]
  return [head, ...[...sales, ...rest].map(line)].join('')
}
