// A name authority among enemies: an invoicing service and a Grin node that lie, and proxies that write paths in their own way.
import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { authorizationOf, BASE, clientsOf, DOMAIN, REGISTER } from '../support/name-clients.js'
import { nameDaemon } from '../support/name-daemon.js'
import { offerEvent, offerTags, proofJson, seedOf } from '../support/name-transfer.js'
import { keyPairOf } from '../support/nostr.js'
import { rawRequest, sendRaw } from '../support/raw-http.js'

const TOKEN = 'pay-token-0123456789abcdef'
const ESCAPE = '\u001b[2J'

/** `method`: of the JSON-RPC request, if it is one. */
type Reply = (response: ServerResponse, path: string, method?: unknown) => void
const json =
  (value: unknown, status = 200): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

function methodIn(body: string): unknown {
  try {
    return JSON.parse(body).method
  } catch {
    return undefined // no JSON-RPC
  }
}

/** A server that answers as the test says, and counts. */
async function enemy() {
  const seen = { reply: json({}) as Reply, asked: 0, url: '', close: () => server.closeAllConnections() }
  const server = createServer((request, response) => {
    seen.asked += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk) => void chunks.push(chunk))
    request.on('end', () => seen.reply(response, request.url ?? '', methodIn(Buffer.concat(chunks).toString())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  seen.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return Object.assign(seen, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

let service: Awaited<ReturnType<typeof enemy>>
let node: Awaited<ReturnType<typeof enemy>>
let elsewhere: Awaited<ReturnType<typeof enemy>>
let paid: Awaited<ReturnType<typeof nameDaemon>>
let free: Awaited<ReturnType<typeof nameDaemon>>
let ask: ReturnType<typeof clientsOf>
let names: ReturnType<typeof clientsOf>
let port: number

const portOf = ({ daemon }: typeof free): number => Number(new URL(daemon.address()).port)

beforeAll(async () => {
  ;[service, node, elsewhere] = await Promise.all([enemy(), enemy(), enemy()])
  const common = { NAMEAUTH_DOMAIN: DOMAIN, NAMEAUTH_BASE_URL: BASE, NAMEAUTH_WRITE_RATE_MAX: '1000' }
  paid = await nameDaemon({
    ...common,
    NAMEAUTH_PAY_MODE: 'name',
    NAMEAUTH_NAME_PRICE_GRIN: '1.5',
    NAMEAUTH_PAY_URL: service.url,
    NAMEAUTH_PAY_TOKEN: TOKEN,
    NAMEAUTH_PAID_POLL_INTERVAL_SECS: '0',
  })
  free = await nameDaemon({
    ...common,
    NAMEAUTH_TRANSFERS: 'on',
    NAMEAUTH_GRIN_NODE_URL: `${node.url}/v2/foreign`,
    NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: '0',
  })
  await Promise.all([paid.daemon.start(), free.daemon.start()])
  port = portOf(free)
  ask = clientsOf(portOf(paid))
  names = clientsOf(port)
})
afterAll(async () => {
  for (const clients of [ask, names]) clients?.hangUp()
  await Promise.all([paid?.close(), free?.close()])
  await Promise.all([service?.close(), node?.close(), elsewhere?.close()])
})

let drawn = 0
const anybody = () => keyPairOf(`hostile ${++drawn}`)
const invoice = (over: object) => ({
  invoice_id: `inv-${++drawn}`,
  pay_url: 'https://pay.example/1',
  status: 'open',
  ...over,
})

describe('an invoicing service that means harm', () => {
  const redirect: Reply = (response) => void response.writeHead(307, { location: `${elsewhere.url}/invoice` }).end()
  const endless: Reply = (response) => void response.end(Buffer.alloc(3_000_000, 0x20))
  test.each<[string, () => Reply]>([
    ['a page', () => (response) => void response.end('<html>')],
    ['another address to ask', () => redirect],
    ['three million blanks', () => endless],
    ['brackets without end', () => (response) => void response.end('['.repeat(900_000))],
    ['half an answer', () => (response) => void response.writeHead(200, { 'content-length': '100' }).end('{')],
    ['an error that is no text', () => json({ error: { toString: 1 }, code: { toString: 1 } }, 500)],
    ['an error named like a member of all objects', () => json({ error: 'not found', code: 'constructor' }, 500)],
    ['an address to run', () => json(invoice({ pay_url: 'javascript:alert(1)' }))],
    ['an address that moves the cursor', () => json(invoice({ pay_url: `https://pay.example/${ESCAPE}` }))],
    ['an address that begins another header', () => json(invoice({ pay_url: 'https://pay.example/\r\nx: y' }))],
    ['an id that moves the cursor', () => json(invoice({ invoice_id: ESCAPE }))],
    ['an id that is a number', () => json(invoice({ invoice_id: 7 }))],
    ['an endless id', () => json(invoice({ invoice_id: 'i'.repeat(300_000) }))],
    ['a status that is none', () => json(invoice({ status: ['open'] }))],
    ['an invoice that ended already', () => json(invoice({ status: 'expired' }))],
  ])('%s: 503, and nothing is kept', async (_, reply) => {
    service.reply = reply()
    const who = anybody()
    const { status, json: said } = await ask.claim(who, 'nova')
    expect([status, said.error]).toEqual([503, 'payment backend unavailable, try again'])
    service.reply = json(invoice({}))
    expect((await ask.claim(who, 'nova')).status).toBe(402)
  })

  test('the token went to the till only, and no log line has it', async () => {
    expect(elsewhere.asked).toBe(0)
    const lines = paid.logMessages().join('\n')
    expect(lines).toContain('the invoicing service made no invoice')
    expect(lines).not.toContain(TOKEN)
  })

  test('an id that is a path asks for nothing but an invoice', async () => {
    const paths: string[] = []
    const who = anybody()
    service.reply = json(invoice({ invoice_id: '../../admin?x=#' }))
    await ask.claim(who, 'nova')
    service.reply = (response, path) => {
      paths.push(path)
      json({ status: 'open' })(response, path)
    }
    await ask.claim(who, 'nova')
    expect(paths).toEqual(['/invoice/..%2F..%2Fadmin%3Fx%3D%23'])
  })

  test('an answer about another invoice settles nothing', async () => {
    const who = anybody()
    service.reply = json(invoice({ invoice_id: 'mine' }))
    await ask.claim(who, 'nova')
    service.reply = json(invoice({ invoice_id: 'yours', status: 'confirmed' }))
    expect((await ask.claim(who, 'nova')).status).toBe(402)
    service.reply = json({ status: 'confirmed' })
    expect((await ask.claim(who, 'nova')).status).toBe(201)
  })
})

describe('a Grin node that means harm', () => {
  const seller = anybody()
  const buyer = anybody()
  const ok = (value: unknown): Reply => json({ id: 1, jsonrpc: '2.0', result: { Ok: value } })
  const heights =
    (height: unknown, tip: unknown): Reply =>
    (response, path, method) =>
      ok(answerOf(method, height, tip))(response, path, method)
  const answerOf = (method: unknown, height: unknown, tip: unknown) =>
    method === 'get_kernel'
      ? { tx_kernel: {}, height, mmr_index: 1 }
      : { height: tip, last_block_pushed: 'ab'.repeat(32), hash: 'ab'.repeat(32), timestamp: new Date().toISOString() }
  const bomb = gzipSync(Buffer.alloc(60_000_000))
  let offerId: string

  beforeAll(async () => {
    await names.claim(seller, 'forsale')
    const tags = offerTags(Date.now(), { name: 'forsale', domain: DOMAIN, p: buyer.pubkey })
    const offer = offerEvent(Date.now(), { tags, from: seller })
    const lodged = await names.signed(seller, 'POST', '/api/v1/transfer/offer', { body: JSON.stringify({ offer }) })
    offerId = lodged.json.offer_id
  })
  const claim = () =>
    names.signed(buyer, 'POST', '/api/v1/transfer/claim', {
      body: JSON.stringify({ offer_id: offerId, proof: proofJson({ recipient: seedOf(0x11) }) }),
    })

  test.each<[string, Reply]>([
    ['says nothing', (response) => void response.end()],
    ['sends elsewhere', (response) => void response.writeHead(308, { location: elsewhere.url }).end()],
    [
      'sends sixty megabytes in sixty kilobytes',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    ],
    ['has an error that is no text', json({ result: { Err: { NotFound: { toString: 1 } } } })],
    ['has a height below the first block', heights(-1_000_000, 1000)],
    ['has a height that is a text', heights('1', 1000)],
    ['has a height between blocks', heights(1.5, 1000)],
    [
      'has a height beyond all numbers',
      (response) => void response.end('{"result":{"Ok":{"tx_kernel":{},"height":-1e400}}}'),
    ],
    ['has a kernel above its tip', heights(5000, 1000)],
    ['has no tip', heights(1, null)],
    ['tells of another kernel', ok({ tx_kernel: { excess: '09'.repeat(33) }, height: 1, mmr_index: 1 })],
  ])('%s: the name stays where it is', async (_, reply) => {
    node.reply = reply
    const { status, json: said } = await claim()
    expect([status, said.error]).toEqual([409, 'payment_unconfirmed'])
    expect((await names.get('/api/v1/profile/forsale')).json.pubkey).toBe(seller.pubkey)
  })

  test('and one that tells the truth moves it', async () => {
    node.reply = heights(900, 1000)
    // A node that failed is asked again after four seconds at most.
    await vi.waitFor(async () => expect((await claim()).status).toBe(201), { timeout: 15_000, interval: 500 })
    expect((await names.get('/api/v1/profile/forsale')).json.pubkey).toBe(buyer.pubkey)
  })

  test('was the only one that was asked', () => expect(elsewhere.asked).toBe(0))
})

describe('a path as a proxy may write it', () => {
  const holder = anybody()
  const path = `${REGISTER}/treasure`
  const signed = () => `Authorization: ${authorizationOf(holder, 'DELETE', path)}`
  const send = (target: string, header = signed()) =>
    sendRaw(port, rawRequest({ method: 'DELETE', path: target, headers: [header] }))
  const isHeld = async () => (await names.get('/api/v1/profile/treasure')).status === 200

  beforeAll(async () => void (await names.claim(holder, 'treasure')))
  afterEach(async () => void (await names.claim(holder, 'treasure')))

  test.each([
    '//api/v1/register/treasure',
    '/api/v1//register/treasure',
    '/api/v1/register//treasure',
    '/api/v1/register/treasure/',
    '/api/v1/register/treasure/.',
    '/api/v1/register/x/../treasure',
    '/api/v1/register%2ftreasure',
    '/API/V1/register/treasure',
    '/api/v1/register/treasure;x=1',
    '/api/v1/register/treasure%20',
    '/api/v1/register/treasure%00',
    '/api/v1/register/treasure%2f',
    '/api/v1/register/%2e%2e%2fregister%2ftreasure',
    '/api/v1/register/treasure%23',
    '/api/v1/register/treasure%3f',
  ])('%s releases nothing', async (target) => {
    const { status } = await send(target)
    expect([401, 404]).toContain(status)
    expect(await isHeld()).toBe(true)
  })

  test.each([
    '/api/v1/register/TREASURE',
    '/api/v1/register/%74reasure',
    `http://elsewhere.example${path}`,
    `${path}?x=1#y`,
  ])('%s is the same name, for every key that signed it', async (target) => {
    expect((await send(target)).status).toBe(200)
    expect(await isHeld()).toBe(false)
  })

  test('two copies on one connection are one release', async () => {
    const header = signed()
    const first = rawRequest({ method: 'DELETE', path, headers: [header, 'Connection: keep-alive'] })
    const { all } = await sendRaw(
      port,
      Buffer.concat([first, rawRequest({ method: 'DELETE', path, headers: [header] })]),
    )
    expect(all.match(/"released":true/g)).toHaveLength(1)
    expect(all).toContain('auth event replayed')
  })

  test('a request behind a body is not part of it', async () => {
    const hidden = rawRequest({ method: 'DELETE', path, headers: [signed()] })
    const post = rawRequest({ method: 'POST', path: REGISTER, headers: ['Connection: keep-alive'], body: hidden })
    expect((await sendRaw(port, Buffer.concat([post, rawRequest({ path: '/api/v1/health' })]))).all).not.toContain(
      'released',
    )
    expect(await isHeld()).toBe(true)
  })

  test('what waits to be asked for its body, is packed, or names another method, is what it is', async () => {
    const send = (...headers: string[]) =>
      sendRaw(port, rawRequest({ method: 'POST', path: REGISTER, headers, body: '{}' }))
    expect((await send('Expect: 100-continue')).all).toMatch(/^HTTP\/1.1 100[\s\S]*HTTP\/1.1 401/)
    expect((await send('Expect: gold')).status).toBe(417)
    expect((await send('Content-Encoding: gzip')).status).toBe(401)
    expect((await send('X-HTTP-Method-Override: GET')).status).toBe(401)
    expect((await names.get('/ready')).status).toBe(200)
  })
})
