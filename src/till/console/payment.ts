// One payment, and how one without an invoice gets one.
import { type ActionRequest, type ConsoleAction, type ConsolePage, clip } from '../../console/index.js'
import { formatGrin } from '../../grin/amount/index.js'
import type { PaymentRow } from '../console-reads.js'
import { noSuchRecord } from './errors.js'
import { invoiceListOf } from './invoice-list.js'
import { invoiceTag, SETTLEMENTS, shortId } from './labels.js'
import type { PaymentRecord, TillView } from './view.js'

const INVOICE_ID = /^[0-9a-f]{32}$/

export const paymentPage = (till: TillView): ConsolePage => ({
  path: '/payments/:id',
  title: 'Payment',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params, view }) {
    const { payment, messages } = await recordOf(till, params.id)
    const waits = isWaiting(payment)
    const candidates = waits ? await till.invoicesFor(payment.amount) : []
    const body = view('till/payment', {
      payment,
      tag: SETTLEMENTS[payment.settlement],
      confirmations: till.setup.confirmations,
      messages: messages.map((message) => ({ ...message, lastError: clip(message.lastError ?? '', 200) })),
      waits,
      candidates: invoiceListOf(candidates, till.setup.confirmations).map((row, at) => ({
        ...row,
        id: candidates[at]?.id,
      })),
    })
    return { title: `Payment ${shortId(payment.id)}`, body }
  },
})

const isWaiting = ({ invoiceId, userId, settlement }: PaymentRow): boolean =>
  invoiceId === null && userId === null && settlement !== 'abandoned'

/** Throws CONSOLE_NO_RECORD. */
async function recordOf(till: TillView, id = ''): Promise<PaymentRecord> {
  const record = /^[0-9a-f-]{36}$/.test(id) ? await till.payment(id) : undefined
  if (!record) throw noSuchRecord('payment')
  return record
}

/** Both sides as they stand. Throws CONSOLE_NO_RECORD. */
async function sidesOf(till: TillView, { params, form }: ActionRequest) {
  const { payment } = await recordOf(till, params.id)
  const record = await till.invoice(form.invoice ?? '')
  if (!record) throw noSuchRecord('invoice')
  return { payment, invoice: record.invoice }
}

export const assignAction = (till: TillView): ConsoleAction => ({
  path: '/payments/:id/assign',
  id: 'payment.assign',
  least: 'operator',
  fields: { invoice: { max: 32, pattern: INVOICE_ID } },
  audited: ['invoice'],
  object: ({ params }) => params.id ?? '',
  async confirm(request) {
    const { payment, invoice } = await sidesOf(till, request)
    return {
      question: 'Assign this payment?',
      facts: [
        ['Payment', payment.id],
        ['Its amount', `${formatGrin(payment.amount)} GRIN`],
        ['Its state', SETTLEMENTS[payment.settlement].text],
        ['Invoice', invoice.id],
        ['Asks for', `${formatGrin(invoice.amount)} GRIN`],
        ['Its status', invoiceTag(invoice).text],
        ['Order', invoice.orderRef ?? '–'],
      ],
      consequence: 'This payment settles the invoice and the shop gets a webhook. This cannot be undone.',
      verb: 'Assign the payment',
      back: `/payments/${payment.id}`,
    }
  },
  async perform(request) {
    const { payment, invoice } = await sidesOf(till, request)
    await till.assign(payment.id, invoice.id)
    return { to: `/invoices/${invoice.id}`, flash: { tone: 'good', text: 'The payment is assigned to this invoice.' } }
  },
})
