// Finds invoices for the console: by index where the text can be an id or an order, then in bounded steps by memo, order and amount.
// A whole id or order answers at once; the steps follow on request.
import { setImmediate } from 'node:timers/promises'
import { type NanoGrin, parseGrin } from '../../grin/amount/index.js'
import type {
  ConsoleReads,
  InvoiceRange,
  InvoiceRow,
  InvoiceTraits,
  PaymentRow,
  RowsRequest,
  ScanRequest,
  ScanStep,
} from '../console-reads.js'
import type { Page, Settlement } from '../model.js'
import type { TillStore } from '../ports.js'

/** One step keeps the event loop for a few milliseconds; a request takes this many at most, then the reader may go on. */
const SPAN = 1000
const STEPS = 10
/** Of each search by index; fewer than a page, so that a first page always takes a step. */
const DIRECT = 10

type Reads = Pick<ConsoleReads, 'invoiceRows' | 'invoicesById' | 'invoicesOfOrder' | 'paymentRow' | 'scanInvoices'> &
  Pick<TillStore, 'idsLike'>

export interface InvoiceSearch extends InvoiceRange, RowsRequest {
  /** What was typed: the beginning of an id, an order, part of a memo, an amount; empty: no search. */
  readonly text: string
}

export interface ListedInvoice extends InvoiceRow {
  /** Of the payment that it names, while that is under way and in no block. */
  readonly settlement?: Settlement | undefined
}

/** `next` of a search goes on with the invoices that it has not examined. */
export interface InvoiceResults extends Page<ListedInvoice> {
  /** Of a search that ended at its bound: the creation time down to which memos and amounts were compared. */
  readonly searchedBackTo?: number | undefined
  /** A whole id or order was found, and memos and amounts were not compared: the cursor of a search that does. */
  readonly unsearched?: string | undefined
  /** The one payment that the text names. */
  readonly payment?: PaymentRow | undefined
}

/** A search without a text is the list. */
export function createInvoiceSearch(store: Reads) {
  async function direct(text: string): Promise<readonly InvoiceRow[]> {
    const lists = [await store.invoicesOfOrder(text, DIRECT)]
    if (/^[0-9a-f]{6,32}$/i.test(text)) lists.push(await store.invoicesById(text.toLowerCase(), DIRECT))
    return lists.flat()
  }

  /** The payment whose id begins so, where it is the only one. */
  async function paymentOf(text: string): Promise<InvoiceResults['payment']> {
    if (!/^[0-9a-f]{6,8}(-[0-9a-f-]*)?$/i.test(text)) return undefined
    const [id, other] = await store.idsLike('payment', text.toLowerCase(), 2)
    return id === undefined || other !== undefined ? undefined : store.paymentRow(id)
  }

  /** Goes through the invoices in steps until there are enough, or the bound is reached. */
  async function walk({ limit, cursor, ...wanted }: Omit<ScanRequest, 'span'>): Promise<ScanStep> {
    const items: InvoiceRow[] = []
    let at: Omit<ScanStep, 'items'> = { next: cursor ?? null, reachedAt: null }
    for (let step = 0; step < STEPS && items.length < limit; step++) {
      const part = await store.scanInvoices({
        ...wanted,
        cursor: at.next ?? undefined,
        span: SPAN,
        limit: limit - items.length,
      })
      items.push(...part.items)
      at = part
      if (part.next === null) break
      await setImmediate()
    }
    return { items, next: at.next, reachedAt: at.reachedAt }
  }

  async function find({ text, limit, cursor, ...range }: InvoiceSearch): Promise<InvoiceResults> {
    const isFirst = cursor === undefined
    const known = isFirst ? (await direct(text)).filter((row) => isIn(row, range)) : []
    const payment = isFirst ? await paymentOf(text) : undefined
    if (isAnswer(known, text))
      return { items: known, next: null, unsearched: beginningOf(range), ...(payment && { payment }) }
    const { items, next, reachedAt } = await walk({
      ...range,
      traits: traitsOf(text),
      cursor,
      limit: limit - known.length,
    })
    const rows = new Map([...known, ...items].map((row) => [row.id, row]))
    return {
      items: [...rows.values()],
      next,
      ...(reachedAt !== null && { searchedBackTo: reachedAt }),
      ...(payment && { payment }),
    }
  }

  /** Where the payment of a row stands: `paid` alone only says that the till has signed. */
  async function withSettlement(row: InvoiceRow): Promise<ListedInvoice> {
    if (row.status !== 'paid' || row.confirmations > 0 || row.paymentId === null) return row
    const payment = await store.paymentRow(row.paymentId)
    return payment ? { ...row, settlement: payment.settlement } : row
  }

  return {
    async search(request: InvoiceSearch): Promise<InvoiceResults> {
      const found = await (request.text === '' ? store.invoiceRows(request, request) : find(request))
      return { ...found, items: await Promise.all(found.items.map(withSettlement)) }
    },

    /** Open ones first, then expired ones; none that names a payment. */
    async payable(amount: NanoGrin, limit: number): Promise<readonly InvoiceRow[]> {
      const found: InvoiceRow[] = []
      for (const status of ['open', 'expired'] as const) {
        const { items } = await walk({ status, traits: { amount }, limit })
        found.push(...items.filter(({ paymentId }) => paymentId === null))
      }
      return found.slice(0, limit)
    },
  }
}

/** One has this id, or this very order; of an order with as many invoices as were read there may be more. */
function isAnswer(known: readonly InvoiceRow[], text: string): boolean {
  if (/^[0-9a-f]{32}$/i.test(text) && known.some(({ id }) => id === text.toLowerCase())) return true
  const ofOrder = known.filter(({ orderRef }) => orderRef === text).length
  return ofOrder > 0 && ofOrder < DIRECT
}

/** The cursor of a walk before its first step. */
const beginningOf = ({ to = Number.MAX_SAFE_INTEGER }: Pick<InvoiceSearch, 'to'>): string => `${to}-0`

/** "12.5", "12.5 GRIN", "12,50 eur". */
function traitsOf(text: string): InvoiceTraits {
  const [, digits] = /^(\d{1,11}(?:[.,]\d{1,9})?)\s*[a-z]{0,6}$/i.exec(text) ?? []
  if (digits === undefined) return { text }
  const decimal = digits.replace(',', '.')
  return { text, fiatAmount: decimal, ...(isGrin(decimal) && { amount: parseGrin(decimal) }) }
}

const isGrin = (decimal: string): boolean => /^(0|[1-9]\d{0,10})(\.\d{1,9})?$/.test(decimal) && Number(decimal) < 18e9

const isIn = ({ status, createdAt }: InvoiceRow, range: Pick<InvoiceSearch, 'status' | 'from' | 'to'>): boolean =>
  (range.status === undefined || range.status === status) &&
  createdAt >= (range.from ?? 0) &&
  createdAt < (range.to ?? Number.POSITIVE_INFINITY)
