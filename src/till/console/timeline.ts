// The life of one invoice as rows, oldest first: what happened, what is under way, what failed. Pure: from the stored rows alone.
import { formatGrin } from '../../grin/amount/index.js'
import type { DeliveryRow, MessageRow, PaymentRow } from '../console-reads.js'
import type { Attempt } from '../model.js'
import type { DeliveryRecord, InvoiceRecord, PaymentRecord, ShownInvoice } from './view.js'

/** `now`: it is under way; `bad`: it needs attention. */
type StepState = 'done' | 'now' | 'bad'

export interface Step {
  /** Epoch milliseconds; null: the till does not record when. */
  readonly at: number | null
  readonly state: StepState
  readonly title: string
  /** Texts, and moments (epoch milliseconds) that the page prints. */
  readonly detail: readonly (string | number)[]
  /** A path below `/console`. */
  readonly href?: string
  /** Of a webhook, newest first. */
  readonly attempts?: readonly Attempt[]
}

interface Context {
  /** Depth that settles an invoice. */
  readonly confirmations: number
  /** Host of a webhook receiver. */
  readonly hostOf: (receiver: number) => string | undefined
}

/** Steps with a time stand in its order; one without stands behind the step that it follows. */
export function timeLineOf(record: InvoiceRecord, context: Context): readonly Step[] {
  const { invoice, payments, deliveries } = record
  return inOrder([
    createdSteps(invoice),
    ...payments.map((one) => paymentSteps(one, invoice, context)),
    ...deliveries.map((one) => [webhookStep(one, context)]),
    endSteps(invoice),
  ])
}

/** Merges the lines by time. A step without a time takes that of the one before it in its line. */
function inOrder(lines: readonly (readonly Step[])[]): readonly Step[] {
  const timed = lines.flatMap((line) => {
    let known = Number.POSITIVE_INFINITY // a line that begins without a time is about the end
    return line.map((step) => {
      known = step.at ?? known
      return { step, at: known }
    })
  })
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ step }) => step)
}

function createdSteps(invoice: ShownInvoice): readonly Step[] {
  const { createdAt, amount, fiat, requotes, expiresAt } = invoice
  const price = fiat
    ? `${fiat.amount} ${fiat.currency.toUpperCase()}, ${formatGrin(amount)} GRIN`
    : `${formatGrin(amount)} GRIN`
  const created: Step = {
    at: createdAt,
    state: 'done',
    title: 'Invoice created',
    detail: expiresAt === null ? [price] : [`${price}, payable until`, expiresAt],
  }
  if (requotes === 0) return [created]
  const times = requotes === 1 ? 'once' : `${requotes} times`
  return [
    created,
    { at: fiat?.rateAt ?? null, state: 'done', title: 'Priced anew', detail: [`${times}; rate ${fiat?.rate ?? '?'}`] },
  ]
}

/** How the invoice stands or ended, where no payment tells. */
function endSteps({ status, expiresAt, paymentId }: ShownInvoice): readonly Step[] {
  if (status === 'cancelled') return [{ at: null, state: 'bad', title: 'Cancelled by the operator', detail: [] }]
  if (status === 'expired')
    return [
      {
        at: paymentId === null ? expiresAt : null,
        state: 'bad',
        title: 'Expired',
        detail: paymentId === null ? ['no payment came'] : [],
      },
    ]
  if (status !== 'open') return []
  return [
    {
      at: null,
      state: 'now',
      title: 'Waits for a payment',
      detail: expiresAt === null ? ['without a limit'] : ['until', expiresAt],
    },
  ]
}

const SIGHTED: ReadonlySet<string> = new Set(['seen', 'mined', 'confirmed'])

function paymentSteps({ payment, messages }: PaymentRecord, invoice: ShownInvoice, context: Context): readonly Step[] {
  const settles = invoice.paymentId === payment.id
  const steps = [
    arrivalOf(payment, invoice, settles),
    replyOf(payment, messages, payment.id === invoice.slateId),
    ...chainSteps(payment, context),
  ]
  return [...steps, ...messages.filter(({ kind }) => kind !== 'reply').map(messageStep)]
}

function arrivalOf(payment: PaymentRow, invoice: ShownInvoice, settles: boolean): Step {
  const slate = payment.id === invoice.slateId ? 'I2' : 'S1'
  return {
    at: payment.createdAt,
    state: 'done',
    title: `${slate} received over ${payment.rail}`,
    detail: [
      `${formatGrin(payment.amount)} GRIN, slate ${payment.id}`,
      ...(settles ? [] : ['; this payment does not settle the invoice']),
    ],
    href: `/payments/${payment.id}`,
  }
}

