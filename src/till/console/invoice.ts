// One invoice: what it is, its life as a time line, and how to cancel it.

import { type ConsoleAction, type ConsolePage, clip, REFRESH_SECONDS } from '../../console/index.js'
import { formatGrin } from '../../grin/amount/index.js'
import { noSuchRecord } from './errors.js'
import { invoiceTag, shortId } from './labels.js'
import { type Step, timeLineOf } from './timeline.js'
import type { InvoiceRecord, TillView } from './view.js'

const LONGEST_ERROR = 200

export const invoicePage = (till: TillView): ConsolePage => ({
  path: '/invoices/:id',
  title: 'Invoice',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params, view }) {
    const record = await recordOf(till, params.id)
    const { invoice } = record
    const { receivers } = await till.health()
    const body = view('till/invoice', {
      invoice,
      tag: invoiceTag({ ...invoice, settlement: settlementIn(record) }),
      confirmations: till.setup.confirmations,
      steps: timeLineOf(record, {
        confirmations: till.setup.confirmations,
        hostOf: (receiver) => receivers.find((one) => one.receiver === receiver)?.host ?? undefined,
      }).map(printable),
    })
    return { title: `Invoice ${shortId(invoice.id)}`, body, refreshSeconds: REFRESH_SECONDS }
  },
})

const settlementIn = ({ invoice, payments }: InvoiceRecord) =>
  payments.find(({ payment }) => payment.id === invoice.paymentId)?.payment.settlement

/** Answers of receivers have a page of their own; here the error says enough. */
const printable = ({ href, attempts = [], detail, ...step }: Step) => ({
  ...step,
  detail: detail.map((part) => (typeof part === 'string' ? clip(part, 2 * LONGEST_ERROR) : part)),
  href: href === undefined ? '' : `/console${href}`,
  attempts: attempts.map(({ number, startedAt, durationMs, httpStatus, error }) => ({
    number,
    startedAt,
    durationMs,
    outcome: error === null ? `HTTP ${httpStatus ?? '?'}` : clip(error, LONGEST_ERROR),
    isGood: error === null,
  })),
})

/** Throws CONSOLE_NO_RECORD. */
async function recordOf(till: TillView, id = ''): Promise<InvoiceRecord> {
  const record = /^[0-9a-f]{32}$/.test(id) ? await till.invoice(id) : undefined
  if (!record) throw noSuchRecord('invoice')
  return record
}

export const cancelAction = (till: TillView): ConsoleAction => ({
  path: '/invoices/:id/cancel',
  id: 'invoice.cancel',
  least: 'operator',
  fields: {},
  object: ({ params }) => params.id ?? '',
  async confirm({ params }) {
    const { invoice } = await recordOf(till, params.id)
    return {
      question: 'Cancel this invoice?',
      facts: [
        ['Invoice', invoice.id],
        ['Status', invoice.status],
        ['Amount', `${formatGrin(invoice.amount)} GRIN`],
        ['Order', invoice.orderRef ?? '–'],
      ],
      consequence:
        'The customer can no longer pay it. This cannot be undone; a payment that was sent before still arrives, unmatched.',
      verb: 'Cancel the invoice',
      back: `/invoices/${invoice.id}`,
    }
  },
  async perform({ params }) {
    const { invoice } = await recordOf(till, params.id)
    await till.cancel(invoice.id)
    return { to: `/invoices/${invoice.id}`, flash: { tone: 'good', text: 'The invoice is cancelled.' } }
  },
})
