// Where a sale stands, in the words of a cashier. Pure.
import type { Tag } from '../../../console/index.js'
import { formatGrin } from '../../../grin/amount/index.js'
import { hasReached, PROGRESS, PROGRESS_WORDS, type Progress } from '../../../lib/payment-words.js'
import type { Sale } from './sales.js'

export type Stage = 'waiting' | Progress | 'expired' | 'cancelled'

export function stageOf({ status, progress }: Sale): Stage {
  if (status === 'open') return 'waiting'
  return status === 'expired' || status === 'cancelled' ? status : (progress ?? 'signed')
}

/** Nothing follows. A sale whose time is over may still be paid by a payment that is under way. */
export const isFinal = (stage: Stage): boolean => stage === 'confirmed' || stage === 'cancelled'

/** What a page shows, as one word: another one means another page. */
export const markOf = (sale: Sale): string => `${stageOf(sale)}.${sale.confirmations}`

export interface Step {
  readonly name: string
  readonly state: 'done' | 'now' | 'next'
}

const isProgress = (stage: Stage): stage is Progress => (PROGRESS as readonly Stage[]).includes(stage)

/** The till has signed; whether that is enough for the counter, `isPaid` says. */
export const isSigned = (sale: Sale): boolean => isProgress(stageOf(sale))

/** Far enough for the counter to call it paid: never before a node has it. */
export function isPaid(sale: Sale): boolean {
  const stage = stageOf(sale)
  return isProgress(stage) && hasReached(stage, sale.paidFrom)
}

/** What has happened and what follows. */
export function stepsOf(sale: Sale): readonly Step[] {
  const stage = stageOf(sale)
  const isAt = (wanted: Progress): boolean => isProgress(stage) && hasReached(stage, wanted)
  const { confirmations, required } = sale
  const names = ['Signed', 'On the network', `Confirmed ${Math.min(confirmations, required)} of ${required}`]
  const done = [isAt('signed'), isAt('seen'), isAt('confirmed')]
  return names.map((name, at) => ({ name, state: done[at] ? 'done' : at === 0 || done[at - 1] ? 'now' : 'next' }))
}

/** What the cashier should know beside the headline. */
const ADVICE: Readonly<Partial<Record<Stage, string>>> = {
  signed: 'The customer’s wallet still has to send it. Nothing has moved yet: wait for the green screen.',
  seen: 'The network has it; a block follows in about a minute.',
  mined: 'In a block. Each block on top makes it more final.',
  confirmed: 'Final.',
}
export const adviceFor = (stage: Stage): string => ADVICE[stage] ?? ''

const OTHER_TAGS: Readonly<Record<Exclude<Stage, Progress>, Tag>> = {
  waiting: { text: 'waiting', tone: 'warn' },
  expired: { text: 'not paid', tone: 'quiet' },
  cancelled: { text: 'cancelled', tone: 'quiet' },
}

/** "paid" only where the counter may hand over the goods; before that the word for where the payment stands. */
export function tagOf(sale: Sale): Tag {
  const stage = stageOf(sale)
  if (!isProgress(stage)) return OTHER_TAGS[stage]
  const { word } = PROGRESS_WORDS[stage]
  if (stage === 'confirmed') return { text: word, tone: 'good' }
  return isPaid(sale) ? { text: 'paid', tone: 'good' } : { text: word, tone: 'warn' }
}

/** Headline and what it waits for, of a payment that is not far enough yet: "Signed", "waiting for the network". */
export function waitingTexts(sale: Sale): { readonly headline: string; readonly rest: string } {
  const [headline = '', rest = ''] = PROGRESS_WORDS[sale.progress ?? 'signed'].sentence.split(': ')
  return { headline, rest }
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
