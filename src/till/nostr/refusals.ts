// The text that a payer reads when a payment is refused (specification: invoicing, 4.6). Rate-limited, so that strangers cannot make
// the till send messages.
import { formatGrin, type NanoGrin } from '../../grin/amount/index.js'
import { GrinpayError } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import { createSlidingWindow, type WindowTerms } from '../../lib/rate-limiter.js'
import type { Text } from './texts.js'

/** A payment that was not taken, and whom to tell. */
export interface RefusedPayment {
  readonly error: GrinpayError
  /** 64 hex of the payer. */
  readonly payer: string
  /** 64 hex of the key of ours that was paid: the answer comes from it. */
  readonly receiver: string
  /** Absent when the slatepack could not be read. */
  readonly slate?: { readonly id: string; readonly amount: NanoGrin }
  /** What the invoice of this key asks for, where it has one. */
  readonly wanted?: NanoGrin
}

/** Sends a kind-14 text from one of our keys, soon; nothing depends on its arrival. */
export type SendText = (text: Text) => void

/** May be different in a while: a node that does not answer, a disk that is full, a bug. Everything else is the payer's to mend. */
export const isTransient = (error: unknown): boolean => !(error instanceof GrinpayError) || error.status >= 500

const NEW_INVOICE = 'Please cancel it there and ask the shop for a new invoice.'
const SEND_AGAIN = 'Please cancel it there and send again.'

const TEXTS: Readonly<Record<string, (facts: RefusedPayment) => string>> = {
  SLATE_WRONG_AMOUNT: ({ wanted }) =>
    wanted === undefined
      ? 'the invoice asks for another amount. Please cancel it there and send exactly what the invoice says.'
      : `the invoice asks for exactly ${formatGrin(wanted)} GRIN. Please cancel it there and send that amount.`,
  INVOICE_ALREADY_PAID: ({ error }) =>
    error.values?.[0] === 'signed'
      ? 'another payment of this invoice is signed already and waits for the network. Please cancel this one there.'
      : 'this invoice is already paid. Please cancel it there.',
  INVOICE_EXPIRED: () => `this invoice has expired. ${NEW_INVOICE}`,
  INVOICE_CANCELLED: () => `this invoice was cancelled. ${NEW_INVOICE}`,
  NO_INVOICE_MATCHES: () => `it fits no open invoice here. ${NEW_INVOICE}`,
  SLATE_WRONG_STATE: () => `it is not the beginning of a payment. ${SEND_AGAIN}`,
  SLATE_OUR_REPLY: () => 'this is our reply to your payment. Please do not cancel it: your wallet finishes it.',
  SLATE_FINISHED: () =>
    'your payment is finished already. Please do not cancel it: your wallet sends it to the network.',
  SLATE_PAYMENT_COMPLETE: () => 'your payment is complete already. There is nothing left to do.',
  SLATE_OUR_INVOICE: () => 'this is our invoice. Please open it in your wallet to pay it.',
  SLATE_OUR_INVOICE_OVER: () => 'this invoice of ours can no longer be paid. Please do not pay it.',
  SLATE_ID_USED: () =>
    'a payment with the same number was received before. Only if you never finished that one, cancel it there and send again.',
  SLATE_EXPIRED: () => `its time limit has passed. ${SEND_AGAIN}`,
  SLATEPACK_TWO: () => 'the message holds more than one. Please send them one at a time.',
  SLATEPACK_TOO_LONG: () => 'it is made of too many coins. Please combine them in your wallet first and send again.',
  SLATEPACK_WRONG_CHAIN: () =>
    'it comes from another network. Please check whether your wallet is on the main or a test network.',
  SLATEPACK_CANNOT_DECRYPT: () => 'it is encrypted to another address. Please send to the address of the invoice.',
}

/** What belongs to a payment that we know: nothing was refused, so the text begins with what it is. */
const OWN: ReadonlySet<string> = new Set([
  'SLATE_OUR_REPLY',
  'SLATE_FINISHED',
  'SLATE_PAYMENT_COMPLETE',
  'SLATE_OUR_INVOICE',
  'SLATE_OUR_INVOICE_OVER',
])

const UNREADABLE = `the message could not be read. ${SEND_AGAIN}`

/** One paragraph: what happened, that nothing is lost, what to do. */
function refusalText(refusal: RefusedPayment): string {
  const { error, slate } = refusal
  const payment = slate && slate.amount > 0n ? `Your payment of ${formatGrin(slate.amount)} GRIN` : 'Your payment'
  const reason = TEXTS[error.code]?.(refusal) ?? (slate ? ruleText(error) : UNREADABLE)
  return OWN.has(error.code)
    ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
    : `${payment} was not taken and nothing has left your wallet: ${reason}`
}

/** A broken rule of the slate says for itself what is wrong. */
const ruleText = ({ message }: GrinpayError): string => `${message}. ${SEND_AGAIN}`

const HOUR = 3_600_000

/** All must have room for one more; asked in this order. */
const BOUNDS: readonly { readonly terms: WindowTerms; readonly of: (refusal: RefusedPayment) => string }[] = [
  { terms: { limit: 1, windowMs: 24 * HOUR }, of: ({ slate, payer }) => slate?.id ?? payer },
  { terms: { limit: 3, windowMs: HOUR }, of: ({ payer }) => payer },
  // New sender keys cost nothing, so a limit per sender is not enough.
  { terms: { limit: 60, windowMs: HOUR }, of: ({ receiver }) => receiver },
  { terms: { limit: 60, windowMs: 60_000 }, of: () => 'all' },
]

export interface RefusalsParts {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly sendText: SendText
  readonly log: Pick<Log, 'info'>
}

/** Tells payers why their payment was not taken, as far as the bounds allow. */
export function createRefusals({ clock, sendText, log }: RefusalsParts): (refusal: RefusedPayment) => void {
  const bounds = BOUNDS.map(({ terms, of }) => ({ quota: createSlidingWindow(terms, clock), of }))
  return (refusal) => {
    if (!bounds.every(({ quota, of }) => quota.take(of(refusal)))) return
    const { payer: to, receiver: from, error, slate } = refusal
    log.info({ payment: slate?.id ?? null, rail: 'nostr', code: error.code }, 'payment refused')
    sendText({ to, from, text: refusalText(refusal) })
  }
}
