// Paths, headers, methods and framing that mean harm, sent as bytes to the daemon as `serve pay` composes it.
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noise } from '../support/hostile-slatepacks.js'
import { type HostileTill, type OpenInvoice, openHostileTill } from '../support/hostile-till.js'
import { codeIn, type RawAnswer, type RawRequest, rawRequest } from '../support/raw-http.js'

const SOON_MS = 5_000

let till: HostileTill
let invoice: OpenInvoice
let before: string

beforeAll(async () => {
  till = await openHostileTill({ PAY_TRUSTED_PROXIES: '10.9.8.7' })
  invoice = await till.invoice()
})
beforeEach(() => {
  before = till.fingerprint()
  till.log.forget()
})
afterAll(() => till.close())

function expectAnswer(answer: RawAnswer, status: number, code?: string): void {
  expect([answer.status, code === undefined ? undefined : codeIn(answer)], answer.all.slice(0, 600)).toEqual([
    status,
    code,
  ])
  expect(answer.ms).toBeLessThan(SOON_MS)
  expect(till.fingerprint()).toBe(before)
  till.expectCleanLog()
}

describe('a path that means harm', () => {
  const FILES = ['/etc/passwd', 'package.json', 'checkout/pay.eta']
  const climbs = FILES.flatMap((file) => [
    `/static/../../${file}`,
    `/static/..%2f..%2f${file.replaceAll('/', '%2f')}`,
    `/static/%2e%2e/%2e%2e/${file}`,
    `/static/..%5c..%5c${file.replaceAll('/', '%5c')}`,
    `/static/..%252f..%252f${file.replaceAll('/', '%252f')}`,
    `/static//${file}`,
    `/static/${file}%00.css`,
  ])

  test.each(climbs)('%s finds no file', async (path) => {
    const answer = await till.send({ path })
    expect([400, 404]).toContain(answer.status)
    expect(answer.body).not.toMatch(/root:|"dependencies"|<%/)
    expectAnswer(answer, answer.status, answer.status === 404 ? 'NOT_FOUND' : 'INVALID_URL')
  })

  test.each(['__proto__', 'constructor', 'toString', 'style.css', 'mark.svg', '%73tyle.css', '.', '%2e'])(
    '/static/%s is not an asset',
    async (name) => expectAnswer(await till.send({ path: `/static/${name}` }), 404, 'NOT_FOUND'),
  )

  const api = () => [`Authorization: Bearer ${till.api}`]
  const admin = () => [`Authorization: Bearer ${till.admin}`]
  const rows: readonly [string, () => readonly string[], number, string][] = [
    ['/invoice/%00', api, 404, 'INVOICE_NOT_FOUND'],
    ['/invoice/..%2f..%2fadmin%2fstatus', api, 404, 'INVOICE_NOT_FOUND'],
    ["/invoice/'%20OR%201=1--", api, 404, 'INVOICE_NOT_FOUND'],
    ['/invoice/%F0%9F%92%A9', api, 404, 'INVOICE_NOT_FOUND'],
    ['/invoice/%', api, 400, 'INVALID_URL'],
    ['/invoice/%c0%ae%c0%ae', api, 400, 'INVALID_URL'],
    [`/invoice/${'a'.repeat(12_000)}`, api, 404, 'INVOICE_NOT_FOUND'],
    [`/payment/${'../'.repeat(2_000)}`, api, 404, 'NOT_FOUND'],
    ['/payment/__proto__', api, 404, 'PAYMENT_NOT_FOUND'],
    ['/payment/__proto__/receipt', api, 404, 'PAYMENT_NOT_FOUND'],
    ['/pay/__proto__/status', () => [], 404, 'INVOICE_NOT_FOUND'],
    [`/pay/${'A'.repeat(43)}/status`, () => [], 404, 'INVOICE_NOT_FOUND'],
    ['/pay//status', () => [], 404, 'INVOICE_NOT_FOUND'],
    ['/admin/users/constructor', admin, 404, 'USER_NOT_FOUND'],
    ['/admin/webhooks/%2e%2e', admin, 404, 'DELIVERY_NOT_FOUND'],
    ['/admin/../admin/status', () => [], 404, 'NOT_FOUND'],
    ['//admin/status', () => [], 404, 'NOT_FOUND'],
    ['/ADMIN/status', () => [], 404, 'NOT_FOUND'],
    ['/admin%2fstatus', () => [], 404, 'NOT_FOUND'],
    ['/admin/status/', () => [], 404, 'NOT_FOUND'],
    ['/admin/status;a=b', () => [], 404, 'NOT_FOUND'],
    ['/admin/status%20', () => [], 404, 'NOT_FOUND'],
    ['/admin/status?x=1', () => [], 401, 'UNAUTHORIZED'],
    ['/%61dmin/status', () => [], 401, 'UNAUTHORIZED'],
    ['/.env', () => [], 404, 'NOT_FOUND'],
    ['/pay.db', () => [], 404, 'NOT_FOUND'],
    ['/v2/foreign', () => [], 404, 'NOT_FOUND'],
    ['/sandbox/pay', () => [], 404, 'NOT_FOUND'],
    ['http://elsewhere.example/admin/status', () => [], 401, 'UNAUTHORIZED'],
    ['http://elsewhere.example/nowhere', () => [], 404, 'NOT_FOUND'],
  ]

  test.each(rows)('%s', async (path, headers, status, code) => {
    expectAnswer(await till.send({ path, headers: ['Accept: application/json', ...headers()] }), status, code)
  })

  test('an unknown token gets a page that does not repeat it', async () => {
    const answer = await till.send({ path: '/pay/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E' })
    expectAnswer(answer, 404)
    expect(answer.body).not.toMatch(/<script|alert\(1\)/)
  })

  test('what a page is asked to show never becomes part of it', async () => {
    const evil = '%22%3E%3Cscript%3E&seen=%22%3E%3Cscript%3E&method=%22%3E%3Cscript%3E&page=%22%3E&page=b'
    for (const path of [`/pay/${invoice.token}?page=${evil}`, `/pay/${invoice.token}/frame?page=${evil}`]) {
      const answer = await till.send({ path })
      expectAnswer(answer, 200)
      expect(answer.body).not.toContain('<script')
      expect(answer.body).not.toContain('%22%3E')
    }
  })
})

