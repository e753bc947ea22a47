// Converts the rows of a legacy till into values of this one, row by row.
import type { Invoice, Payment } from '../model.js'
import { type LegacyRow, RowLeftOut, RowProblem } from './cells.js'
import { readInvoice } from './invoices.js'
import type { LegacyTill, Moved, MovingParts, RowRemark, TakeOver } from './parts.js'
import { readPayment } from './payments.js'
import { readDelivery, readUser } from './rest.js'

const byColumn = (rows: readonly LegacyRow[], column: string): ReadonlyMap<unknown, LegacyRow> =>
  new Map(rows.map((row) => [row.cells[column], row]))

function grouped(rows: readonly LegacyRow[], column: string): ReadonlyMap<unknown, readonly LegacyRow[]> {
  const groups = new Map<unknown, LegacyRow[]>()
  for (const row of rows) {
    const key = row.cells[column]
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** Rows that do not fit end up in `problems` or `leftOut`; never rejects because of them. */
export async function takeOver(legacy: LegacyTill, parts: MovingParts): Promise<TakeOver> {
  const leftOut: RowRemark[] = []
  const problems: RowRemark[] = []

  async function each<T>(
    rows: readonly LegacyRow[],
    read: (row: LegacyRow) => T | Promise<T>,
  ): Promise<readonly Moved<T>[]> {
    const taken: Moved<T>[] = []
    for (const row of rows)
      try {
        taken.push({ place: row.place, value: await read(row) })
      } catch (error) {
        if (!(error instanceof RowProblem || error instanceof RowLeftOut)) throw error
        const list = error instanceof RowProblem ? problems : leftOut
        list.push({ place: row.place, what: error.message })
      }
    return taken
  }

  const paymentRows = byColumn(legacy.payments, 'id')
  const keyRows = grouped(legacy.endpubs, 'user_id')
  const invoices = await each<Invoice>(legacy.invoices, (row) =>
    readInvoice(row, paymentRows.get(row.cells.paid_payment_id ?? undefined), parts),
  )
  const users = await each(legacy.users, (row) => readUser(row, keyRows.get(row.cells.id) ?? [], parts))
  // The payment of an invoice or user that is not taken over becomes an unmatched one.
  const takenInvoices = new Set<unknown>(invoices.map(({ value }) => value.id))
  const takenUsers = new Set<unknown>(users.map(({ value }) => value.id))
  const invoiceRows = byColumn(
    legacy.invoices.filter(({ cells }) => takenInvoices.has(cells.id)),
    'id',
  )
  const payments = await each<Payment>(legacy.payments, async (row) => {
    const payment = await readPayment(row, invoiceRows.get(row.cells.invoice_id ?? undefined), parts)
    return takenUsers.has(payment.userId) ? payment : { ...payment, userId: null }
  })
  const events = await each(legacy.deliveries, (row) => readDelivery(row, parts.now))
  return { invoices, payments, users, events, leftOut, problems }
}
