// The shops that speak to a till today, as their documented calls are (specification: invoicing, 13): what each sends, what it reads
// of the answer, how it believes a webhook, and what it does then. They use nothing of ours.
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface TillAccess {
  readonly url: string
  readonly apiToken: string
  readonly webhookSecret: string
}

export interface HookRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly raw: Buffer
}

type Json = Readonly<Record<string, unknown>>

/** What a plugin shows to its merchant when a call fails. */
export class PluginFailure extends Error {}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

async function call(till: TillAccess, path: string, body?: string) {
  const answer = await fetch(`${till.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${till.apiToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  })
  return { ok: answer.ok, status: answer.status, text: await answer.text() }
}

/** Both plugins of shops read this one header, of the original's name. */
function isSigned({ headers, raw }: HookRequest, secret: string): boolean {
  const given = Buffer.from(String(headers['x-goblinpay-signature'] ?? ''))
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** PHP writes slashes and everything that is not ASCII escaped. */
const phpJson = (value: Json): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

export interface Order {
  readonly id: number
  readonly total: string
  readonly currency: string
  readonly memo: string
}

/** The WooCommerce plugin 1.0.0. */
export function wooCommerce(till: TillAccess) {
  const seen = new Set<string>()
  const notes: string[] = []
  return {
    hookPath: '/wp-json/goblinpay/v1/webhook',
    /** Remarks on orders, in the order in which they were made. */
    notes,
    async pay(order: Order) {
      const body = phpJson({
        order_ref: String(order.id),
        amount_fiat: order.total,
        currency: order.currency,
        memo: order.memo,
        match_mode: 'derived',
        expiry_secs: 86_400,
      })
      const { ok, text } = await call(till, '/invoice', body)
      const answer = JSON.parse(text) as Json
      if (!ok) throw new PluginFailure(String(answer.error))
      const { invoice_id, pay_url, token, nprofile, pay_link, amount, qr_svg } = answer
      for (const value of [invoice_id, pay_url, token, nprofile, pay_link, amount, qr_svg])
        if (!isText(value)) throw new PluginFailure('a member is missing')
      return { invoiceId: String(invoice_id), payUrl: String(pay_url), qrSvg: String(qr_svg), shown: answer }
    },
    /** Five minutes after the order, and at the end of its time. */
    async poll(invoiceId: string): Promise<boolean> {
      const { ok, text } = await call(till, `/invoice/${invoiceId}`)
      return ok && (JSON.parse(text) as Json).status === 'confirmed'
    },
    /** Answers the HTTP status. An event counts as seen before anything is done with it. */
    hook(request: HookRequest): number {
      if (!isSigned(request, till.webhookSecret)) return 401
      const { event_id, event_type, order_ref, invoice_id, payment } = JSON.parse(request.raw.toString('utf8')) as Json
      if (!isText(event_id) || seen.has(event_id)) return 200
      seen.add(event_id)
      const order = Number.parseInt(String(order_ref), 10)
      if (!isText(invoice_id) || !Number.isInteger(order)) return 200
      const { slate_id, confirmed_height } = payment as Json
      if (event_type === 'payment.received') notes.push(`${order} on hold: slate ${String(slate_id)}`)
      if (event_type === 'payment.confirmed') notes.push(`${order} paid: block ${String(confirmed_height)}`)
      return 200
    },
  }
}

/** The Medusa provider 1.0.0. It reads every answer as JSON, whatever its status. */
export function medusa(till: TillAccess) {
  const captured = new Set<string>()
  const SESSION: Readonly<Record<string, string>> = { paid: 'captured', expired: 'canceled' }
  const ask = async (path: string, body?: string): Promise<Json> => {
    const { ok, text } = await call(till, path, body)
    const answer = JSON.parse(text) as Json
    if (!ok) throw new PluginFailure(String(answer.error))
    return answer
  }
  return {
    hookPath: '/hooks/payment/goblinpay_goblinpay',
    captured,
    initiate: (session: string, amount: string, options: { match_mode?: string; expiry_secs?: number } = {}) =>
      ask(
        '/invoice',
        JSON.stringify({ order_ref: session, amount_fiat: amount, currency: 'usd', memo: 'Cart', ...options }),
      ),
    status: async (invoiceId: string) => SESSION[String((await ask(`/invoice/${invoiceId}`)).status)] ?? 'pending',
    hook(request: HookRequest): number {
      if (!isSigned(request, till.webhookSecret)) return 401
      const { event_type, order_ref } = JSON.parse(request.raw.toString('utf8')) as Json
      if (event_type === 'payment.received') captured.add(String(order_ref))
      return 200
    },
  }
}

/** The authority beside a strfry relay: ten seconds, three members, and the one word that it grants on. */
export function floonetStrfry(till: TillAccess) {
  return {
    async quote(pubkey: string) {
      const body = {
        order_ref: `floonet-name:${pubkey}`,
        amount_grin: 500_000_000,
        memo: 'Floonet name (floonet.example)',
      }
      const { ok, text } = await call(till, '/invoice', JSON.stringify(body))
      const { invoice_id, pay_url, status } = JSON.parse(text) as Json
      if (!ok || !isText(invoice_id) || !isText(pay_url) || !isText(status)) throw new PluginFailure(text)
      return { invoiceId: invoice_id, payUrl: pay_url, status }
    },
    async isPaid(invoiceId: string): Promise<boolean> {
      return (JSON.parse((await call(till, `/invoice/${invoiceId}`)).text) as Json).status === 'paid'
    },
    hook: (request: HookRequest): number => (isSigned(request, till.webhookSecret) ? 200 : 401),
  }
}

/** The authority inside a relay: `confirmed` is a word it does not know. */
export function floonetRs(till: TillAccess) {
  const VERDICT: Readonly<Record<string, string>> = { paid: 'paid', open: 'unpaid' }
  return {
    async quote(pubkey: string) {
      const body = { amount_grin: 1_000_000_000, order_ref: `floonet:${pubkey}`, memo: `floonet relay: ${pubkey}` }
      const { text } = await call(till, '/invoice', JSON.stringify(body))
      const { invoice_id, pay_url, status } = JSON.parse(text) as Json
      if (!isText(invoice_id) || !isText(pay_url) || !isText(status)) throw new PluginFailure(text)
      return { invoiceId: invoice_id, payUrl: pay_url, status }
    },
    async verdict(invoiceId: string): Promise<string> {
      const { status } = JSON.parse((await call(till, `/invoice/${invoiceId}`)).text) as Json
      return VERDICT[String(status)] ?? 'expired'
    },
    /** POST /goblinpay: unsigned there, at most 16 KiB, one member. Answers which invoice to look at. */
    nudge({ raw }: HookRequest): string | undefined {
      if (raw.length > 16 * 1024) return undefined
      const { invoice_id } = JSON.parse(raw.toString('utf8')) as Json
      return isText(invoice_id) ? invoice_id : undefined
    },
  }
}

/** magick.market: pays out names on `confirmed` only, and only when the invoice read back is the one it asked for. */
export function magickMarket(till: TillAccess) {
  const amountOf = (invoice: Json): number | undefined =>
    [invoice.amount_nanogrin, invoice.expected_amount, invoice.amount_grin].find(
      (value): value is number => typeof value === 'number',
    )
  return {
    async order(name: string, pubkey: string, nanogrin: number) {
      const body = {
        amount_grin: nanogrin,
        match_mode: 'memo',
        order_ref: `mm:${name}:${pubkey}`,
        memo: `Name ${name}`,
      }
      const { invoice_id, pay_url } = JSON.parse((await call(till, '/invoice', JSON.stringify(body))).text) as Json
      if (!isText(invoice_id) || !isText(pay_url)) throw new PluginFailure('no invoice')
      return { invoiceId: invoice_id, payUrl: pay_url, orderRef: body.order_ref }
    },
    async read(invoiceId: string) {
      const invoice = JSON.parse((await call(till, `/invoice/${invoiceId}`)).text) as Json
      const { status, confirmations, confirmations_required, order_ref } = invoice
      return { status, confirmations, confirmations_required, order_ref, amount: amountOf(invoice) }
    },
  }
}