describe('a list that is asked for in a way that means harm', () => {
  const LISTS = ['invoices', 'payments', 'webhooks', 'users']
  const queries: readonly [string, string][] = [
    ...['0', '-1', '1e9', '1000000000', '201', '01', '1.5', '', 'NaN', '0x10', '١', '5%00', '99999999999999999999'].map(
      (limit): [string, string] => [`limit=${limit}`, 'INVALID_REQUEST'],
    ),
    ['limit=5&limit=6', 'INVALID_REQUEST'],
    ['cursor=', 'INVALID_REQUEST'],
    [`cursor=${'1'.repeat(513)}`, 'INVALID_REQUEST'],
    ['cursor=1-1&cursor=2-2', 'INVALID_REQUEST'],
    ...[
      "1-1'%20OR%20'1'='1",
      '1',
      '-1-1',
      '1-',
      '1--1',
      'e30=',
      `${'9'.repeat(17)}-1`,
      '1-1%00',
      '1-1%0a',
      '0x1-0x1',
      '__proto__',
      '1e3-1',
    ].map((cursor): [string, string] => [`cursor=${cursor}`, 'BAD_CURSOR']),
  ]

  test.each(queries)('?%s is refused everywhere', async (query, code) => {
    for (const list of LISTS)
      expectAnswer(
        await till.send({ path: `/admin/${list}?${query}`, headers: [`Authorization: Bearer ${till.admin}`] }),
        400,
        code,
      )
  })

  test.each(['0-0', '9999999999999999-9999999999999999'])(
    'an invented cursor (%s) is only a place in the list',
    async (cursor) => {
      const answer = await till.send({
        path: `/admin/invoices?cursor=${cursor}`,
        headers: [`Authorization: Bearer ${till.admin}`],
      })
      expectAnswer(answer, 200)
    },
  )

  test.each(['status=paid&status=open', 'status=constructor', 'from=yesterday', 'from=2026-02-31T25:00:00Z', 'to=%00'])(
    '?%s',
    async (query) => {
      expectAnswer(
        await till.send({ path: `/admin/invoices?${query}`, headers: [`Authorization: Bearer ${till.admin}`] }),
        400,
        'INVALID_REQUEST',
      )
    },
  )

  test('members a query does not have are refused by name, those of every object too', async () => {
    const path = '/admin/invoices?__proto__[limit]=0&constructor=1&order_ref=__proto__'
    const answer = await till.send({ path, headers: [`Authorization: Bearer ${till.admin}`] })
    expectAnswer(answer, 422)
    const { errors } = JSON.parse(answer.body)
    expect(errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      'unknown member "__proto__[limit]"; did you mean "limit"?',
      'unknown member "constructor"',
    ])
  })
})

