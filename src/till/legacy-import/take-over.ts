// Everything the till before this one kept, row by row, as ours.
import type { Invoice, Payment } from '../model.js'
import { type AncestorRow, RowLeftOut, RowProblem } from './cells.js'
import { readInvoice } from './invoices.js'
import type { AncestorTill, Moved, MovingParts, RowRemark, TakeOver } from './parts.js'
import { readPayment } from './payments.js'
import { readEvent, readUser } from './rest.js'

const byColumn = (rows: readonly AncestorRow[], column: string): ReadonlyMap<unknown, AncestorRow> =>
  new Map(rows.map((row) => [row.cells[column], row]))

function grouped(rows: readonly AncestorRow[], column: string): ReadonlyMap<unknown, readonly AncestorRow[]> {
  const groups = new Map<unknown, AncestorRow[]>()
  for (const row of rows) {
    const key = row.cells[column]
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** Rows that do not fit end up in `problems` or `leftOut`; never rejects because of them. */
export async function takeOver(ancestor: AncestorTill, parts: MovingParts): Promise<TakeOver> {
  const leftOut: RowRemark[] = []
  const problems: RowRemark[] = []

  async function each<T>(
    rows: readonly AncestorRow[],
    read: (row: AncestorRow) => T | Promise<T>,
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

  const paymentRows = byColumn(ancestor.payments, 'id')
  const keyRows = grouped(ancestor.endpubs, 'user_id')
  const invoices = await each<Invoice>(ancestor.invoices, (row) =>
    readInvoice(row, paymentRows.get(row.cells.paid_payment_id ?? undefined), parts),
  )
  const users = await each(ancestor.users, (row) => readUser(row, keyRows.get(row.cells.id) ?? [], parts))
  // The payment of an invoice or user that is not taken over becomes an unmatched one.
  const takenInvoices = new Set<unknown>(invoices.map(({ value }) => value.id))
  const takenUsers = new Set<unknown>(users.map(({ value }) => value.id))
  const invoiceRows = byColumn(
    ancestor.invoices.filter(({ cells }) => takenInvoices.has(cells.id)),
    'id',
  )
  const payments = await each<Payment>(ancestor.payments, async (row) => {
    const payment = await readPayment(row, invoiceRows.get(row.cells.invoice_id ?? undefined), parts)
    return takenUsers.has(payment.userId) ? payment : { ...payment, userId: null }
  })
  const events = await each(ancestor.deliveries, (row) => readEvent(row, parts.now))
  return { invoices, payments, users, events, leftOut, problems }
}
