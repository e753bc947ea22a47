// From an invoice to what the checkout templates show. Pure; templates only place it.
import { formatGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Invoice } from '../model.js'
import type { Site } from './site.js'
import { adviceFor, formatMoment, seenKey, statusText } from './status-text.js'

/** Ways to pay, in the order of their tabs. */
export type CheckoutMethod = 'goblin' | 'slatepack'
const METHOD_NAMES: Readonly<Record<CheckoutMethod, string>> = { goblin: 'Nostr wallet', slatepack: 'Slatepack' }

/** What the templates need to know about the till. */
export interface CheckoutContext {
  readonly site: Site
  readonly address: string
  readonly confirmations: number
  readonly chain: TillSettings['chain']
  /** The usable ones. */
  readonly methods: readonly CheckoutMethod[]
  readonly nprofile: (pubkey: string) => string
}

export interface Refusal {
  readonly text: string
  /** What to do about it; may be empty. */
  readonly fix: string
  readonly pasted: string
}

/** The same step for people who have their wallet in a terminal. */
interface Terminal {
  readonly title: string
  readonly send: string
  readonly after: string
  readonly finalize: string
}

const GRIN_WALLETS: Readonly<Record<Exclude<TillSettings['chain'], 'sandbox'>, string>> = {
  mainnet: 'grin-wallet',
  testnet: 'grin-wallet --testnet',
  usernet: 'grin-wallet --usernet',
}

function terminalFor(chain: TillSettings['chain'], { id }: Invoice, address: string, grin: string): Terminal {
  if (chain === 'sandbox')
    return {
      title: 'Let the sandbox pay',
      send: `grinpay sandbox pay ${id}`,
      after: 'Its wallet then does all three steps. Add --node-port if the sandbox printed another port than 8421.',
      finalize: '',
    }
  const wallet = GRIN_WALLETS[chain]
  return {
    title: 'With grin-wallet in a terminal',
    send: `${wallet} send -d ${address} ${grin}`,
    after: 'It first tries to reach the till directly, then prints a slatepack. Copy that.',
    finalize: `${wallet} finalize`,
  }
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
      terminal: terminalFor(chain, invoice, address, grin),
    },
    status: statusText(invoice, confirmations),
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

/** The method a page shows: the asked one if it is usable, else the first. */
const chooseMethod = (methods: readonly CheckoutMethod[], asked: string | undefined): CheckoutMethod =>
  methods.find((method) => method === asked) ?? methods[0] ?? 'slatepack'

/** The page of an open invoice. `refusal` when a paste was not taken: the text stays in the field. */
export function openPage(invoice: Invoice, context: CheckoutContext, asked: string | undefined, refusal?: Refusal) {
  const shared = base(invoice, context)
  const method = chooseMethod(context.methods, asked)
  return {
    ...shared,
    title: refusal ? 'Not accepted – Grin payment' : `Pay ${shared.page.grin} GRIN`,
    wide: true,
    method,
    refusal: refusal ?? null,
    tabs: context.methods.map((one) => ({
      name: METHOD_NAMES[one],
      url: `${shared.links.page}?method=${one}`,
      shown: one === method,
    })),
    page: {
      ...shared.page,
      qrSvg: invoice.qrSvg,
      payLink: invoice.payLink,
      nprofile: method === 'goblin' ? context.nprofile(invoice.recipientPubkey) : '',
    },
  }
}

/** The page of an invoice that is not open: where it stands and what can be done. */
export function standingPage(invoice: Invoice, context: CheckoutContext, canRequote: boolean) {
  const shared = base(invoice, context)
  const { status } = invoice
  return {
    ...shared,
    title: `${shared.status.headline} – Grin payment`,
    wide: false,
    live: status === 'paid',
    advice: adviceFor(status, canRequote),
    requote: status === 'expired' && canRequote,
    repeat: status === 'paid' && invoice.confirmations === 0,
    refusal: null,
  }
}

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
