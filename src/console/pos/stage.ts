// Where a sale stands, in the words of a cashier. Pure.
import { formatGrin } from '../../grin/amount/index.js'
import type { Sale } from './desk.js'

/** `signed`: the customer's wallet has the till's signature; `seen`: a node has the transaction; `mined`: a block has it. */
export type Stage = 'waiting' | 'signed' | 'seen' | 'mined' | 'confirmed' | 'expired' | 'cancelled'

export function stageOf({ status, isSeen, confirmations }: Sale): Stage {
  if (status === 'open') return 'waiting'
  if (status !== 'paid') return status
  if (confirmations > 0) return 'mined'
  return isSeen ? 'seen' : 'signed'
}

/** Nothing follows. A sale whose time is over may still be paid by a payment that is under way. */
export const isFinal = (stage: Stage): boolean => stage === 'confirmed' || stage === 'cancelled'

/** What a page shows, as one word: another one means another page. */
export const markOf = (sale: Sale): string => `${stageOf(sale)}.${sale.confirmations}`

export interface Step {
  readonly name: string
  readonly state: 'done' | 'now' | 'next'
}

const PAID: readonly Stage[] = ['signed', 'seen', 'mined', 'confirmed']
export const isPaid = (stage: Stage): boolean => PAID.includes(stage)

/** The steps after "paid": what each adds. */
export function stepsOf(sale: Sale): readonly Step[] {
  const reached = PAID.indexOf(stageOf(sale))
  const { confirmations, required } = sale
  const names = ['Signed', 'On the network', `Confirmed ${Math.min(confirmations, required)} of ${required}`]
  const done = [reached >= 0, reached >= 1, reached >= 3]
  return names.map((name, at) => ({ name, state: done[at] ? 'done' : at === 0 || done[at - 1] ? 'now' : 'next' }))
}

/** What the cashier should know beside "paid". */
const ADVICE: Readonly<Partial<Record<Stage, string>>> = {
  signed: 'The wallet still has to send it. For a large amount, wait for “On the network”.',
  seen: 'The network has it; a block follows in about a minute.',
  mined: 'In a block. Each block on top makes it more final.',
  confirmed: 'Final.',
}
export const adviceFor = (stage: Stage): string => ADVICE[stage] ?? ''

export const TAGS: Readonly<Record<Stage, { readonly text: string; readonly tone: 'good' | 'warn' | 'quiet' }>> = {
  waiting: { text: 'waiting', tone: 'warn' },
  signed: { text: 'paid', tone: 'good' },
  seen: { text: 'paid', tone: 'good' },
  mined: { text: 'paid', tone: 'good' },
  confirmed: { text: 'confirmed', tone: 'good' },
  expired: { text: 'not paid', tone: 'quiet' },
  cancelled: { text: 'cancelled', tone: 'quiet' },
}

/** The sum that the customer agreed to, and beside a fiat price what it is in GRIN. */
export function sumOf({ amount, fiat }: Sale): {
  readonly figure: string
  readonly unit: string
  readonly grin: string | null
} {
  const grin = formatGrin(amount)
  return fiat
    ? { figure: fiat.amount, unit: fiat.currency.toUpperCase(), grin: `${grin} GRIN` }
    : { figure: grin, unit: 'GRIN', grin: null }
}

/** `14:05` minutes and seconds left; `0:00` when over. */
export function timeLeft(expiresAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
