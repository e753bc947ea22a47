// The invoicing service as the name authority sees it: our own till, or anything that answers POST and GET /invoice alike
// (specification: names, 9; invoicing, 2.3 and 2.4).
import { createHash } from 'node:crypto'
import type { BoughtInvoice, InvoiceState, PaymentService, ScanTexts } from '../authority/index.js'
import { GrinpayError } from '../lib/errors.js'
import { membersOf } from '../lib/parse-json.js'
import type { Secret } from '../lib/secret.js'
import { parseUrl } from '../lib/url.js'
import type { CreateInvoiceBody } from '../till/index.js'
import { notAnInvoice } from './errors.js'
import { createInvoicingClient } from './invoicing-client.js'
import { httpTransport, type Transport } from './transport.js'

// Accepts an untrusted SVG that only draws, so that a page may embed it unchanged (specification: invoicing, 2.11). Every element,
// attribute and value must match the lists below; the text is never repaired.
const MOST_CHARACTERS = 65_536
/** Maximum nesting of elements. */
const DEEPEST = 16

const NUMBER = /^-?\d{0,6}(?:\.\d{1,9})?%?$/
const TEXT = /^(?:[^&]|&(?:amp|lt|gt|quot|apos|#39);)*$/
const COLOR = /^(?:[A-Za-z]{1,24}|#[0-9A-Fa-f]{3,8})$/
const FILL_RULE = /^(?:nonzero|evenodd)$/
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([\d\s.,+-]*\)\s*)*$/
const RASTER = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/

const AREA = { x: NUMBER, y: NUMBER, width: NUMBER, height: NUMBER }

/** Elements with their attributes, each with the form of its value. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    width: NUMBER,
    height: NUMBER,
    viewBox: /^[\d\s.,-]*$/,
    role: /^img$/,
    'shape-rendering': /^[A-Za-z]*$/,
    class: /^qr$/, // another name could be a class of the page
    'aria-label': TEXT,
  },
  g: { fill: COLOR, 'fill-rule': FILL_RULE, transform: TRANSFORM },
  rect: { ...AREA, rx: NUMBER, ry: NUMBER, fill: COLOR },
  path: { d: /^[\d\s.,+eMmZzLlHhVvCcSsQqTtAa-]*$/, fill: COLOR, 'fill-rule': FILL_RULE },
  circle: { cx: NUMBER, cy: NUMBER, r: NUMBER, fill: COLOR },
  image: { ...AREA, href: RASTER, 'xlink:href': RASTER, preserveAspectRatio: /^[A-Za-z ]*$/ },
  title: {},
}

/** One tag and the text up to the next one. Values are quoted; white space separates attributes. */
const TAG = /<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+=(?:"[^"<>]*"|'[^'<>]*'))*)\s*(\/?)>([^<>]*)/y
const ATTRIBUTE = /([A-Za-z:-]+)=(?:"([^"]*)"|'([^']*)')/g

/** Exactly one `svg` element, closed at the very end, of at most 64 Ki characters. */
function isPlainSvg(text: string): boolean {
  if (text.length > MOST_CHARACTERS || !text.startsWith('<svg') || !text.endsWith('</svg>')) return false
  let open: readonly string[] | undefined = []
  TAG.lastIndex = 0
  for (let at = 0; at < text.length && open; at = TAG.lastIndex) {
    const match = TAG.exec(text)
    open = match && (at === 0 || open.length > 0) ? openAfter(open, match) : undefined
  }
  return open?.length === 0
}

/** The open elements after a tag, outermost first; undefined for an invalid tag. */
function openAfter(open: readonly string[], tag: RegExpExecArray): readonly string[] | undefined {
  const [, closing, name = '', attributes = '', selfClosing, following = ''] = tag
  const inside = open.at(-1)
  let after = open
  if (closing === '/') {
    if (inside !== name || attributes + selfClosing !== '') return undefined
    after = open.slice(0, -1)
  } else {
    if (inside === 'title' || open.length >= DEEPEST || !hasOnlyKnown(name, attributes)) return undefined
    if (selfClosing === '') after = [...open, name]
  }
  return mayFollow(after.at(-1), following) ? after : undefined
}

function hasOnlyKnown(element: string, attributes: string): boolean {
  const known = Object.hasOwn(ELEMENTS, element) ? ELEMENTS[element] : undefined
  if (known === undefined) return false
  return [...attributes.matchAll(ATTRIBUTE)].every(
    ([, name = '', double, single]) => Object.hasOwn(known, name) && known[name]?.test(double ?? single ?? ''),
  )
}

/** Allows text in a title only, and none after the end. */
function mayFollow(inside: string | undefined, text: string): boolean {
  if (inside === undefined) return text === ''
  return inside === 'title' ? TEXT.test(text) : text.trim() === ''
}

export interface PaymentServiceParts {
  /** Includes the mount path; a trailing slash is allowed. */
  readonly baseUrl: string
  /** The API token of the service. */
  readonly token: Secret
  /** Milliseconds for each request, at most 10 s. */
  readonly timeoutMs?: number
  readonly transport?: Transport
}

const MOST_TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 1024 * 1024
const EXPIRY_SECONDS = 3600

/** Every verb rejects without a usable response; `gone` is a JSON 404 of the service. */
export function createPaymentService(parts: PaymentServiceParts): PaymentService {
  const timeoutMs = Math.min(parts.timeoutMs ?? MOST_TIMEOUT_MS, MOST_TIMEOUT_MS)
  const transport = parts.transport ?? httpTransport(timeoutMs, MOST_ANSWER_BYTES, 'the till')
  const client = createInvoicingClient({ baseUrl: parts.baseUrl, apiToken: parts.token, transport })

  return {
    async createInvoice({ orderRef, amount, memo }) {
      const order: CreateInvoiceBody = {
        amount_grin: wholeNumber(amount),
        order_ref: orderRef,
        memo,
        match_mode: 'derived',
        expiry_secs: EXPIRY_SECONDS,
      }
      return readNewInvoice(await client.createInvoice(order, idempotencyKey(order)))
    },
    async readInvoice(invoiceId) {
      const answer = await client.invoice(invoiceId).catch(goneWhen404)
      return answer === 'gone' ? 'gone' : readState(answer, invoiceId)
    },
  }
}

/** Derived from the order: a request repeated after a crash gets the first invoice again, and another order never does. */
const idempotencyKey = (order: CreateInvoiceBody): string =>
  `nameauth-${createHash('sha256').update(JSON.stringify(order)).digest('hex')}`

/** JSON numbers are exact up to 2^53 - 1 nanogrin, the maximum of a till. */
function wholeNumber(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`no till makes an invoice of ${amount} nanogrin`)
  return Number(amount)
}

