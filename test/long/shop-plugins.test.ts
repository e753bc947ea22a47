// The shops and services that exist already work against a till unchanged (specification: invoicing, 2.3, 2.4, 2.11, 8 and 13).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSandbox, startBuiltSandbox } from '../support/built-sandbox.js'
import {
  floonetRs,
  floonetStrfry,
  type HookRequest,
  magickMarket,
  medusa,
  PluginFailure,
  wooCommerce,
} from './shop-plugins.js'

const PUBKEY = 'b1'.repeat(32)

interface Arrival extends HookRequest {
  readonly path: string
}

let till: BuiltSandbox
let arrivals: Arrival[]
let closeShop: () => unknown

const eventsOf = (invoiceId: string): readonly Arrival[] =>
  arrivals.filter(({ raw }) => JSON.parse(raw.toString('utf8')).invoice_id === invoiceId)

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 40_000; waited += 100) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('waited in vain')
}

beforeAll(async () => {
  arrivals = []
  const shop = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    arrivals.push({ path: request.url ?? '', headers: request.headers, raw: Buffer.concat(chunks) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  closeShop = () => shop.close()
  const { port } = shop.address() as AddressInfo
  till = await startBuiltSandbox(`http://127.0.0.1:${port}/wp-json/goblinpay/v1/webhook`)
})

afterAll(async () => {
  await till?.close()
  closeShop?.()
})

/** What the plugin lets through of an SVG; anything else it strips, and the code could not be read any more. */
const SVG_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  svg: ['xmlns', 'width', 'height', 'viewBox', 'role', 'shape-rendering', 'class', 'aria-label'],
  g: ['fill', 'fill-rule', 'transform'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry', 'fill'],
  path: ['d', 'fill', 'fill-rule'],
  circle: ['cx', 'cy', 'r', 'fill'],
  image: ['x', 'y', 'width', 'height', 'href', 'xlink:href', 'preserveAspectRatio'],
  title: [],
}

const strippedFrom = (svg: string): readonly string[] =>
  [...svg.matchAll(/<([a-z]+)([^>]*)>/g)].flatMap(([, element = '', attributes = '']) => {
    const allowed = SVG_ALLOWED[element]
    if (!allowed) return [element]
    return [...attributes.matchAll(/([\w:-]+)=/g)].flatMap(([, name = '']) => (allowed.includes(name) ? [] : [name]))
  })

/** Every member of an event, and its type; `confirmations` only at the end. */
const PAYMENT = {
  slate_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  amount: 1_000_000_000,
  amount_grin: '1',
  status: 'received',
  payer: expect.stringMatching(/^[0-9a-f]{64}$/),
  confirmed_height: null,
}
const EVENT = {
  event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  event_type: '',
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  payment: PAYMENT,
  invoice_id: '',
  order_ref: '1001',
  user_id: null,
}

describe('WooCommerce', () => {
  test('an order is paid: invoice, code, both events and the later look say what the plugin reads', async () => {
    const plugin = wooCommerce(till)
    const order = { id: 1001, total: '0.05', currency: 'USD', memo: 'Order #1001 – Café / Bücher' }
    const { invoiceId, payUrl, qrSvg, shown } = await plugin.pay(order)
    expect(strippedFrom(qrSvg)).toEqual([])
    expect(qrSvg).toMatch(/^<svg .*<\/svg>$/s)
    expect(shown).toMatchObject({ amount: '0.05 USD (~1 GRIN)', order_ref: '1001', memo: order.memo, status: 'open' })
    expect(payUrl).toBe(`${till.url}/pay/${String(shown.token)}`)
    // The price holds for a quarter of an hour; the day that the plugin asks for is how long it can be priced anew.
    const lifetime = Date.parse(String(shown.expires_at)) - Date.parse(String(shown.created_at))
    expect(lifetime).toBe(900_000)
    expect(await plugin.poll(invoiceId)).toBe(false)

    await till.pay(payUrl)
    await until(() => eventsOf(invoiceId).length === 2)
    const came = eventsOf(invoiceId)
    expect(came.map(({ path }) => path)).toEqual([plugin.hookPath, plugin.hookPath])
    expect(came.map(plugin.hook)).toEqual([200, 200])
    expect(plugin.notes).toEqual([
      expect.stringMatching(/^1001 on hold: slate [0-9a-f]{8}-[0-9a-f-]{27}$/),
      expect.stringMatching(/^1001 paid: block \d+$/),
    ])
    expect(await plugin.poll(invoiceId)).toBe(true)
    expect(came.map(({ raw }) => JSON.parse(raw.toString('utf8')))).toEqual([
      { ...EVENT, event_type: 'payment.received', invoice_id: invoiceId },
      {
        ...EVENT,
        event_type: 'payment.confirmed',
        invoice_id: invoiceId,
        payment: {
          ...PAYMENT,
          status: 'confirmed',
          confirmed_height: expect.any(Number),
          confirmations: expect.toSatisfy((count: number) => count >= 3 && count < 10), // the chain grows while the till does not look,
        },
      },
    ])

    expect(came.map(plugin.hook), 'a second time').toEqual([200, 200])
    expect(plugin.notes).toHaveLength(2)
    for (const { headers, raw } of came) {
      const changed = Buffer.from(raw.toString('utf8').replace('"1001"', '"1002"'))
      expect(plugin.hook({ headers, raw: changed })).toBe(401)
      expect(headers['x-goblinpay-delivery']).toBe(JSON.parse(raw.toString('utf8')).event_id)
    }
  })

  test.each([
    [
      'a currency that the till does not have',
      { currency: 'GBP' },
      'currency `GBP` is not enabled (see PAY_RATE_CURRENCIES)',
    ],
    [
      'a total with a thousands mark',
      { total: '1,234.00' },
      'fiat amount `1,234.00` is not a valid decimal: it has a comma: write a point, and nothing between thousands',
    ],
  ])('%s is shown to the merchant in the words of the till', async (_, change, words) => {
    const order = { id: 7, total: '1.00', currency: 'USD', memo: '', ...change }
    await expect(wooCommerce(till).pay(order)).rejects.toThrow(new PluginFailure(words))
  })

  test('a wrong token is, too', async () => {
    const stranger = wooCommerce({ ...till, apiToken: 'pay_live_wrong' })
    await expect(stranger.pay({ id: 7, total: '1', currency: 'USD', memo: '' })).rejects.toThrow(
      new PluginFailure('unauthorized'),
    )
  })
})

describe('Medusa', () => {
  test('a session is captured with the first event; what comes later it calls pending, and so it stays captured', async () => {
    const plugin = medusa(till)
    const session = 'payses_01JD2Z8Q'
    const { invoice_id: id, ...invoice } = await plugin.initiate(session, '0.10')
    const invoiceId = String(id)
    expect(invoice).toMatchObject({ amount: '0.10 usd (~2 GRIN)', order_ref: session, match_mode: 'derived' })
    expect(await plugin.status(invoiceId)).toBe('pending')

    await till.pay(invoiceId)
    await until(() => eventsOf(invoiceId).length === 2)
    expect(eventsOf(invoiceId).slice(0, 1).map(plugin.hook)).toEqual([200])
    expect([...plugin.captured]).toEqual([session])
    expect(await plugin.status(invoiceId)).toBe('pending')
  })

  test('its own match mode and expiry are taken', async () => {
    const invoice = await medusa(till).initiate('payses_2', '1.00', { match_mode: 'amount', expiry_secs: 60 })
    expect(invoice.match_mode).toBe('amount')
    expect(Date.parse(String(invoice.expires_at)) - Date.parse(String(invoice.created_at))).toBe(60_000)
  })

  test.each([
    ['an unknown invoice', 'GET', `/invoice/${'0'.repeat(32)}`, undefined, 404],
    ['an address that does not exist', 'GET', '/nothing', undefined, 404],
    ['another method', 'DELETE', '/invoice', undefined, 405],
    ['broken JSON', 'POST', '/invoice', '{"amount_fiat":', 400],
    ['nothing to pay', 'POST', '/invoice', '{}', 400],
    ['a number where a text belongs', 'POST', '/invoice', '{"amount_grin":1,"order_ref":1.5}', 400],
    ['a body without end', 'POST', '/invoice', `{"memo":"${'x'.repeat(70_000)}"}`, 413],
  ])('%s is answered with JSON that has a text in "error"', async (_, method, path, body, status) => {
    const headers = { authorization: `Bearer ${till.apiToken}`, 'content-type': 'application/json' }
    const answer = await fetch(`${till.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual(expect.objectContaining({ error: expect.stringMatching(/\S/) }))
  })
})

describe('name authorities of others', () => {
  test('the one beside strfry grants on "paid"', async () => {
    const authority = floonetStrfry(till)
    const { invoiceId, status } = await authority.quote(PUBKEY)
    expect(status).toBe('open')
    expect(await authority.isPaid(invoiceId)).toBe(false)
    const granted: boolean[] = []
    const paying = till.pay(invoiceId)
    await until(async () => {
      granted.push(await authority.isPaid(invoiceId))
      return granted.includes(true)
    })
    await paying
    await until(() => eventsOf(invoiceId).length > 0)
    expect(eventsOf(invoiceId).slice(0, 1).map(authority.hook)).toEqual([200])
  })

  test('the one inside a relay gets the invoice to look at', async () => {
    const authority = floonetRs(till)
    const first = await authority.quote(PUBKEY)
    expect(await authority.verdict(first.invoiceId)).toBe('unpaid')
    // It asks for a new invoice of the same reference whenever it likes.
    const { invoiceId } = await authority.quote(PUBKEY)
    expect(invoiceId).not.toBe(first.invoiceId)
    await till.pay(invoiceId)
    await until(() => eventsOf(invoiceId).length > 0)
    expect(eventsOf(invoiceId).slice(0, 1).map(authority.nudge)).toEqual([invoiceId])
  })
})

test('magick.market: memo mode finds its invoice by what the wallet took out of the pay link', async () => {
  const market = magickMarket(till)
  const { invoiceId, payUrl, orderRef } = await market.order('alice', PUBKEY, 1_750_000_000)
  expect(await market.read(invoiceId)).toEqual({
    status: 'open',
    confirmations: 0,
    confirmations_required: 3,
    order_ref: orderRef,
    amount: 1_750_000_000,
  })
  await till.pay(payUrl)
  await until(async () => (await market.read(invoiceId)).status === 'confirmed')
  const { confirmations, confirmations_required, order_ref } = await market.read(invoiceId)
  expect(Number(confirmations)).toBeGreaterThanOrEqual(Number(confirmations_required))
  expect(order_ref).toBe(orderRef)
})
