// What a payer reads about where the payment stands. Pure.
import type { Invoice, InvoiceStatus } from '../model.js'

export interface StatusText {
  readonly headline: string
  readonly detail: string
  /** `live`: something is still expected to happen; `done`: all good; `over`: it can no longer be paid. */
  readonly tone: 'live' | 'done' | 'over'
  readonly progress: { readonly done: number; readonly of: number } | null
}

/** `broadcast`: it is in the network, where it waits for a block. `ours`: the till broadcasts it, not the payer's wallet. */
type Seen = Pick<Invoice, 'status' | 'confirmations' | 'expiresAt'> & {
  readonly broadcast?: boolean
  readonly ours?: boolean
}

/** `1 Jul 2026, 14:05 UTC`: a page without scripts does not know the reader's time zone. */
export function formatMoment(ms: number): string {
  const [, day, month, year, time] = /^\w+, 0?(\d+) (\w+) (\d+) (\d\d:\d\d)/.exec(new Date(ms).toUTCString()) ?? []
  return `${day} ${month} ${year}, ${time} UTC`
}

const TEXTS: Readonly<Record<InvoiceStatus, (invoice: Seen, required: number) => StatusText>> = {
  open: () => ({
    headline: 'Waiting for payment',
    detail: 'Nothing has arrived yet.',
    tone: 'live',
    progress: null,
  }),
  paid: ({ confirmations, broadcast, ours }, required) => ({
    headline: `Received, confirming ${confirmations} of ${required}`,
    detail:
      confirmations > 0
        ? `It is on the chain. About ${minutes(required - confirmations)} more.`
        : unminedText(broadcast, ours),
    tone: 'live',
    progress: { done: Math.min(confirmations, required), of: required },
  }),
  confirmed: ({ confirmations }, required) => ({
    headline: 'Paid. Thank you!',
    detail: `Settled with ${Math.max(confirmations, required)} confirmations.`,
    tone: 'done',
    progress: null,
  }),
  expired: ({ expiresAt }) => ({
    headline: 'This invoice has expired',
    detail:
      expiresAt === null ? 'Please do not pay it any more.' : `It could be paid until ${formatMoment(expiresAt)}.`,
    tone: 'over',
    progress: null,
  }),
  cancelled: () => ({
    headline: 'This invoice was cancelled',
    detail: 'The shop withdrew it. Please do not pay it.',
    tone: 'over',
    progress: null,
  }),
}

function unminedText(broadcast = false, ours = false): string {
  if (ours) return broadcast ? 'It is broadcast. Waiting for the next block.' : 'The till is broadcasting it.'
  return broadcast
    ? 'Your wallet has broadcast it. Waiting for the next block.'
    : 'Waiting until your wallet has broadcast it.'
}

/** A block comes about every minute. */
const minutes = (blocks: number): string => (blocks <= 1 ? 'a minute' : `${blocks} minutes`)

export const statusText = (invoice: Seen, required: number): StatusText => TEXTS[invoice.status](invoice, required)

/** What a status frame has shown: status and depth, as one word for its own address. */
export const seenKey = ({ status, confirmations }: Pick<Invoice, 'status' | 'confirmations'>): string =>
  `${status}.${confirmations}`

const ADVICE: Readonly<Record<InvoiceStatus, readonly string[]>> = {
  open: [],
  paid: [],
  confirmed: ['You can close this page. Your wallet keeps the payment proof if it asked for one.'],
  expired: [
    'Have you paid already? If your wallet has broadcast the payment, it is still recognised: open this page again a little later.',
    'If not, ask the shop for a new invoice and cancel the old payment in your wallet.',
  ],
  cancelled: ['If you have paid already, ask the shop and name the invoice.'],
}

/** For who paid over Nostr and whose transaction is still missing. */
export const REPLY_ON_ITS_WAY: readonly string[] = [
  'Our reply goes to your wallet by itself. Open the wallet if it is closed: it then finishes the payment.',
]

/** One paragraph each; an expired invoice that can be priced anew says so instead of sending people away. */
export const adviceFor = (status: InvoiceStatus, canRequote: boolean): readonly string[] =>
  status === 'expired' && canRequote
    ? [ADVICE.expired[0] ?? '', 'If not, get a new price: the invoice stays the same.']
    : ADVICE[status]
