// From an invoice to what the checkout templates show. Pure; templates only place it.
import { formatGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Invoice, Payment } from '../model.js'
import { unambiguous } from './amounts.js'
import {
  type CheckoutMethod,
  chooseMethod,
  formOf,
  hasForm,
  methodsFor,
  methodView,
  tabsOf,
  terminalFor,
} from './checkout-methods.js'
import { countdownOf, factsOf } from './invoice-facts.js'
import { adviceFor, isFinal, type Phase, phaseOf, seenKey, statusView, stepsOf } from './phases.js'
import type { Site } from './site.js'
import type { Words } from './texts/index.js'
import type { TextKey } from './texts/types.js'

/** What the templates need to know about the till. */
export interface CheckoutContext {
  readonly site: Site
  readonly address: string
  readonly confirmations: number
  readonly chain: TillSettings['chain']
  /** The ones the operator offers. */
  readonly methods: readonly CheckoutMethod[]
  readonly nprofile: (pubkey: string) => string
  /** The till signs receipts. */
  readonly receipts: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface Refusal {
  readonly text: string
  /** What to do about it; may be empty. */
  readonly fix: string
  readonly pasted: string
}

/** An invoice as a page is asked for it. */
export interface Shown {
  readonly invoice: Invoice
  /** The one that the invoice names. */
  readonly payment: Payment | undefined
  /** The bare address alone tells which invoice is paid. */
  readonly plainSend: boolean
  readonly canRequote: boolean
  readonly words: Words
  /** `method` of the query. */
  readonly asked: string | undefined
}

const AMOUNT_LABELS: Readonly<Partial<Record<Phase, TextKey>>> = { waiting: 'amountDue', paid: 'amountPaid' }

/** What every page has. */
export const pageBase = (site: Site, { lang, text, plural }: Words) => ({ site, lang, t: text, plural })

/** What all views of one invoice share. */
function base({ invoice, payment, words, asked }: Shown, context: CheckoutContext) {
  const { site, confirmations: required, receipts } = context
  const path = `${site.mount}/pay/${invoice.token}`
  const phase = phaseOf(invoice, payment)
  const grin = formatGrin(invoice.amount)
  return {
    ...pageBase(site, words),
    phase,
    links: {
      page: path,
      frame: `${path}/frame${methodQuery(asked)}`,
      statusFrame: `${path}/frame?view=status`,
      paste: `${path}/slatepack`,
      requote: `${path}/requote`,
      repeat: `${path}?method=slatepack`,
      receipt:
        phase === 'paid' && receipts && invoice.paymentId !== null
          ? `${site.mount}/payment/${invoice.paymentId}/receipt`
          : null,
      back: invoice.returnUrl ?? site.shop.url ?? null,
    },
    grin,
    shownAmount: unambiguous(grin),
    amountLabel: words.text(AMOUNT_LABELS[phase] ?? 'amount'),
    facts: factsOf(invoice, words),
    countdown: countdownOf(invoice, words, context.now()),
    status: statusView(phase, words, { ...invoice, required }),
    steps: stepsOf(phase, words),
    progress: phase === 'confirming' ? { done: Math.min(invoice.confirmations, required), of: required } : null,
  }
}

/** Only a word that a method could be goes back into an address. */
const methodQuery = (asked: string | undefined): string => {
  const word = /^[a-z]{4,9}$/.exec(asked ?? '')?.[0]
  return word === undefined ? '' : `?method=${word}`
}

/** What an open invoice can be paid with, and the method that is shown. */
function openView(shown: Shown, context: CheckoutContext, page: string) {
  const { invoice, words, plainSend, asked } = shown
  const usable = methodsFor(invoice, { methods: context.methods, plainSend })
  const method = chooseMethod(usable, asked)
  const grin = formatGrin(invoice.amount)
  return {
    method,
    tabs: tabsOf(usable, method, page, words),
    slatepackTab: usable.includes('slatepack') ? `${page}?method=slatepack` : null,
    page: {
      ...methodView(method, invoice, context, words),
      address: context.address,
      terminal: terminalFor({ ...context, invoice, grin, method, words }),
      qrSvg: labelled(invoice.qrSvg, words.text('codeOfPayment', { amount: grin })),
      payLink: invoice.payLink,
      nprofile: method === 'goblin' ? context.nprofile(invoice.recipientPubkey) : '',
    },
  }
}

/** The code of an invoice is drawn once, in English; a label of ours holds nothing to escape. */
const labelled = (svg: string, label: string): string => svg.replace(/ aria-label="[^"]*"/, ` aria-label="${label}"`)

export interface Page {
  readonly template: string
  readonly data: object
}

/** Lost replies can be had again by pasting the same slatepack, until the network has the transaction. */
const canRepeat = (phase: Phase, payment: Payment | undefined): boolean =>
  phase === 'reply-ready' && payment !== undefined

/** The page of an invoice as it stands. A refusal is shown on every one; with what was pasted where there is a form. */
export function checkoutPage(shown: Shown, context: CheckoutContext, refusal?: Refusal): Page {
  const { words, asked, payment } = shown
  const shared = { ...base(shown, context), refusal: refusal ?? null }
  const { phase } = shared
  if (isFinal(phase)) return { template: 'checkout/final', data: { ...shared, ...finalView(shown, phase) } }
  if (phase === 'waiting') {
    const open = openView(shown, context, shared.links.page)
    const title = refusal ? titled(words.text('notAccepted'), words) : words.text('payTitle', { amount: shared.grin })
    if (!hasForm(open.method)) return { template: 'checkout/shell', data: { ...shared, title } }
    return {
      template: 'checkout/pay',
      data: {
        ...shared,
        ...open,
        title,
        form: formOf(open.method, shared.links.paste, words),
        wide: true,
      },
    }
  }
  const title = titled(shared.status.headline, words)
  if (asked === 'slatepack' && canRepeat(phase, payment)) {
    const form = formOf('slatepack', shared.links.paste, words)
    return { template: 'checkout/repeat', data: { ...shared, title, form } }
  }
  return { template: 'checkout/shell', data: { ...shared, title } }
}

const titled = (text: string, words: Words): string => `${text} – ${words.text('brand')}`

const finalView = ({ canRequote, words }: Shown, phase: Phase) => ({
  title: titled(words.text(phase === 'paid' ? 'paid' : phase === 'expired' ? 'expired' : 'cancelled'), words),
  advice: adviceFor(phase, canRequote, words),
  canRequote: phase === 'expired' && canRequote,
})

/** The page with our reply to a paste. */
export function replyPage(shown: Shown, context: CheckoutContext, slatepack: string) {
  const { invoice, words } = shown
  const shared = base(shown, context)
  const { grin } = shared
  const terminal = terminalFor({ ...context, invoice, grin, method: 'slatepack', words })
  return { ...shared, title: titled(words.text('replyReady'), words), wide: true, slatepack, page: { terminal } }
}

export interface FrameState {
  /** `card`: everything there is to see; `status`: only where it stands, beside a form. */
  readonly view: 'card' | 'status'
  /** The texts to copy are shown on the card. */
  readonly copy: boolean
  readonly waitSeconds: number
}

/** The address of a frame, with what it has shown: it asks again and waits until that is no longer so. */
const frameUrl = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const query = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${path}/frame?${query.join('&')}`
}

/** What a frame shows: the whole card that the page consists of, or the status beside a form. */
export function framePage(shown: Shown, context: CheckoutContext, { view, copy, waitSeconds }: FrameState): Page {
  const shared = base(shown, context)
  const { phase } = shared
  const open = phase === 'waiting' ? openView(shown, context, shared.links.page) : { method: undefined }
  // What was typed into a form would not outlive the next load of a frame.
  const isStatus = view === 'status' || (open.method !== undefined && hasForm(open.method))
  const of = (withCopy: boolean) => ({ view, method: open.method, copy: withCopy ? '1' : undefined })
  const url = frameUrl(shared.links.page, { ...of(copy), seen: seenKey(shown.invoice, phase) })
  return {
    template: isStatus ? 'checkout/status' : 'checkout/card',
    data: {
      ...shared,
      ...open,
      ...finalView(shown, phase),
      title: shown.words.text('statusTitle'),
      inFrame: true,
      wide: phase === 'waiting',
      leads: isFinal(phase) || view !== 'status',
      copy,
      copyUrl: frameUrl(shared.links.page, of(!copy)),
      canRepeat: canRepeat(phase, shown.payment),
      refresh: isFinal(phase) ? null : { seconds: waitSeconds, url },
    },
  }
}
