// One payment, and how one without an invoice gets one.
import { formatGrin } from '../../../grin/amount/index.js'
import type { ActionRequest, ConsoleAction, ConsolePage } from '../../area.js'
import { clip } from '../words.js'
import type { Payment, PaymentRecord, TillDesk } from './desk.js'
import { noSuchRecord } from './errors.js'
import { invoiceListOf } from './invoice-list.js'
import { invoiceTag, SETTLEMENTS, shortId } from './labels.js'

const INVOICE_ID = /^[0-9a-f]{32}$/

export const paymentPage = (desk: TillDesk): ConsolePage => ({
  path: '/payments/:id',
  title: 'Payment',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params, view }) {
    const { payment, letters } = await recordOf(desk, params.id)
    const waits = isWaiting(payment)
    const candidates = waits ? await desk.invoicesFor(payment.amount) : []
    const body = view('till/payment', {
      payment,
      tag: SETTLEMENTS[payment.settlement],
      confirmations: desk.setup.confirmations,
      letters: letters.map((letter) => ({ ...letter, lastError: clip(letter.lastError ?? '', 200) })),
      waits,
      candidates: invoiceListOf(candidates, desk.setup.confirmations).map((row, at) => ({
        ...row,
        id: candidates[at]?.id,
      })),
    })
    return { title: `Payment ${shortId(payment.id)}`, body }
  },
})

const isWaiting = ({ invoiceId, userId, settlement }: Payment): boolean =>
  invoiceId === null && userId === null && settlement !== 'abandoned'

/** Throws CONSOLE_NO_RECORD. */
async function recordOf(desk: TillDesk, id = ''): Promise<PaymentRecord> {
  const record = /^[0-9a-f-]{36}$/.test(id) ? await desk.payment(id) : undefined
  if (!record) throw noSuchRecord('payment')
  return record
}

/** Both sides as they stand. Throws CONSOLE_NO_RECORD. */
async function sidesOf(desk: TillDesk, { params, form }: ActionRequest) {
  const { payment } = await recordOf(desk, params.id)
  const record = await desk.invoice(form.invoice ?? '')
  if (!record) throw noSuchRecord('invoice')
  return { payment, invoice: record.invoice }
}

export const assignAction = (desk: TillDesk): ConsoleAction => ({
  path: '/payments/:id/assign',
  id: 'payment.assign',
  least: 'operator',
  fields: { invoice: { max: 32, pattern: INVOICE_ID } },
  audited: ['invoice'],
  object: ({ params }) => params.id ?? '',
  async confirm(request) {
    const { payment, invoice } = await sidesOf(desk, request)
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
    const { payment, invoice } = await sidesOf(desk, request)
    await desk.assign(payment.id, invoice.id)
    return { to: `/invoices/${invoice.id}`, flash: { tone: 'good', text: 'The payment is assigned to this invoice.' } }
  },
})
