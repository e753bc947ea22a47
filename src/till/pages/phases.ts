// Where a payment stands, in the steps that a payer reads: nothing is called received before the network has it. Pure.
import type { Invoice, Payment } from '../model.js'
import type { Rails } from '../rails.js'
import type { TextKey } from './texts/en.js'
import type { Translator } from './texts/index.js'

/**
 * `reply-ready`: our reply waits for the payer to carry it; `reply-sent`: it goes to the wallet by itself; `sending`: this till has
 * the whole transaction and broadcasts it; `seen`: in the pool of a node; `confirming`: in a block.
 */
export type Phase =
  | 'waiting'
  | 'reply-ready'
  | 'reply-sent'
  | 'sending'
  | 'seen'
  | 'confirming'
  | 'paid'
  | 'expired'
  | 'cancelled'

type Facts = Pick<Invoice, 'status' | 'confirmations' | 'paymentId' | 'slateId'>

/** Paid with the invoice's own slate: the till has the whole transaction and broadcasts it itself. */
const isOurs = ({ slateId, paymentId }: Facts): boolean => paymentId !== null && paymentId === slateId

type Can = Rails['can']

/** Of an invoice with a payment, in this order; the last one always fits. */
const PAID_PHASES: readonly (readonly [Phase, (invoice: Facts, payment: Payment | undefined, can: Can) => boolean])[] =
  [
    ['confirming', ({ confirmations }, payment) => confirmations > 0 || payment?.settlement === 'mined'],
    ['seen', (_, payment) => payment?.settlement === 'seen'],
    ['sending', isOurs],
    ['reply-sent', (_, payment, can) => payment !== undefined && !can(payment.rail, 'isPasted')],
    ['reply-ready', () => true],
  ]

/** `payment`: the one that the invoice names; `can`: of the rails. */
export function phaseOf(invoice: Facts, payment: Payment | undefined, can: Can): Phase {
  if (invoice.status === 'open') return 'waiting'
  if (invoice.status === 'confirmed') return 'paid'
  if (invoice.status !== 'paid') return invoice.status
  return PAID_PHASES.find(([, fits]) => fits(invoice, payment, can))?.[0] ?? 'reply-ready'
}

/** Nothing more can happen on the page. */
export const isFinal = (phase: Phase): boolean => phase === 'paid' || phase === 'expired' || phase === 'cancelled'

/** What a frame has shown, as one word for its own address. */
export const seenKey = ({ status, confirmations }: Facts, phase: Phase): string =>
  `${status}.${confirmations}${phase === 'seen' ? '.seen' : ''}`

export interface PhaseText {
  readonly headline: string
  readonly detail: string
  /** `act`: the payer has to do something; `live`: something is still expected to happen; `done`: all good; `over`: it can no longer be paid. */
  readonly tone: 'act' | 'live' | 'done' | 'over'
}

/** What the sentences are made of. */
export interface PhaseFacts extends Pick<Invoice, 'confirmations' | 'expiresAt'> {
  /** Blocks, 1 = in the tip block. */
  readonly required: number
}

const plain =
  (headline: TextKey, detail: TextKey, tone: PhaseText['tone'] = 'live') =>
  ({ text }: Translator): PhaseText => ({ headline: text(headline), detail: text(detail), tone })

const VIEWS: Readonly<Record<Phase, (translator: Translator, facts: PhaseFacts) => PhaseText>> = {
  waiting: plain('waiting', 'waitingDetail'),
  'reply-ready': plain('replyReady', 'replyReadyDetail', 'act'),
  'reply-sent': plain('replyReady', 'replyOnItsWay'),
  sending: plain('sending', 'sendingDetail'),
  seen: plain('seen', 'seenDetail'),
  confirming: ({ text, plural }, { confirmations, required }) => ({
    headline: text('confirming', { done: Math.max(1, confirmations), total: required }),
    detail: plural('confirmingDetail', Math.max(1, required - confirmations)), // a block comes about every minute
    tone: 'live',
  }),
  paid: plain('paid', 'paidDetail', 'done'),
  expired: ({ text, moment }, { expiresAt }) => ({
    headline: text('expired'),
    detail: expiresAt === null ? text('expiredDetail') : text('expiredOn', { time: moment(expiresAt) }),
    tone: 'over',
  }),
  cancelled: plain('cancelled', 'cancelledDetail', 'over'),
}

export const phaseText = (phase: Phase, translator: Translator, facts: PhaseFacts): PhaseText =>
  VIEWS[phase](translator, facts)

/** One of the four steps of a payment under way; a step before the current one is done. */
export interface ProgressStep {
  readonly name: string
  readonly state: 'done' | 'now' | 'next'
}

const STEPS: readonly TextKey[] = ['stepReply', 'stepSeen', 'stepConfirming', 'stepPaid']
/** The step that a phase is in; none before the payment and after its end. */
const STEP_OF: Readonly<Partial<Record<Phase, number>>> = {
  'reply-ready': 0,
  'reply-sent': 0,
  sending: 0,
  seen: 1,
  confirming: 2,
}

export function stepsOf(phase: Phase, { text }: Translator): readonly ProgressStep[] {
  const now = STEP_OF[phase]
  if (now === undefined) return []
  return STEPS.map((key, at) => ({ name: text(key), state: at < now ? 'done' : at === now ? 'now' : 'next' }))
}

/** What to do now, one paragraph each. */
const ADVICE: Readonly<Partial<Record<Phase, readonly TextKey[]>>> = {
  expired: ['expiredAdvicePaid', 'expiredAdviceNew'],
  cancelled: ['cancelledAdvice'],
}
const ADVICE_REQUOTE: readonly TextKey[] = ['expiredAdvicePaid', 'expiredAdviceRequote']

/** An expired invoice that can be priced anew says so instead of sending people away. */
export const adviceTexts = (phase: Phase, canRequote: boolean, { text }: Translator): readonly string[] =>
  (phase === 'expired' && canRequote ? ADVICE_REQUOTE : (ADVICE[phase] ?? [])).map((key) => text(key))