function goneWhen404(error: unknown): 'gone' {
  if (error instanceof GrinpayError && error.status === 404) return 'gone'
  throw error
}

function readNewInvoice(answer: unknown): BoughtInvoice {
  const { invoice_id: invoiceId, pay_url: payUrl } = membersOf(answer)
  if (!isWord(invoiceId, 200)) throw notAnInvoice('invoice_id')
  if (!isWord(payUrl, 2048) || !isWebAddress(payUrl)) throw notAnInvoice('pay_url')
  return { invoiceId, payUrl, ...stateOf(answer) }
}

/** Only the status is required from a minimal service. */
function readState(answer: unknown, invoiceId: string): InvoiceState {
  const { invoice_id: answered = invoiceId } = membersOf(answer)
  if (answered !== invoiceId) throw notAnInvoice('invoice_id')
  return stateOf(answer)
}

function stateOf(answer: unknown): InvoiceState {
  const { status, confirmations, confirmations_required: confirmationsRequired } = membersOf(answer)
  if (!isWord(status, 40)) throw notAnInvoice('status')
  const scan = scanTextsOf(membersOf(answer))
  return {
    status,
    ...(isCount(confirmations) && { confirmations }),
    ...(isCount(confirmationsRequired) && { confirmationsRequired }),
    ...(scan && { scan }),
  }
}

/** Visible ASCII: these texts go into headers, paths, JSON and terminals. */
const isWord = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && /^[\x21-\x7e]+$/.test(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && parseUrl(text) !== undefined

const NPROFILE = /^nprofile1[02-9ac-hj-np-z]{6,1990}$/
const PAY_LINK = /^(?:goblin|nostr):[\x21-\x7e]{1,4000}$/

/** The members that a page may show unchanged; undefined for none. Omits malformed ones: `pay_url` leads to the same payment. */
function scanTextsOf({
  nprofile,
  pay_link: payLink,
  qr_svg: qrSvg,
}: Readonly<Record<string, unknown>>): ScanTexts | undefined {
  const texts: ScanTexts = {
    ...(typeof nprofile === 'string' && NPROFILE.test(nprofile) && { nprofile }),
    ...(typeof payLink === 'string' && PAY_LINK.test(payLink) && { payLink }),
    ...(typeof qrSvg === 'string' && isPlainSvg(qrSvg) && { qrSvg }),
  }
  return Object.keys(texts).length === 0 ? undefined : texts
}
