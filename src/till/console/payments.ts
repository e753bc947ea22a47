// The list of payments, and those that wait for an invoice.
import { address, type ConsolePage, cursorOf, pagesOf, REFRESH_SECONDS } from '../../console/index.js'
import type { PaymentChoice, PaymentRow } from '../console-reads.js'
import { SETTLEMENTS, shortId } from './labels.js'
import { paymentChoiceOf } from './query.js'
import type { TillView } from './view.js'

const ROWS = 50

const CHOICES: readonly (readonly [choice: PaymentChoice, label: string])[] = [
  ['all', 'All'],
  ['waiting', 'Unmatched'],
  ['received', 'Signed, no reply yet'],
  ['replied', 'Signed'],
  ['seen', 'Seen'],
  ['mined', 'Mined'],
  ['confirmed', 'Confirmed'],
  ['abandoned', 'Abandoned'],
]

const EMPTY: Partial<Record<PaymentChoice, string>> = {
  all: 'No payment has come yet.',
  waiting: 'Every payment has its invoice.',
}

export const paymentsPage = (till: TillView): ConsolePage => ({
  path: '/payments',
  title: 'Payments',
  least: 'viewer',
  navigation: { label: 'Payments', order: 30 },
  scripts: ['live.js'],
  async render({ query, view }) {
    const choice = paymentChoiceOf(query)
    const cursor = cursorOf(query)
    const show = choice === 'all' ? undefined : choice
    const { items, next } = await till.payments(choice, { limit: ROWS, cursor })
    const body = view('till/payments', {
      choices: CHOICES.map(([value, label]) => ({
        label,
        href: address('/payments', { show: value === 'all' ? undefined : value }),
        isCurrent: value === choice,
      })),
      rows: items.map((payment) => rowOf(payment, till.setup.confirmations)),
      empty: EMPTY[choice] ?? 'No payment stands here now.',
      ...pagesOf('/payments', { show }, { cursor, next }),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

const rowOf = (payment: PaymentRow, confirmations: number) => ({
  href: `/console/payments/${payment.id}`,
  short: shortId(payment.id),
  tag: SETTLEMENTS[payment.settlement],
  depth: payment.settlement === 'mined' ? `${payment.confirmations} of ${confirmations}` : '',
  amount: payment.amount,
  rail: payment.rail,
  invoice:
    payment.invoiceId === null
      ? undefined
      : { href: `/console/invoices/${payment.invoiceId}`, short: shortId(payment.invoiceId) },
  user: payment.userId,
  createdAt: payment.createdAt,
})
