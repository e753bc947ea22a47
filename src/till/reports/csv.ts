// A report as a CSV file. Each sale stands in one line only, so a column can be added up; payments without an invoice come last.
import { type CsvField, csvLines } from '../../lib/csv.js'
import { grinText } from './fiat.js'
import type { PriceSum, Report, Sum } from './model.js'

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