describe('a token that is not one', () => {
  const forms: readonly [string, (token: string) => readonly string[]][] = [
    ['none', () => []],
    ['an empty one', () => ['Authorization: Bearer ']],
    ['no scheme', (token) => [`Authorization: ${token}`]],
    ['another scheme', (token) => [`Authorization: Token ${token}`]],
    ['basic', (token) => [`Authorization: Basic ${Buffer.from(`grin:${token}`).toString('base64')}`]],
    ['one character short', (token) => [`Authorization: Bearer ${token.slice(0, -1)}`]],
    ['one character long', (token) => [`Authorization: Bearer ${token}x`]],
    ['in capitals', (token) => [`Authorization: Bearer ${token.toUpperCase()}`]],
    ['in quotes', (token) => [`Authorization: Bearer "${token}"`]],
    ['followed by another', (token) => [`Authorization: Bearer ${token} ${token}`]],
    ['as the second of two headers', (token) => ['Authorization: Bearer x', `Authorization: Bearer ${token}`]],
    ['in a cookie', (token) => [`Cookie: authorization=Bearer ${token}`]],
    ['for the proxy', (token) => [`Proxy-Authorization: Bearer ${token}`]],
    ['in 15 000 characters', () => [`Authorization: Bearer ${'x'.repeat(15_000)}`]],
    ['in odd characters', () => ['Authorization: Bearer \xff\xfe']],
  ]

  test.each(forms)('%s', async (_, headers) => {
    for (const path of ['/admin/status', `/invoice/${invoice.id}`]) {
      const token = path.startsWith('/admin') ? till.admin : till.api
      const answer = await till.send({ path, headers: headers(token) })
      expectAnswer(answer, 401, 'UNAUTHORIZED')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('each token opens its own door only', async () => {
    const asked = (path: string, token: string) => till.send({ path, headers: [`Authorization: Bearer ${token}`] })
    expectAnswer(await asked('/admin/status', till.api), 401, 'UNAUTHORIZED')
    expectAnswer(await asked(`/invoice/${invoice.id}`, till.admin), 401, 'UNAUTHORIZED')
    expectAnswer(await asked(`/admin/status?token=${till.admin}`, ''), 401, 'UNAUTHORIZED')
  })

  test('the scheme is read in any letter case, as the contract says', async () => {
    expectAnswer(await till.send({ path: '/admin/status', headers: [`authorization: bEaReR \t ${till.admin}  `] }), 200)
  })
})

describe('a header that means harm', () => {
  test('the Host never reaches an address we give out', async () => {
    const answer = await till.send({
      method: 'POST',
      path: '/invoice',
      headers: [
        'Host: evil.example',
        'X-Forwarded-Host: evil.example',
        'Forwarded: host=evil.example',
        'Content-Type: application/json',
        `Authorization: Bearer ${till.api}`,
      ],
      body: '{"amount_grin":1000}',
    })
    expect(answer.status).toBe(200)
    expect(answer.all).not.toContain('evil.example')
    expect(JSON.parse(answer.body).pay_url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${till.port}/pay/`))
  })

  test('nor a page or a redirect', async () => {
    const headers = [
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: javascript',
      'Origin: https://evil.example',
    ]
    for (const path of [`/pay/${invoice.token}`, `/pay/${invoice.token}/frame`, `/pay/${invoice.token}/status`, '/']) {
      const answer = await till.send({ path, headers })
      expectAnswer(answer, 200)
      expect(answer.all).not.toContain('evil.example')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  const rows: readonly [string, RawRequest, number, string?][] = [
    [
      '20 000 bytes of one header',
      { path: '/health', headers: [`X-Big: ${'x'.repeat(20_000)}`] },
      431,
      'BROKEN_REQUEST',
    ],
    [
      '3 000 small headers',
      { path: '/health', headers: Array.from({ length: 3_000 }, (_, at) => `X-${at}: y`) },
      431,
      'BROKEN_REQUEST',
    ],
    ['an address of 20 000 characters', { path: `/${'x'.repeat(20_000)}` }, 431, 'BROKEN_REQUEST'],
    ['a line end inside a header', { path: '/health', headers: ['X-A: b\rX-C: d'] }, 400, 'BROKEN_REQUEST'],
    ['a zero byte inside a header', { path: '/health', headers: ['X-A: b\0c'] }, 400, 'BROKEN_REQUEST'],
    ['a folded header', { path: '/health', headers: ['X-A: b', ' c'] }, 400, 'BROKEN_REQUEST'],
    ['a header without a name', { path: '/health', headers: [': b'] }, 400, 'BROKEN_REQUEST'],
    ['a space before the colon', { path: '/health', headers: ['Content-Length : 5'] }, 400, 'BROKEN_REQUEST'],
    ['two hosts, neither of which we look at', { path: '/health', headers: ['Host: a', 'Host: b'] }, 200],
    ['no host', { path: '/health', headers: ['Host;'] }, 400, 'BROKEN_REQUEST'],
    ['an upgrade', { path: '/health', headers: ['Connection: close, Upgrade', 'Upgrade: websocket'] }, 200],
    ['an unknown expectation', { path: '/health', headers: ['Expect: 200-maybe'] }, 417],
    ['a range', { path: '/health', headers: ['Range: bytes=0-0,1-1,2-2'] }, 200],
    ['an Accept of 2 000 types', { path: '/pay/x', headers: [`Accept: ${'a/b;q=0.1,'.repeat(1_200)}`] }, 404],
  ]

  test.each(rows)('%s', async (_, request, status, code) => expectAnswer(await till.send(request), status, code))

  test.each([
    ['a request id with a line to forge', 'x\\nlevel=error'],
    ['a request id of 65 characters', 'x'.repeat(65)],
    ['a request id with a mark', '<b>&%{jndi}'],
  ])('%s is replaced', async (_, id) => {
    const answer = await till.send({ path: '/health', headers: [`X-Request-Id: ${id}`] })
    expectAnswer(answer, 200)
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/)
    expect(till.log.text()).not.toContain(id)
  })
})

describe('a method', () => {
  const rows: readonly [string, string, number, string | undefined][] = [
    ['DELETE', '/invoice', 405, 'POST'],
    ['GET', '/invoice', 405, 'POST'],
    ['PUT', '/admin/status', 405, 'GET, HEAD'],
    ['POST', '/health', 405, 'GET, HEAD'],
    ['PATCH', '/payment/x', 405, 'GET, HEAD'],
    ['OPTIONS', '/invoice', 405, 'POST'],
    ['TRACE', '/health', 405, 'GET, HEAD'],
    ['PROPFIND', '/health', 405, 'GET, HEAD'],
    ['DELETE', '/nowhere', 404, undefined],
    ['get', '/health', 400, undefined],
    ['BREW', '/health', 400, undefined],
  ]

  test.each(rows)('%s %s → %i', async (method, path, status, allow) => {
    const answer = await till.send({ method, path })
    expectAnswer(
      answer,
      status,
      status === 404 ? 'NOT_FOUND' : status === 405 ? 'METHOD_NOT_ALLOWED' : 'BROKEN_REQUEST',
    )
    expect(answer.headers.allow).toBe(allow)
  })

  test('HEAD answers like GET, without a body', async () => {
    for (const path of [
      '/health',
      '/',
      `/pay/${invoice.token}`,
      `/pay/${invoice.token}/frame?seen=open.0`,
      '/nowhere',
    ]) {
      const head = await till.send({ method: 'HEAD', path })
      const get = await till.send({ path: path.replace('?seen=open.0', '') })
      expectAnswer(head, get.status)
      expect(head.body).toBe('')
    }
  })

  test('a tunnel to elsewhere is not opened', async () => {
    await expect(till.send({ method: 'CONNECT', path: 'evil.example:25' })).rejects.toThrow('closed without an answer')
  })

  test('a body where none belongs is not read', async () => {
    expectAnswer(await till.send({ path: '/health', headers: ['Content-Type: application/json'], body: '{"a":' }), 200)
  })
})

describe('framing that two readers could understand differently', () => {
  const smuggled = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  const post = (headers: readonly string[], body: string) =>
    rawRequest({
      method: 'POST',
      path: '/invoice',
      headers: ['Connection: keep-alive', ...headers],
      body,
      length: false,
    })
  const rows: readonly [string, () => Buffer][] = [
    [
      'a length and chunks',
      () => post([`Content-Length: ${smuggled.length}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
    ],
    ['chunks and a length', () => post(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`)],
    ['two lengths', () => post(['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled)],
    ['a length with a sign', () => post(['Content-Length: +0'], smuggled)],
    ['a length in hex', () => post(['Content-Length: 0x0'], smuggled)],
    ['two lengths in one', () => post(['Content-Length: 0, 0'], smuggled)],
    ['a length below 0', () => post(['Content-Length: -1'], smuggled)],
    ['a length of 2^64', () => post(['Content-Length: 18446744073709551616'], smuggled)],
    ['chunks of an unknown kind', () => post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`)],
    ['chunks inside chunks', () => post(['Transfer-Encoding: chunked, chunked'], `0\r\n\r\n${smuggled}`)],
    ['chunks that are not last', () => post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`)],
    ['a chunk of 2^64 bytes', () => post(['Transfer-Encoding: chunked'], `10000000000000000\r\n${smuggled}`)],
    ['a chunk below 0', () => post(['Transfer-Encoding: chunked'], `-1\r\n${smuggled}`)],
    [
      'lines that end in one character',
      () => Buffer.from(`POST /invoice HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`),
    ],
    ['an unknown version', () => Buffer.from(`GET /health HTTP/9.9\r\nHost: x\r\n\r\n${smuggled}`)],
    ['the beginning of HTTP/2', () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['a greeting of TLS', () => Buffer.concat([Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), noise(500)])],
  ]

  test.each(rows)('%s: refused, and what was hidden is never answered', async (_, bytes) => {
    const answer = await till.sendBytes(bytes(), { patienceMs: 15_000 })
    const statuses = [...answer.all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([])
    expect(till.fingerprint()).toBe(before)
    till.expectCleanLog()
  })

  test('10 MB in chunks end at 64 KiB', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const headers = [
      'Transfer-Encoding: chunked',
      'Content-Type: application/json',
      `Authorization: Bearer ${till.api}`,
    ]
    const request = rawRequest({ method: 'POST', path: '/invoice', headers, body: chunk.repeat(640), length: false })
    expectAnswer(await till.sendBytes(request), 413, 'BODY_TOO_LARGE')
  })

  test('a body shorter than it says is never acted upon', async () => {
    const headers = ['Content-Length: 500', 'Content-Type: application/json', `Authorization: Bearer ${till.api}`]
    const request = rawRequest({
      method: 'POST',
      path: '/invoice',
      headers,
      body: '{"amount_grin":1000}',
      length: false,
    })
    await new Promise<void>((resolve) => {
      const socket = connect(till.port, '127.0.0.1', () => socket.end(request, () => socket.destroy()))
      socket.on('close', () => resolve())
    })
    expectAnswer(await till.send({ path: '/health' }), 200)
  })

  test('what is sent after the body belongs to no request before it', async () => {
    const body = '{"amount_grin":1}'
    const headers = ['Connection: keep-alive', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const first = rawRequest({ method: 'POST', path: '/invoice', headers, body, length: false })
    const answer = await till.sendBytes(Buffer.concat([first, rawRequest({ path: '/admin/status' })]))
    expect(answer.all.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401'])
    expect(till.fingerprint()).toBe(before)
  })
})

describe.concurrent('slowness', () => {
  test('headers that never end are cut off after 10 s with 408', async () => {
    const drip = Array.from({ length: 40 }, (_, at) => `X-${at}: y\r\n`)
    const answer = await till.sendBytes('GET /health HTTP/1.1\r\nHost: x\r\n', {
      later: drip,
      pauseMs: 500,
      patienceMs: 20_000,
    })
    expect(answer.status).toBe(408)
    expect(answer.ms).toBeLessThan(13_000)
    expect(till.fingerprint()).toBe(before)
  })

  test('a body that never ends is cut off within the request time-out', async () => {
    const head = rawRequest({
      method: 'POST',
      path: `/pay/${invoice.token}/slatepack`,
      headers: ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 60000'],
      body: 'slatepack=',
      length: false,
    })
    const drip = Array.from({ length: 80 }, () => 'x')
    const answer = await till.sendBytes(head, { later: drip, pauseMs: 500, patienceMs: 45_000 })
    expect(answer.status).toBe(408)
    expect(answer.ms).toBeLessThan(34_000)
    expect(till.fingerprint()).toBe(before)
  })

  test('three hundred silent connections keep no client out', async () => {
    const sockets = Array.from({ length: 300 }, () => connect(till.port, '127.0.0.1').on('error', () => {}))
    try {
      const answer = await till.send({ path: `/pay/${invoice.token}` })
      expectAnswer(answer, 200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})
