// Sums of payments: by settlement, and of one day.
import type { DayFigures, PaymentStore, PaymentSum, Settlement } from '../../till/index.js'
import { SETTLEMENTS } from '../../till/model.js'
import { sql } from '../dialect.js'
import { amountOfHalves, integerCell } from '../sqlite/columns.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'
import { all, get, type Runner, type Verb } from '../verbs.js'
import { WAITING } from './console.js'

/** Triggers keep it; in PostgreSQL no two changes write the same row. */
const TOTALS = sql(({ either }) =>
  either(
    'SELECT settlement, count, high, low FROM payment_total',
    'SELECT settlement, sum(count), 0, sum(amount) FROM payment_total GROUP BY settlement',
  ),
)
const RECEIVED = sql(({ sums }) => `SELECT count(*), ${sums('amount')} FROM payment WHERE created_at >= ?`)
/** Both searches name their index: with another one SQLite would read every payment of a user, or of many days. */
const CONFIRMED = sql(
  ({ by, sums }) => `SELECT count(*), ${sums('amount')} FROM payment ${by('payment_confirmed')}
  WHERE settlement = 'confirmed' AND confirmed_at >= ?`,
)
const OPEN = sql(
  ({ by }) => `SELECT (SELECT count(*) FROM invoice WHERE status = 'open'),
  (SELECT count(*) FROM payment ${by('payment_waiting')} WHERE ${WAITING})`,
)

export const figureVerbs = ({ read }: Runner): Pick<PaymentStore, 'balance' | 'dayFigures'> => ({
  balance: () => read(balance),
  dayFigures: (since) => read(() => dayFigures(since)),
})

/** A settlement without a sum has none. */
function* balance(): Verb<Awaited<ReturnType<PaymentStore['balance']>>> {
  const rows = yield* all(TOTALS)
  const known = new Map<SqlValue | undefined, PaymentSum>(
    rows.map(([settlement, ...sums]) => [settlement, sumOf(sums)]),
  )
  const entries = SETTLEMENTS.map((one): [Settlement, PaymentSum] => [one, known.get(one) ?? sumOf()])
  return Object.fromEntries(entries) as Record<Settlement, PaymentSum>
}

/** `since`: epoch milliseconds. */
function* dayFigures(since: number): Verb<DayFigures> {
  const [openInvoices = 0n, unmatched = 0n] = (yield* get(OPEN)) ?? []
  return {
    received: sumOf(yield* get(RECEIVED, [since])),
    confirmed: sumOf(yield* get(CONFIRMED, [since])),
    openInvoices: integerCell.read(openInvoices),
    unmatched: integerCell.read(unmatched),
  }
}

const sumOf = ([count = 0n, high, low]: Row = []): PaymentSum => ({
  count: integerCell.read(count),
  amount: amountOfHalves(high, low),
})
