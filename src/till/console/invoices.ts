// The list of invoices: search, filters, pages.
import { address, type ConsolePage, cursorOf, pagesOf } from '../../console/index.js'
import { invoiceListOf } from './invoice-list.js'
import { INVOICE_STATUSES, SETTLEMENTS, shortId } from './labels.js'
import { fieldsOf, searchOf } from './query.js'
import type { TillView } from './view.js'

const ROWS = 50

export const invoicesPage = (till: TillView): ConsolePage => ({
  path: '/invoices',
  title: 'Invoices',
  least: 'viewer',
  navigation: { label: 'Invoices', order: 20 },
  scripts: ['live.js'],
  async render({ query, view }) {
    const fields = fieldsOf(query)
    const cursor = cursorOf(query)
    const found = await till.invoices({ ...searchOf(fields), limit: ROWS, cursor })
    const { items, next, searchedBackTo, unsearched, payment } = found
    const body = view('till/invoices', {
      fields,
      statuses: Object.entries(INVOICE_STATUSES).map(([value, { text }]) => ({ value, text })),
      isFiltered: Object.values(fields).some((value) => value !== ''),
      rows: invoiceListOf(items, till.setup.confirmations),
      payment: payment && {
        href: `/console/payments/${payment.id}`,
        short: shortId(payment.id),
        amount: payment.amount,
        tag: SETTLEMENTS[payment.settlement],
      },
      searchedBackTo: searchedBackTo ?? null,
      searchOn: unsearched === undefined ? '' : address('/invoices', { ...fields, cursor: unsearched }),
      ...pagesOf('/invoices', { ...fields }, { cursor, next }),
    })
    return { body }
  },
})
