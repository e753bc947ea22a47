// Sales for the books: sums by day, month, currency or rail, to read, to print, and as a CSV file.
import type { ConsoleArea, ConsolePage, PageContent, PageRequest } from '../../../console/index.js'
import { formatGrin, type NanoGrin } from '../../../grin/amount/index.js'
import { GrinpayError } from '../../../lib/errors.js'
import { GROUPINGS, type Grouping, type Report, type ReportRequest, type SaleSum } from '../../reports/model.js'
import type { ReportJobs } from './jobs.js'
import { addressOf, pageOf, questionOf, usualQuestions } from './question.js'

/** Rows on one page: half a year by day, and less than 60 KB. */
const ROWS = 184
const PATH = '/console/reports'

export const createReportsArea = (jobs: ReportJobs): ConsoleArea => ({
  id: 'reports',
  pages: [reportPage(jobs), reportFile(jobs)],
})

const LABELS: Readonly<Record<Grouping, string>> = { day: 'Day', month: 'Month', currency: 'Currency', rail: 'Rail' }

const reportPage = (jobs: ReportJobs): ConsolePage => ({
  path: '/reports',
  title: 'Reports',
  least: 'viewer',
  navigation: { label: 'Reports', order: 60 },
  async render(request) {
    const question = questionOf(request.query)
    try {
      const answer = await jobs.ask(question)
      if (answer.state === 'running') return running(request, answer.payments)
      return made(request, question, answer.report, answer.madeAt)
    } catch (error) {
      if (!(error instanceof GrinpayError)) throw error
      return refused(request, question, error)
    }
  },
})

const reportFile = (jobs: ReportJobs): ConsolePage => ({
  path: '/reports.csv',
  title: 'Report as a file',
  least: 'viewer',
  async render({ query }) {
    const { from, to, text } = await jobs.csv(questionOf(query))
    return { download: `sales-${from}-to-${to}.csv`, type: 'text/csv', content: text }
  },
})

/** Nothing can be typed here: the page asks again by itself, with `again.js` or by loading itself. */
const running = ({ view }: PageRequest, payments: number): PageContent => ({
  body: view('reports/running', { payments }),
  refreshSeconds: 1,
  scripts: ['again.js'],
})

/** What was typed stays, with the reason above it. */
const refused = (request: PageRequest, question: ReportRequest, { message, hint, status }: GrinpayError) => ({
  body: request.view('reports/report', {
    ...formOf(request, question),
    refusal: [message, hint].flatMap((text) => (text === undefined ? [] : [sentence(text)])).join(' '),
    report: null,
  }),
  status,
})

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const formOf = ({ now }: PageRequest, question: ReportRequest) => ({
  fields: { ...question, from: question.from ?? '', to: question.to ?? '', zone: question.zone ?? '' },
  groupings: GROUPINGS.map((by) => ({ by, label: LABELS[by] })),
  usual: usualQuestions(now, question.zone).map(([label, one]) => ({ label, href: addressOf(PATH, one) })),
})

