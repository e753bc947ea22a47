// What `sandbox pay` may be given: an invoice id, a checkout address of this sandbox, or one of a till outside of it, which is read off
// its page as a customer's phone would. Only tills of test networks are paid: a till with real nodes would wait for play money for ever.
import { messageOf } from '../lib/errors.js'
import { fetchBounded, NoAnswer } from '../lib/http-request.js'
import { parseUrl } from '../lib/url.js'
import { parseNprofile } from '../nostr/nip19/index.js'
import { badRail, badTarget, checkoutRefused, payLinkInvalid, tillTakesRealGrin } from './errors.js'
import { amountAsked } from './payer-http.js'

const INVOICE_ID = /^[0-9a-f]{32}$/
const TIMEOUT_MS = 30_000
const MOST_BYTES = 400_000
const LINK = /(?:goblin|nostr):nprofile1[^"'<>\s]{1,4000}/
const FRAME = /<iframe [^>]*\bsrc="([^"<>\s]{1,400})"/
const TEST_NETWORK = 'tgrin1'

interface InvoiceElsewhere {
  readonly pay_url: string
  readonly pay_link: string
  readonly amount_nanogrin: number
}

/** The checkout address when `target` is one, but not of the till at `url`; without what a browser adds. */
export function payUrlElsewhere(target: unknown, url: string): string | undefined {
  if (typeof target !== 'string' || parseUrl(target) === undefined) return undefined
  const { protocol, pathname, origin } = new URL(target)
  const isCheckout = /^https?:$/.test(protocol) && /\/pay\/[\w-]+\/?$/.test(pathname)
  if (!isCheckout || target.startsWith(`${url}/pay/`)) return undefined
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** Throws SANDBOX_CHECKOUT_REFUSED, SANDBOX_BAD_RAIL for grin1 (its service is not on that page) and SANDBOX_REAL_TILL. */
export async function invoiceElsewhere(payUrl: string, rail: string): Promise<InvoiceElsewhere> {
  if (rail === 'grin1') throw badRail('grin1 to a till outside of the sandbox')
  const pay_link = linkIn(await cardAt(payUrl))
  if (!readPayLink(pay_link).proof?.startsWith(TEST_NETWORK)) throw tillTakesRealGrin(payUrl)
  return { pay_url: payUrl, pay_link, amount_nanogrin: Number(await amountAsked(payUrl)) }
}

/** The HTML that may have the link: on most tabs the card of the invoice is a frame, with an address below that of the page. */
async function cardAt(payUrl: string): Promise<string> {
  const page = await pageAt(payUrl)
  const [, source] = FRAME.exec(page) ?? []
  if (LINK.test(page) || source === undefined) return page
  const frame = new URL(source.replaceAll('&amp;', '&'), payUrl)
  return frame.href.startsWith(`${payUrl}/`) ? pageAt(frame.href) : page
}

async function pageAt(payUrl: string): Promise<string> {
  const bounds = { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES }
  const { status, text } = await fetchBounded(payUrl, { headers: { accept: 'text/html' } }, bounds).catch((thrown) => {
    throw checkoutRefused(thrown instanceof NoAnswer && !thrown.isOver ? thrown.detail : messageOf(thrown))
  })
  if (status < 200 || status > 299) throw checkoutRefused(`${payUrl} answers ${status}`)
  return text
}

function linkIn(page: string): string {
  const [link] = LINK.exec(page) ?? []
  if (link === undefined)
    throw checkoutRefused('the page offers no link for wallets (PAY_CHECKOUT_METHODS, or it is paid already)')
  return link.replaceAll('&amp;', '&')
}

/** The id of the invoice to pay; `idAt` asks a checkout address for it. Throws SANDBOX_BAD_TARGET, and what `idAt` throws. */
export async function invoiceIdOf(
  target: unknown,
  url: string,
  idAt: (payUrl: string) => Promise<string>,
): Promise<string> {
  if (typeof target !== 'string' || target === '') throw badTarget('nothing')
  if (INVOICE_ID.test(target)) return target
  // Another till would take the play money's slate and wait for ever.
  if (!target.startsWith(`${url}/pay/`)) throw badTarget(target.slice(0, 100))
  return idAt(target.replace(/[?#].*$/, '').replace(/\/+$/, ''))
}

// A pay link as a customer's wallet reads it (specification: invoicing, 4.8).

export interface ReadPayLink {
  /** 64 lower-case hex: who is paid. */
  readonly pubkey: string
  readonly relays: readonly string[]
  /** Nanogrin; undefined when the wallet would ask. */
  readonly amount: bigint | undefined
  /** What becomes the subject of the message. */
  readonly memo: string | undefined
  /** The address that owes a payment proof. */
  readonly proof: string | undefined
}

const MOST_CHARACTERS = 4096
const WHOLE_LINK = /^(?:goblin|nostr):(nprofile1[02-9ac-hj-np-z]+)(?:\?(.*))?$/i

/** Throws SANDBOX_PAY_WHOLE_LINK for a link that no wallet could use. */
export function readPayLink(link: string): ReadPayLink {
  const [, nprofile = '', query = ''] = (link.length <= MOST_CHARACTERS && WHOLE_LINK.exec(link)) || []
  if (nprofile === '') throw payLinkInvalid('it is not a goblin: or nostr: link')
  const profile = parseNprofile(nprofile.toLowerCase())
  const parameters = new URLSearchParams(query)
  return {
    ...profile,
    amount: amountOf(parameters.get('amount')),
    memo: parameters.get('memo') || undefined,
    proof: parameters.get('proof') || undefined,
  }
}

/** Decimals beyond the ninth are cut off; what is no positive amount is ignored. */
function amountOf(text: string | null): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{0,10})(?:\.(\d*))?$/.exec(text ?? '') ?? []
  const amount = BigInt(whole || '0') * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return amount > 0n ? amount : undefined
}
