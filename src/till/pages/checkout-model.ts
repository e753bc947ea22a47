// From an invoice to what the checkout templates show. Pure; templates only place it.
import { formatGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Invoice, Rail } from '../model.js'
import {
  type CheckoutMethod,
  chooseMethod,
  formOf,
  methodsFor,
  methodView,
  tabsOf,
  terminalFor,
} from './checkout-methods.js'
import type { Site } from './site.js'
import { adviceFor, formatMoment, REPLY_ON_ITS_WAY, seenKey, statusText } from './status-text.js'

/** What the templates need to know about the till. */
export interface CheckoutContext {
  readonly site: Site
  readonly address: string
  readonly confirmations: number
  readonly chain: TillSettings['chain']
  /** The ones the operator offers. */
  readonly methods: readonly CheckoutMethod[]
  readonly nprofile: (pubkey: string) => string
}

export interface Refusal {
  readonly text: string
  /** What to do about it; may be empty. */
  readonly fix: string
  readonly pasted: string
}

const DUE_LABELS: Readonly<Record<Invoice['status'], string>> = {
  open: 'Amount due',
  paid: 'Amount',
  confirmed: 'Amount paid',
  expired: 'Amount',
  cancelled: 'Amount',
}

/** What all views of one invoice share. */
function base(
  invoice: Invoice & { readonly broadcast?: boolean },
  { site, address, chain, confirmations }: CheckoutContext,
) {
  const path = `${site.mount}/pay/${invoice.token}`
  const grin = formatGrin(invoice.amount)
  return {
    site,
    links: {
      page: path,
      frame: `${path}/frame?page=${invoice.status}`,
      paste: `${path}/slatepack`,
      requote: `${path}/requote`,
    },
    page: {
      grin,
      address,
      facts: factsOf(invoice),
      terminal: terminalFor({ chain, invoice, address, grin, method: 'slatepack' }),
    },
    status: statusText({ ...invoice, ours: isOurs(invoice) }, confirmations),
    dueTag: 'h1',
    dueLabel: DUE_LABELS[invoice.status],
  }
}

/** Name and value, most useful first. */
function factsOf({ fiat, memo, orderRef, id, status, expiresAt }: Invoice): readonly (readonly [string, string])[] {
  return [
    ...(fiat ? [['Price', `${fiat.amount} ${fiat.currency.toUpperCase()}`] as const] : []),
    ...(memo ? [['For', memo] as const] : []),
    ...(orderRef ? [['Order', orderRef] as const] : []),
    ['Invoice', id.slice(0, 12)] as const,
    ...(status === 'open' && expiresAt !== null
      ? [[fiat ? 'Price until' : 'Open until', formatMoment(expiresAt)] as const]
      : []),
  ]
}

export interface OpenState {
  /** Of the query. */
  readonly asked: string | undefined
  /** Whether the bare address alone tells which invoice is paid. */
  readonly plainSend: boolean
  /** When a paste was not taken: the text stays in the field. */
  readonly refusal?: Refusal
}

/** The page of an open invoice. */
export function openPage(invoice: Invoice, context: CheckoutContext, { asked, plainSend, refusal }: OpenState) {
  const shared = base(invoice, context)
  const usable = methodsFor(invoice, { methods: context.methods, plainSend })
  const method = chooseMethod(usable, asked)
  return {
    ...shared,
    title: refusal ? 'Not accepted – Grin payment' : `Pay ${shared.page.grin} GRIN`,
    wide: true,
    method,
    refusal: refusal ?? null,
    tabs: tabsOf(usable, method, shared.links.page),
    form: formOf(method, shared.links.paste),
    page: {
      ...shared.page,
      ...methodView(method, invoice, context),
      terminal: terminalFor({ ...context, invoice, grin: shared.page.grin, method }),
      qrSvg: invoice.qrSvg,
      payLink: invoice.payLink,
      nprofile: method === 'goblin' ? context.nprofile(invoice.recipientPubkey) : '',
    },
  }
}

export interface Standing {
  readonly canRequote: boolean
  /** Of a payment whose transaction nobody has seen yet. */
  readonly rail: Rail | undefined
}

/** The page of an invoice that is not open: where it stands and what can be done. */
export function standingPage(invoice: Invoice, context: CheckoutContext, { canRequote, rail }: Standing) {
  const shared = base(invoice, context)
  const { status } = invoice
  return {
    ...shared,
    title: `${shared.status.headline} – Grin payment`,
    wide: false,
    live: status === 'paid',
    advice: rail === 'nostr' ? REPLY_ON_ITS_WAY : adviceFor(status, canRequote),
    requote: status === 'expired' && canRequote,
    repeat: rail !== undefined && rail !== 'nostr' && !isOurs(invoice),
    thanks: isOurs(invoice) && status === 'paid',
    refusal: null,
    form: formOf('slatepack', shared.links.paste),
  }
}

/** Paid with the invoice's own slate: the till has the whole transaction and broadcasts it itself. */
const isOurs = ({ slateId, paymentId }: Pick<Invoice, 'slateId' | 'paymentId'>): boolean =>
  paymentId !== null && paymentId === slateId

/** The page with our reply to a paste. */
export const replyPage = (invoice: Invoice, context: CheckoutContext, slatepack: string) => ({
  ...base(invoice, context),
  title: 'Finish in your wallet – Grin payment',
  dueTag: 'p',
  wide: true,
  slatepack,
})

export interface FrameState {
  /** The status that the page around the frame was made for. */
  readonly shownPage: string
  readonly waitSeconds: number
  readonly broadcast: boolean
}

/** The status frame. */
export function framePage(
  invoice: Invoice,
  context: CheckoutContext,
  { shownPage, waitSeconds, broadcast }: FrameState,
) {
  const shared = base({ ...invoice, broadcast }, context)
  const moved = shownPage !== invoice.status
  const url = `${shared.links.page}/frame?page=${shownPage}&seen=${seenKey(invoice)}`
  return {
    ...shared,
    moved,
    refresh: shared.status.tone === 'live' ? { seconds: waitSeconds, url } : null,
  }
}
