// What the authority takes from an invoicing service: ours, a minimal one, and what is none.
import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPaymentService, type HttpResponse } from '../../src/client/index.js'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { qrSvg } from '../../src/lib/qr.js'
import { Secret } from '../../src/lib/secret.js'
import { serving } from '../support/local-server.js'

const token = new Secret('pay_live_xxxxxxxx')
const ORDER = { orderRef: 'nameauth-name:ab:1', amount: nanoGrin(1_500_000_000n), memo: 'Name (names.example)' }
const PLAIN = { invoice_id: 'i1', pay_url: 'https://pay.example/pay/i1', status: 'open' }

/** A service that gives this answer to everything. */
const answering = (answer: Partial<HttpResponse> & { readonly json?: unknown }) =>
  createPaymentService({
    baseUrl: 'http://service.example',
    token,
    transport: async () => ({ status: answer.status ?? 200, text: answer.text ?? JSON.stringify(answer.json) }),
  })

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

test('an order asks for an invoice that nothing else can be matched to, and that ends', async () => {
  const seen: object[] = []
  const baseUrl = await serving(async (request, response) => {
    const { method, url, headers } = request
    seen.push({ method, url, token: headers.authorization, body: JSON.parse((await bodyOf(request)) || 'null') })
    response.end(JSON.stringify(PLAIN))
  })
  const service = createPaymentService({ baseUrl: `${baseUrl}/till/`, token })
  expect(await service.createInvoice(ORDER)).toEqual({ invoiceId: 'i1', payUrl: PLAIN.pay_url, status: 'open' })
  expect(await service.readInvoice('i1')).toEqual({ status: 'open' })
  const body = {
    amount_grin: 1_500_000_000,
    order_ref: 'nameauth-name:ab:1',
    memo: 'Name (names.example)',
    match_mode: 'derived',
    expiry_secs: 3600,
  }
  expect(seen[0]).toEqual({ method: 'POST', url: '/till/invoice', token: 'Bearer pay_live_xxxxxxxx', body })
  expect(seen[1]).toMatchObject({ method: 'GET', url: '/till/invoice/i1', token: 'Bearer pay_live_xxxxxxxx' })
})

test('a repeated order has the same Idempotency-Key; every other order has another', async () => {
  const keys: unknown[] = []
  const baseUrl = await serving((request, response) => {
    keys.push(request.headers['idempotency-key'])
    response.end(JSON.stringify(PLAIN))
  })
  const service = createPaymentService({ baseUrl, token })
  await service.createInvoice(ORDER)
  await service.createInvoice(ORDER)
  await service.createInvoice({ ...ORDER, orderRef: 'nameauth-name:ab:2' })
  await service.createInvoice({ ...ORDER, amount: nanoGrin(1n) })
  await service.createInvoice({ ...ORDER, memo: 'Name (other.example)' })
  expect(keys[0]).toBe(keys[1])
  expect(new Set(keys).size).toBe(4)
  for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,128}$/)
})