/** What the payer's wallet waits for. It is signed with the arrival; when it left is not recorded. */
function replyOf({ settlement, rail }: PaymentRow, messages: readonly MessageRow[], isInvoiceSlate: boolean): Step {
  const message = messages.find(({ kind }) => kind === 'reply')
  const slate = isInvoiceSlate ? 'I3' : 'S2'
  const step = { at: null, ...(message ? { detail: postingOf(message) } : { detail: [] }) }
  if (settlement !== 'received') return { ...step, state: 'done', title: `${slate} signed and handed to the payer` }
  const state = message?.state === 'given-up' ? 'bad' : 'now'
  return { ...step, state, title: `${slate} signed; the payer does not have it yet (${rail})` }
}

function chainSteps(payment: PaymentRow, { confirmations }: Context): readonly Step[] {
  const { settlement, minedAt, minedHeight, confirmedAt } = payment
  const plain = { at: null, detail: [] }
  if (settlement === 'abandoned')
    return [{ ...plain, state: 'bad', title: 'Given up: no kernel came in time; a late one still counts' }]
  if (!SIGHTED.has(settlement))
    return settlement === 'replied'
      ? [{ ...plain, state: 'now', title: 'Waits until the payer’s wallet publishes it' }]
      : []
  const steps: Step[] = [{ ...plain, state: 'done', title: 'Seen by a node' }]
  if (settlement === 'seen') return [...steps, { ...plain, state: 'now', title: 'Waits for a block' }]
  steps.push({
    at: minedAt,
    state: settlement === 'mined' ? 'now' : 'done',
    title: `Mined in block ${minedHeight ?? '?'}`,
    detail: [`${payment.confirmations} of ${confirmations} confirmations`],
  })
  if (payment.output !== null)
    steps.push({ ...plain, state: 'bad', title: 'The output is not on the chain: the same seed may be used elsewhere' })
  if (settlement === 'confirmed') steps.push({ at: confirmedAt, state: 'done', title: 'Confirmed', detail: [] })
  return steps
}

const MESSAGE_TITLES: Readonly<Record<MessageRow['kind'], string>> = {
  reply: 'Reply',
  thanks: 'Receipt for the payer over Nostr',
  'merchant-received': 'Notice of receipt to the merchant over Nostr',
  'merchant-confirmed': 'Notice of confirmation to the merchant over Nostr',
}

const messageStep = (message: MessageRow): Step => ({
  at: message.createdAt,
  state: message.state === 'sent' ? 'done' : message.state === 'pending' ? 'now' : 'bad',
  title: MESSAGE_TITLES[message.kind],
  detail: postingOf(message),
})

const tries = (count: number): string => `${count} ${count === 1 ? 'attempt' : 'attempts'}`

function postingOf({
  state,
  acceptedBy,
  attempts,
  nextAttemptAt,
  lastError,
}: MessageRow): readonly (string | number)[] {
  const taken = acceptedBy.length === 0 ? [] : [`taken by ${acceptedBy.join(', ')}`]
  if (state === 'sent') return taken
  const why = lastError === null ? '' : `: ${lastError}`
  if (state === 'given-up') return [...taken, `given up after ${tries(attempts)}${why}`]
  return [...taken, `${tries(attempts)}${why}`, ...(nextAttemptAt === null ? [] : [', next', nextAttemptAt])]
}

const DELIVERY_STATES: Readonly<Record<DeliveryRow['state'], (failed: boolean) => StepState>> = {
  delivered: () => 'done',
  pending: (failed) => (failed ? 'bad' : 'now'),
  abandoned: () => 'bad',
}

function webhookStep({ delivery, attempts }: DeliveryRecord, { hostOf }: Context): Step {
  const { eventId, receiver, type, state, createdAt } = delivery
  const host = hostOf(receiver)
  return {
    at: createdAt,
    state: DELIVERY_STATES[state](delivery.attempts > 0),
    title: `Webhook ${type} to receiver ${receiver}${host === undefined ? '' : ` (${host})`}`,
    detail: deliveryDetail(delivery),
    href: `/webhooks/${eventId}`,
    attempts,
  }
}

function deliveryDetail({ state, attempts, nextAttemptAt, lastError }: DeliveryRow): readonly (string | number)[] {
  if (state === 'delivered') return [`delivered, ${tries(attempts)}`]
  const why = lastError === null ? '' : `: ${lastError}`
  if (state === 'abandoned') return [`given up after ${tries(attempts)}${why}`]
  return [`waits, ${tries(attempts)}${why}`, ...(nextAttemptAt === null ? [] : ['; next', nextAttemptAt])]
}