function made(request: PageRequest, question: ReportRequest, report: Report, madeAt: number): PageContent {
  const { by, from, to, zone, groups, total } = report
  const exact = { ...question, from, to }
  const page = Math.min(pageOf(request.query), Math.max(0, Math.ceil(groups.length / ROWS) - 1))
  const first = page * ROWS
  const rows = groups.slice(first, first + ROWS)
  const pager = {
    first: page === 0 ? '' : addressOf(PATH, exact),
    next: first + rows.length < groups.length ? addressOf(PATH, exact, page + 1) : '',
    shown: rows.length === groups.length ? '' : `${first + 1}–${first + rows.length} of ${groups.length}`,
  }
  const decimals = Math.max(...[total, ...rows].map(({ amount }) => decimalsOf(amount)))
  const columns = columnsOf(report)
  const hasTips = tipsOf(total).length > 0
  const rowOf = (sales: SaleSum) => ({
    count: sales.count,
    grin: decimalText(sales.amount, decimals),
    prices: [
      ...(columns === null ? [pricesOf(sales).join(' + ') || '–'] : columns.map((one) => fiatIn(sales, one) ?? '–')),
      ...(hasTips ? [tipsOf(sales).join(' + ') || '–'] : []),
    ],
  })
  const shown = {
    label: LABELS[by],
    columns: [...(columns ?? ['Price']), ...(hasTips ? ['Of which tips'] : [])],
    converted: total.prices.reduce((sum, { converted }) => sum + converted, 0),
    isOfTime: by === 'day' || by === 'month',
    zone,
    madeAt,
    total: rowOf(total),
    rows: rows.map((group) => ({ key: group.key, ...rowOf(group) })),
    figures: figuresOf(report),
    sources: [...new Set(total.prices.flatMap(({ sources }) => sources))].sort(),
    csv: addressOf(`${PATH}.csv`, exact),
    pager,
  }
  return {
    title: `Sales ${unbroken(from === to ? from : `${from} to ${to}`)}`,
    body: request.view('reports/report', { ...formOf(request, exact), refusal: null, report: shown }),
  }
}

/** The cards above the table: values as texts. */
const figuresOf = ({ total, users, unmatched }: Report): readonly object[] => [
  { label: 'Sales', value: total.count.toLocaleString('en') },
  { label: 'Received', value: decimalText(total.amount), unit: 'GRIN', note: 'no fees' },
  ...total.prices.flatMap(({ fiat, currency, count }) =>
    fiat === null
      ? []
      : [{ label: 'At the time of sale', value: fiat, unit: currency, note: `${count} of ${total.count} sales` }],
  ),
  ...total.prices.flatMap(({ tips, currency }) =>
    tips === null ? [] : [{ label: 'Of which tips', value: tips, unit: currency }],
  ),
  ...apartOf('Unmatched', unmatched, { tone: 'warn', href: '/console/payments?show=waiting' }),
  ...apartOf('To users', users, {}),
]

const apartOf = (label: string, { count, amount }: Report['users'], more: object): readonly object[] => {
  const note = `${count} ${count === 1 ? 'payment' : 'payments'}, not in the sums`
  return count === 0 ? [] : [{ label, value: decimalText(amount), unit: 'GRIN', note, ...more }]
}

/** More would not fit beside each other. */
const MOST_COLUMNS = 4

/** A column for each fiat currency; null: one column for all of them. */
function columnsOf({ by, total }: Report): readonly string[] | null {
  const currencies = total.prices.flatMap(({ fiat, currency }) => (fiat === null ? [] : [currency]))
  return by === 'currency' || currencies.length > MOST_COLUMNS ? null : currencies
}

const fiatIn = ({ prices }: SaleSum, currency: string): string | null =>
  prices.find((price) => price.currency === currency)?.fiat ?? null

/** `12.50 USD`, one for each currency that something has a value in. */
const pricesOf = ({ prices }: SaleSum): readonly string[] =>
  prices.flatMap(({ fiat, currency }) => (fiat === null ? [] : [`${fiat} ${currency}`]))

const tipsOf = ({ prices }: SaleSum): readonly string[] =>
  prices.flatMap(({ tips, currency }) => (tips === null ? [] : [`${tips} ${currency}`]))

/** Hyphens at which no line ends. */
const unbroken = (text: string): string => text.replaceAll('-', '\u2011')

/** How many decimals an amount in nanogrin needs. */
const decimalsOf = (nanogrin: bigint): number => plain(nanogrin).split('.')[1]?.length ?? 0

/** Decimal GRIN with at least so many decimals. */
function decimalText(nanogrin: bigint, decimals = 0): string {
  const [whole = '', fraction = ''] = plain(nanogrin).split('.')
  const padded = fraction.padEnd(decimals, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

const plain = (nanogrin: bigint): string => formatGrin(nanogrin as NanoGrin)