describe('what it answers', () => {
  test('may have more members, and how far the payment is', async () => {
    const json = { ...PLAIN, status: 'paid', confirmations: 2, confirmations_required: 10, qr_svg: '<svg/>' }
    expect(await answering({ json }).readInvoice('i1')).toEqual({
      status: 'paid',
      confirmations: 2,
      confirmationsRequired: 10,
    })
  })

  const SVG =
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Pay 1.5 GRIN"><path d="M5 5v-1h2v1"/></svg>'

  test('may have what a wallet builds its page from', async () => {
    const json = {
      ...PLAIN,
      nprofile: `nprofile1${'q'.repeat(80)}`,
      pay_link: 'goblin:nprofile1x?amount=1.5',
      qr_svg: SVG,
    }
    const scan = { nprofile: json.nprofile, payLink: json.pay_link, qrSvg: SVG }
    expect(await answering({ json }).createInvoice(ORDER)).toMatchObject({ scan })
    expect(await answering({ json }).readInvoice('i1')).toMatchObject({ scan })
  })

  test.each<[string, object]>([
    ['nothing', {}],
    ['empty texts', { nprofile: '', pay_link: '', qr_svg: '' }],
    ['a key that is none', { nprofile: 'npub1<script>' }],
    ['a link that runs code', { pay_link: 'javascript:alert(1)' }],
    ['a link with a line break', { pay_link: 'goblin:x\n' }],
    ['a script', { qr_svg: SVG.replace('<path', '<script>alert(1)</script><path') }],
    ['a handler', { qr_svg: SVG.replace('role="img"', 'onload="alert(1)"') }],
    ['an image from elsewhere', { qr_svg: SVG.replace('<path', '<image href="https://tracker.example/x.png"/><path') }],
    ['an HTML page', { qr_svg: '<p>no</p>' }],
    ['a handler after a slash', { qr_svg: SVG.replace('<path', '<g/onload=alert(1)></g><path') }],
    ['a handler right after a value', { qr_svg: SVG.replace('role="img"', 'role="img"onload="alert(1)"') }],
    ['a value without quotes', { qr_svg: SVG.replace('<path', '<image href=https://tracker.example/p.png /><path') }],
    ['a color from elsewhere', { qr_svg: SVG.replace('<path', '<path fill="url(https://tracker.example/p#x)"') }],
    ['a hidden address', { qr_svg: SVG.replace('<path', '<path fill="url&#40;https://tracker.example/p#x)"') }],
    [
      'an image that is a document',
      { qr_svg: SVG.replace('<path', '<image href="data:image/svg+xml;base64,QUJD"/><path') },
    ],
    ['a style', { qr_svg: SVG.replace('role="img"', 'style="position:fixed"') }],
    ['a class of the page', { qr_svg: SVG.replace('role="img"', 'class="modal"') }],
    ['a link', { qr_svg: SVG.replace('<path', '<a href="https://phish.example/"></a><path') }],
    ['an element in other letters', { qr_svg: SVG.replace('<path', '<Path') }],
    ['an element without an end', { qr_svg: SVG.replace('<path', '<title><path') }],
    ['an end without its element', { qr_svg: SVG.replace('<path', '</svg><path') }],
    ['two drawings', { qr_svg: `${SVG}${SVG}` }],
    ['text beside the drawing', { qr_svg: SVG.replace('<path', 'Pay here instead: <path') }],
    ['a comment', { qr_svg: SVG.replace('<path', '<!-- --><path') }],
    ['an endless drawing', { qr_svg: SVG.replace('M5', `M5${' '.repeat(70_000)}`) }],
  ])('leaves out %s', async (_what, more) => {
    expect(await answering({ json: { ...PLAIN, ...more } }).readInvoice('i1')).toEqual({ status: 'open' })
  })

  test.each<[string, string]>([
    ['a plain code', qrSvg('goblin:nprofile1x?amount=1.5', { ariaLabel: `Pay "Tom's" <shop> & co` })],
    [
      'one with a mark',
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 41 41" class="qr"><title>Pay</title>\n' +
        "<g fill='#0a0a0a' fill-rule=\"evenodd\" transform=\"translate(1 -2) scale(0.5)\"><rect x='1' y='1' width='50%' height='9' rx='1'/></g>" +
        '<circle cx="2" cy="2" r="1" fill="none"/><image x="1" href="data:image/png;base64,QUJD=" preserveAspectRatio="xMidYMid meet"/></svg>',
    ],
  ])('may have as a code %s', async (_what, code) => {
    const answer = await answering({ json: { ...PLAIN, qr_svg: code } }).readInvoice('i1')
    expect(answer).toEqual({ status: 'open', scan: { qrSvg: code } })
  })

  test('may be no more than the status', async () => {
    expect(await answering({ json: { status: 'confirmed' } }).readInvoice('i1')).toEqual({ status: 'confirmed' })
  })

  test.each([
    ['no id', { ...PLAIN, invoice_id: undefined }],
    ['an empty id', { ...PLAIN, invoice_id: '' }],
    ['an id that is no text', { ...PLAIN, invoice_id: 7 }],
    ['an endless id', { ...PLAIN, invoice_id: 'i'.repeat(201) }],
    ['an id with a line break', { ...PLAIN, invoice_id: 'i\n1' }],
    ['no address', { ...PLAIN, pay_url: undefined }],
    ['an address that runs code', { ...PLAIN, pay_url: 'javascript:alert(1)' }],
    ['an address that is none', { ...PLAIN, pay_url: 'https://' }],
    ['a path for an address', { ...PLAIN, pay_url: '/pay/i1' }],
    ['an endless address', { ...PLAIN, pay_url: `https://pay.example/${'x'.repeat(2048)}` }],
    ['no status', { ...PLAIN, status: undefined }],
    ['a status that is no text', { ...PLAIN, status: true }],
    ['a list', [PLAIN]],
  ])('is no invoice with %s', async (_, json) => {
    await expect(answering({ json }).createInvoice(ORDER)).rejects.toMatchObject({ code: 'NOT_AN_INVOICE' })
  })

  test('is no answer when it is about another invoice', async () => {
    const json = { ...PLAIN, invoice_id: 'i2', status: 'confirmed' }
    await expect(answering({ json }).readInvoice('i1')).rejects.toMatchObject({ code: 'NOT_AN_INVOICE' })
  })

  test('404 in JSON means that the invoice is gone; any other failure, and 404 of a proxy, that its state is unknown', async () => {
    expect(await answering({ status: 404, json: { error: 'not found' } }).readInvoice('i1')).toBe('gone')
    await expect(answering({ status: 404, text: '<h1>404</h1>' }).readInvoice('i1')).rejects.toThrow('is not a till')
    for (const status of [301, 302, 307, 400, 401, 403, 429, 500, 503])
      await expect(answering({ status, json: { ...PLAIN, error: 'no' } }).readInvoice('i1')).rejects.toThrow('no')
  })

  test('is refused when it is a redirect, a page, empty or endless', async () => {
    const paths: string[] = []
    const baseUrl = await serving(({ url = '' }, response) => {
      paths.push(url)
      if (url.startsWith('/moved/')) response.writeHead(307, { location: '/there/invoice' }).end()
      else if (url.startsWith('/page/')) response.end('<!doctype html><title>Welcome</title>')
      else if (url.startsWith('/endless/')) response.end(`"${'x'.repeat(2 * 1024 * 1024)}"`)
      else response.end()
    })
    for (const path of ['moved', 'page', 'empty', 'endless']) {
      const service = createPaymentService({ baseUrl: `${baseUrl}/${path}`, token })
      await expect(service.createInvoice(ORDER)).rejects.toThrow()
      await expect(service.readInvoice('i1')).rejects.toThrow()
    }
    expect(paths.filter((path) => path.startsWith('/there'))).toEqual([])
  })

  test('whatever it is, it is an invoice or a rejection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(200, 201, 302, 404, 500), async (json, status) => {
        const service = answering({ status, json })
        const read = await service.readInvoice('i1').catch(() => undefined)
        if (read !== undefined && read !== 'gone') expect(read.status).toMatch(/^[\x21-\x7e]{1,40}$/)
        const made = await service.createInvoice(ORDER).catch(() => undefined)
        if (made !== undefined) expect(made.payUrl).toMatch(/^https?:/)
      }),
    )
  })
})

test('a service that never answers is given up in time', async () => {
  const baseUrl = await serving(() => undefined)
  const service = createPaymentService({ baseUrl, token, timeoutMs: 50 })
  await expect(service.readInvoice('i1')).rejects.toMatchObject({ code: 'DAEMON_TIMEOUT' })
})

test('a price that JSON cannot carry exactly sends no request', async () => {
  const service = answering({ json: PLAIN })
  await expect(service.createInvoice({ ...ORDER, amount: nanoGrin(2n ** 53n) })).rejects.toThrow('9007199254740992')
})

test('the token is never part of a failure', async () => {
  const service = createPaymentService({ baseUrl: 'http://127.0.0.1:9', token })
  const failure = await service.createInvoice(ORDER).catch((error: unknown) => error)
  expect(JSON.stringify(failure) + String(failure)).not.toContain('pay_live_xxxxxxxx')
})
