// From an invoice to what the checkout templates show. Pure; templates only place it.
import { formatGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Invoice, Payment } from '../model.js'
import type { CheckoutMethod, CheckoutTab, TabContext } from '../rail.js'
import type { Rails } from '../rails.js'
import { PASTE_TAB } from '../slatepack/rail.js'
import { chooseTab, formOf, linksOfTabs, payCommand, terminalFor, usableTabs } from './checkout-methods.js'
import { countdownOf, factsOf, unambiguous } from './invoice-facts.js'
import { adviceTexts, isFinal, type Phase, phaseOf, phaseText, seenKey, stepsOf } from './phases.js'
import type { Site } from './site.js'
import type { TextKey } from './texts/en.js'
import type { Translator } from './texts/index.js'

/** What the templates need to know about the till. */
export interface CheckoutContext extends TabContext {
  readonly site: Site
  /** Of all rails, in their order. */
  readonly tabs: readonly CheckoutTab[]
  readonly can: Rails['can']
  readonly confirmations: number
  readonly chain: TillSettings['chain']
  /** The methods that the operator offers. */
  readonly methods: readonly CheckoutMethod[]
  /** The till signs receipts. */
  readonly receipts: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface PasteRefusal {
  readonly text: string
  /** What to do about it; may be empty. */
  readonly fix: string
  readonly pasted: string
}

/** Everything that the page of an invoice depends on. */
export interface InvoicePage {
  readonly invoice: Invoice
  /** The one that the invoice names. */
  readonly payment: Payment | undefined
  /** The amount sent to the bare address identifies this invoice. */
  readonly plainSend: boolean
  readonly canRequote: boolean
  readonly translator: Translator
  /** `method` of the query. */
  readonly wantedMethod: string | undefined
  /** The browser shows a frame in a document without an address, and loads that document again. */
  readonly keepsFrames: boolean
}

const AMOUNT_LABELS: Readonly<Partial<Record<Phase, TextKey>>> = { waiting: 'amountDue', paid: 'amountPaid' }

/** What every page has. */
export const pageBase = (site: Site, { lang, text, plural }: Translator) => ({ site, lang, t: text, plural })

/**
 * Seconds until a frame is loaded anew, whatever became of it. The document around it needs no network to do so, thus it outlives every
 * outage. Where shops embed pages, a card has none, since its links name the page around it as their parent: that page loads itself again.
 * So do pages in browsers that do not load such a document again, unless something may be typed.
 */
const AGAIN = { status: 30, card: 60 } as const
const PAGE_AGAIN = { embeddable: 60, others: 300 } as const

/** What all views of one invoice share. */
function base({ invoice, payment, translator, wantedMethod, keepsFrames }: InvoicePage, context: CheckoutContext) {
  const { site, confirmations: required, receipts } = context
  const path = `${site.mount}/pay/${invoice.token}`
  const phase = phaseOf(invoice, payment, context.can)
  const grin = formatGrin(invoice.amount)
  return {
    ...pageBase(site, translator),
    phase,
    again: AGAIN,
    keepsFrames,
    links: {
      page: path,
      shown: `${path}${methodQuery(wantedMethod)}`,
      frame: `${path}/frame${methodQuery(wantedMethod)}`,
      statusFrame: `${path}/frame?view=status`,
      paste: `${path}/slatepack`,
      requote: `${path}/requote`,
      repeat: `${path}?method=${PASTE_TAB.id}`,
      receipt:
        phase === 'paid' && receipts && invoice.paymentId !== null
          ? `${site.mount}/payment/${invoice.paymentId}/receipt`
          : null,
      back: invoice.returnUrl ?? site.shop.url ?? null,
    },
    grin,
    shownAmount: unambiguous(grin),
    amountLabel: translator.text(AMOUNT_LABELS[phase] ?? 'amount'),
    facts: factsOf(invoice, translator),
    countdown: countdownOf(invoice, translator, context.now()),
    status: phaseText(phase, translator, { ...invoice, required }),
    steps: stepsOf(phase, translator),
    progress: phase === 'confirming' ? { done: Math.min(invoice.confirmations, required), of: required } : null,
  }
}

/** Only a word in the form of a method goes back into an address. */
const methodQuery = (wantedMethod: string | undefined): string => {
  const word = /^[a-z]{4,9}$/.exec(wantedMethod ?? '')?.[0]
  return word === undefined ? '' : `?method=${word}`
}

/** What an open invoice can be paid with, and the tab that is shown. */
function openView(shown: InvoicePage, context: CheckoutContext, page: string) {
  const { invoice, translator, plainSend, wantedMethod } = shown
  const usable = usableTabs(context.tabs, invoice, { methods: context.methods, plainSend })
  const tab = chooseTab(usable, wantedMethod)
  const grin = formatGrin(invoice.amount)
  return {
    tab,
    tabs: linksOfTabs(usable, tab, page, translator),
    slatepackTab: usable.includes(PASTE_TAB) ? `${page}?method=${PASTE_TAB.id}` : null,
    page: {
      ...tab.view?.(invoice, context, translator),
      address: context.address,
      payCommand: payCommand(context.chain),
      terminal: terminalFor({ ...context, invoice, grin, tab, translator }),
    },
  }
}

export interface PageTemplate {
  readonly template: string
  readonly data: object
}

/** Our reply can be had again until the network has the transaction. */
const canRepeat = (phase: Phase, payment: Payment | undefined): payment is Payment =>
  phase === 'reply-ready' && payment !== undefined

/** The page of an invoice as it stands. A refusal is shown on every one; with what was pasted where there is a form. */
export function checkoutPage(shown: InvoicePage, context: CheckoutContext, refusal?: PasteRefusal): PageTemplate {
  const { translator, wantedMethod, payment } = shown
  const shared = { ...base(shown, context), refusal: refusal ?? null }
  const { phase } = shared
  if (isFinal(phase)) return { template: 'checkout/final', data: { ...shared, ...finalView(shown, phase) } }
  if (phase === 'waiting') {
    const open = openView(shown, context, shared.links.page)
    const title = refusal
      ? titled(translator.text('notAccepted'), translator)
      : translator.text('payTitle', { amount: shared.grin })
    const form = formOf(open.tab, shared.links.paste, translator)
    if (!form) return { template: 'checkout/shell', data: { ...shared, title, refresh: refreshOf(shared) } }
    return {
      template: 'checkout/pay',
      data: {
        ...shared,
        ...open,
        title,
        form,
        wide: true,
      },
    }
  }
  const title = titled(shared.status.headline, translator)
  if (wantedMethod === PASTE_TAB.id && canRepeat(phase, payment)) {
    if (!refusal) return { template: 'checkout/reply', data: replyPage(shown, context, payment.reply) }
    const form = formOf(PASTE_TAB, shared.links.paste, translator)
    return { template: 'checkout/repeat', data: { ...shared, title, form } }
  }
  return { template: 'checkout/shell', data: { ...shared, title, refresh: refreshOf(shared) } }
}

/** Of a page on which nothing can be typed; a refusal stays until it was read. */
const refreshOf = ({ site, links, refusal }: ReturnType<typeof base> & { readonly refusal: PasteRefusal | null }) =>
  refusal ? null : { seconds: site.isEmbeddable ? PAGE_AGAIN.embeddable : PAGE_AGAIN.others, url: links.shown }

const titled = (text: string, translator: Translator): string => `${text} – ${translator.text('brand')}`

const finalView = ({ canRequote, translator }: InvoicePage, phase: Phase) => ({
  title: titled(translator.text(phase === 'paid' ? 'paid' : phase === 'expired' ? 'expired' : 'cancelled'), translator),
  advice: adviceTexts(phase, canRequote, translator),
  canRequote: phase === 'expired' && canRequote,
})

/** The page with our reply to a paste. */
export function replyPage(shown: InvoicePage, context: CheckoutContext, slatepack: string) {
  const { invoice, translator } = shown
  const shared = base(shown, context)
  const { grin } = shared
  const terminal = terminalFor({ ...context, invoice, grin, tab: PASTE_TAB, translator })
  return {
    ...shared,
    title: titled(translator.text('replyReady'), translator),
    wide: true,
    slatepack,
    page: { terminal },
  }
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
export function framePage(
  shown: InvoicePage,
  context: CheckoutContext,
  { view, copy, waitSeconds }: FrameState,
): PageTemplate {
  const shared = base(shown, context)
  const { phase } = shared
  const open = phase === 'waiting' ? openView(shown, context, shared.links.page) : { tab: undefined }
  // What was typed into a form would not outlive the next load of a frame.
  const isStatus = view === 'status' || open.tab?.form !== undefined
  const of = (withCopy: boolean) => ({ view, method: open.tab?.id, copy: withCopy ? '1' : undefined })
  const url = frameUrl(shared.links.page, { ...of(copy), seen: seenKey(shown.invoice, phase) })
  return {
    template: isStatus ? 'checkout/status' : 'checkout/card',
    data: {
      ...shared,
      ...open,
      ...finalView(shown, phase),
      title: shown.translator.text('statusTitle'),
      inFrame: true,
      wide: phase === 'waiting',
      // Beside a form where shops embed pages, no link in the frame can name the page around it: a document lies between them.
      leads: view !== 'status' || (isFinal(phase) && !context.site.isEmbeddable),
      copy,
      copyUrl: frameUrl(shared.links.page, of(!copy)),
      canRepeat: canRepeat(phase, shown.payment),
      refresh: isFinal(phase) ? null : { seconds: waitSeconds, url },
    },
  }
}
