// Sums of confirmed payments as they are added one by one: sales by rail and currencies, the others apart. A report by each grouping is put
// together from the sums of its days. Memory follows the number of rails and currencies, not of payments.
import { decimalUnits } from '../../lib/decimal.js'
import { fiatUnits, GRIN_DECIMALS, valueUnits } from './fiat.js'
import type { ConfirmedRow, Sum } from './model.js'

/** The currency of invoices without a fiat price, and of sales without a value in fiat money. */
export const GRIN = 'GRIN'

export interface Running {
  count: number
  amount: bigint
}

/** Values in one currency, upper case. */
export interface Value extends Running {
  /** 10^-8 of it; 0 for GRIN. */
  units: bigint
  /** 10^-8, for GRIN 10^-9. */
  tips: bigint
  /** Sales that were priced in GRIN and count at their rate. */
  converted: number
  readonly sources: Set<string>
}

/** Sales that came over one rail, were priced in one currency, and have a value in the same or another one. */
export interface SaleCell extends Value {
  readonly rail: string
  /** Upper case, as the next. */
  readonly priced: string
  readonly currency: string
}

export interface DaySums {
  readonly sales: Map<string, SaleCell>
  readonly user: Running
  readonly unmatched: Running
}

export const noPayment = (): Running => ({ count: 0, amount: 0n })

export const noValue = (): Value => ({ ...noPayment(), units: 0n, tips: 0n, converted: 0, sources: new Set() })

export const noDaySums = (): DaySums => ({ sales: new Map(), user: noPayment(), unmatched: noPayment() })

export function addTo(sum: Running, { count, amount }: Sum): void {
  sum.count += count
  sum.amount += amount
}

export function addValue(
  sum: Value,
  { sources, ...value }: Omit<Value, 'sources'> & { readonly sources: Iterable<string> },
): void {
  addTo(sum, value)
  sum.units += value.units
  sum.tips += value.tips
  sum.converted += value.converted
  for (const source of sources) sum.sources.add(source)
}

/** Of payments of every kind. */
export function countOf({ sales, user, unmatched }: DaySums): Sum {
  const all = noPayment()
  for (const sum of [...sales.values(), user, unmatched]) addTo(all, sum)
  return all
}

export function addRow(sums: DaySums, row: ConfirmedRow): void {
  if (row.kind === 'sale') addSale(sums, row)
  else addTo(sums[row.kind], { count: 1, amount: row.amount })
}

function addSale(sums: DaySums, row: ConfirmedRow): void {
  const { priced, currency, ...value } = worthOf(row)
  addValue(cellOf(sums, { rail: row.rail, priced, currency }), { count: 1, amount: row.amount, ...value })
}

export function addDaySums(sums: DaySums, other: DaySums): void {
  addTo(sums.user, other.user)
  addTo(sums.unmatched, other.unmatched)
  for (const cell of other.sales.values()) addValue(cellOf(sums, cell), cell)
}

function cellOf(
  { sales }: DaySums,
  { rail, priced, currency }: Pick<SaleCell, 'rail' | 'priced' | 'currency'>,
): SaleCell {
  const key = [rail, priced, currency].join('\0')
  const known = sales.get(key)
  if (known) return known
  const fresh = { rail, priced, currency, ...noValue() }
  sales.set(key, fresh)
  return fresh
}

type SaleValue = Pick<SaleCell, 'priced' | 'currency' | 'units' | 'tips' | 'converted'> & {
  readonly sources: readonly string[]
}

/** A price that cannot be read counts as one in GRIN: the payment counts, and no fiat sum is wrong. */
function worthOf({ fiat, amount, grinRate, tip }: ConfirmedRow): SaleValue {
  const units = fiat ? fiatUnits(fiat.amount) : undefined
  if (fiat && units !== undefined) {
    const currency = fiat.currency.toUpperCase()
    const tips = tip === null ? 0n : (fiatUnits(tip) ?? 0n)
    return { priced: currency, currency, units, tips, converted: 0, sources: [fiat.source || UNKNOWN] }
  }
  const tips = tip === null || fiat ? 0n : (decimalUnits(tip, GRIN_DECIMALS) ?? 0n)
  return { priced: GRIN, ...(convertedOf(amount, tips, grinRate) ?? inGrin(tips)) }
}

const UNKNOWN = 'unknown'

const inGrin = (tips: bigint) => ({ currency: GRIN, units: 0n, tips, converted: 0, sources: [] })

function convertedOf(
  amount: bigint,
  tip: bigint,
  rate: ConfirmedRow['grinRate'],
): Omit<SaleValue, 'priced'> | undefined {
  if (!rate) return undefined
  const currency = rate.currency.toUpperCase()
  const [units, tips] = [amount, tip].map((nanogrin) => valueUnits(nanogrin, rate.rate, currency))
  if (units === undefined || tips === undefined) return undefined
  return { currency, units, tips, converted: 1, sources: [rate.source || UNKNOWN] }
}
