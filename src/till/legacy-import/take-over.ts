// Converts the rows of a legacy till into values of this one, row by row.
import { deriveChild, endpubContext } from '../../nostr/keys/index.js'
import type { Delivery, DeliveryState, Invoice, Payment } from '../model.js'
import { readInvoice } from './invoices.js'
import {
  hexOf,
  type LegacyRow,
  type LegacyTill,
  type Moved,
  type MovedUser,
  type MovingParts,
  RowLeftOut,
  RowProblem,
  type RowRemark,
  readCount,
  readText,
  readTime,
  readWord,
  type TakeOver,
  textOrNull,
  timeOrNull,
  wholeOrNull,
} from './parts.js'
import { readPayment } from './payments.js'

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

// Users with their keys, and webhook events, of the till before this one.

const USER_ID = /^[A-Za-z0-9._-]{1,64}$/
const MAX_ATTEMPTS = 12
const TYPES = ['payment.received', 'payment.confirmed'] as const

/** `endpubs`: the rows of this user's keys. */
function readUser({ cells }: LegacyRow, endpubs: readonly LegacyRow[], parts: MovingParts): MovedUser {
  const id = readText(cells, 'id', USER_ID)
  const epoch = readCount(cells, 'epoch')
  const createdAt = readTime(cells, 'created_at')
  const keys = endpubs.map((row) => keyOf(row, id, parts)).sort((a, b) => a.epoch - b.epoch)
  const current = keys.find((key) => key.epoch === epoch)
  if (!current) throw new RowProblem(`there is no key of its epoch ${epoch}`)
  const rotateInterval = wholeOrNull(cells, 'rotate_interval')
  return {
    id,
    epoch,
    pubkey: current.pubkey,
    rotateInterval: rotateInterval === null ? null : readCount(cells, 'rotate_interval'),
    rotatedAt: timeOrNull(cells, 'last_rotated_at') ?? createdAt,
    createdAt,
    keys,
  }
}

function keyOf({ cells }: LegacyRow, id: string, { identity }: MovingParts): MovedUser['keys'][number] {
  const epoch = readCount(cells, 'epoch')
  const pubkey = hexOf(cells, 'pubkey', 64)
  if (deriveChild(identity, endpubContext(id, epoch)).pubkey !== pubkey)
    throw new RowProblem('its key is not of this till: take over the Nostr identity of the old till first')
  return { epoch, pubkey, rotatedAt: readTime(cells, 'created_at') }
}

/** The body stays byte for byte: it is what was, or will be, signed and sent. */
function readDelivery({ cells }: LegacyRow, now: number): Delivery {
  const attempts = readCount(cells, 'attempts')
  const state = stateOf(readCount(cells, 'delivered') > 0, attempts)
  const body = readText(cells, 'body')
  return {
    eventId: hexOf(cells, 'id', 32),
    receiver: 1,
    type: readWord(cells, 'event_type', TYPES),
    invoiceId: invoiceIn(body),
    paymentId: textOrNull(cells, 'payment_id'),
    body,
    createdAt: readTime(cells, 'created_at'),
    state,
    attempts,
    nextAttemptAt: state === 'pending' ? (timeOrNull(cells, 'next_attempt_at') ?? now) : null,
    lastError: textOrNull(cells, 'last_error'),
  }
}

function stateOf(delivered: boolean, attempts: number): DeliveryState {
  if (delivered) return 'delivered'
  return attempts >= MAX_ATTEMPTS ? 'abandoned' : 'pending'
}

function invoiceIn(body: string): string | null {
  try {
    const { invoice_id } = JSON.parse(body) as { invoice_id?: unknown }
    return typeof invoice_id === 'string' ? invoice_id : null
  } catch {
    throw new RowProblem('body is no JSON')
  }
}
