// The three places of the relay's name authority, over real sockets (specification: relay, 10; names, 12).
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { signEvent } from '../../src/nostr/event/index.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { serving } from '../support/local-server.js'
import { nameDaemon } from '../support/name-daemon.js'
import { keyPairOf } from '../support/nostr.js'
import { sendRaw } from '../support/raw-http.js'
import { relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(toml?: string) {
  const relay = await relayDaemon(toml)
  cleanups.push(relay.close)
  await relay.daemon.start()
  return relay
}

const NAMES = '[name_authority]\nenabled = true\ndomain = "names.example"\nbase_url = "https://names.example"\n'
const alice = keyPairOf('alice')

const NOTHING = [404, 'Nothing here.'] as const
const statusAndText = async (answer: Response) => [answer.status, await answer.text()] as const

describe('in-process', () => {
  test('a name is registered with a signed request and found in the document', async () => {
    const { get } = await started(NAMES)
    const body = Buffer.from(JSON.stringify({ name: 'alice', pubkey: alice.pubkey }))
    const url = 'https://names.example/api/v1/register'
    const now = systemClock.now()
    const authorization = httpAuthHeader({ url, method: 'POST', body, now, secret: alice.secret, random: systemRandom })
    const registered = await get('/api/v1/register', { method: 'POST', body, headers: { authorization } })
    expect(registered.status).toBe(201)
    const document = await (await get('/.well-known/nostr.json?name=alice')).json()
    expect(document.names).toEqual({ alice: alice.pubkey })
  })

  test('the root stays the relay’s, and the rest of it too', async () => {
    const { get } = await started(NAMES)
    expect(await (await get('/')).text()).toContain('This is a Nostr relay.')
    expect(await statusAndText(await get('/elsewhere'))).toEqual(NOTHING)
  })

  test('transfers never exist there', async () => {
    const { get } = await started(NAMES)
    const answer = await get('/api/v1/transfer/offer', { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
  })

  test('errors on its paths have the authority’s words and may be read by every page', async () => {
    const { get } = await started(NAMES)
    for (const path of ['/api/v1/profile/nobody', '/api/v1/no-such-route', '/api/v2']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
      expect(await answer.json()).toMatchObject({ error: 'not found' })
    }
  })

  test('what it has is kept beside the relay’s database', async () => {
    const { config } = await started(NAMES)
    expect(config.names?.dbPath).toBe(config.dbPath.replace('relay.db', 'names.db'))
  })
})

/** A till that makes one invoice, which is confirmed as soon as `pay` was called. */
async function oneInvoiceTill() {
  let status = 'open'
  const invoice = () => ({ invoice_id: 'i1', pay_url: 'https://till.example/pay/t', status, match_mode: 'derived' })
  const url = await serving((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(invoice()))
  })
  return { url, pay: () => (status = 'confirmed') }
}

const paid = (mode: string, url: string) =>
  `${NAMES}[pay]\npay_mode = "${mode}"\nurl = "${url}"\napi_token = "tttttttttttttttt"\npoll_interval_secs = 0\npaid_cache_secs = 0\n[info]\nrelay_url = "wss://names.example"\n`

let signatures = 0

/** The same request, signed anew each time: of one second it would be the same event. */
function signedPost(path: string, body: object) {
  const bytes = Buffer.from(JSON.stringify(body))
  const url = `https://names.example${path}`
  const signed = {
    url,
    method: 'POST',
    body: bytes,
    now: systemClock.now() + 1000 * signatures++,
    secret: alice.secret,
    random: systemRandom,
  }
  return { method: 'POST', body: bytes, headers: { authorization: httpAuthHeader(signed) } }
}

describe('in-process, for money', () => {
  test('a name is paid for through the relay’s own address', async () => {
    const till = await oneInvoiceTill()
    const { get } = await started(paid('name', till.url))
    const claim = () => get('/api/v1/register', signedPost('/api/v1/register', { name: 'alice', pubkey: alice.pubkey }))
    const unpaid = await claim()
    expect([unpaid.status, (await unpaid.json()).pay_url]).toEqual([402, 'https://till.example/pay/t'])
    till.pay()
    expect((await claim()).status).toBe(201)
  })

  test('who paid for writing may write, and the policy asks the authority of its own process', async () => {
    const till = await oneInvoiceTill()
    const { get, daemon } = await started(paid('write', till.url))
    const client = await relayClient(daemon.address().replace('http', 'ws'))
    cleanups.push(client.close)
    const [, challenge] = await client.next()
    const created_at = Math.floor(systemClock.now() / 1000)
    const tags = [
      ['relay', 'wss://names.example'],
      ['challenge', String(challenge)],
    ]
    const proof = signEvent({ kind: 22242, created_at, tags, content: '' }, alice.secret, systemRandom)
    client.send(['AUTH', proof])
    expect(await client.next()).toEqual(['OK', proof.id, true, ''])
    const event = signEvent({ kind: 0, created_at, tags: [], content: '{}' }, alice.secret, systemRandom)
    const publish = async () => {
      client.send(['EVENT', event])
      return client.next()
    }
    expect(await publish()).toEqual(['OK', event.id, false, 'blocked: payment required to publish on this relay'])
    const quote = await get('/api/v1/quote', signedPost('/api/v1/quote', { resource: 'write', pubkey: alice.pubkey }))
    expect(quote.status).toBe(402)
    till.pay()
    expect(
      (await get('/api/v1/quote', signedPost('/api/v1/quote', { resource: 'write', pubkey: alice.pubkey }))).status,
    ).toBe(200)
    expect(await publish()).toEqual(['OK', event.id, true, ''])
  })
})

/** A client that sends the profile of alice again and again, and answers the OK. */
async function publisher(address: string) {
  const client = await relayClient(address.replace('http', 'ws'))
  cleanups.push(client.close)
  const created_at = Math.floor(systemClock.now() / 1000)
  const event = signEvent({ kind: 0, created_at, tags: [], content: '{}' }, alice.secret, systemRandom)
  return async () => {
    client.send(['EVENT', event])
    for (;;) {
      const message = await client.next()
      if (message[0] === 'OK') return message
    }
  }
}

test('in-process, a name that was just claimed lets its holder publish at once', async () => {
  const { get, daemon } = await started(
    `${NAMES}[authorization]\nrequire_name = true\n[info]\nrelay_url = "wss://names.example"\n`,
  )
  const publish = await publisher(daemon.address())
  expect(await publish()).toMatchObject({ 2: false, 3: 'blocked: only holders of a name may publish on this relay' })
  const claim = signedPost('/api/v1/register', { name: 'alice', pubkey: alice.pubkey })
  expect((await get('/api/v1/register', claim)).status).toBe(201)
  expect(await publish()).toMatchObject({ 2: true })
})

test('a name that is claimed at an authority of another process counts within 6 s', { timeout: 30_000 }, async () => {
  const names = await nameDaemon()
  cleanups.push(names.close)
  await names.daemon.start()
  const { daemon } = await started(
    `[authority]\nmode = "upstream"\nupstream = "${names.daemon.address()}"\n[authorization]\nrequire_name = true\n[info]\nrelay_url = "wss://names.example"\n`,
  )
  const publish = await publisher(daemon.address())
  expect(await publish()).toMatchObject({ 2: false, 3: 'blocked: only holders of a name may publish on this relay' })
  const claim = signedPost('/api/v1/register', { name: 'alice', pubkey: alice.pubkey })
  expect((await fetch(`${names.daemon.address()}/api/v1/register`, claim)).status).toBe(201)
  await expect.poll(async () => (await publish())[2], { timeout: 6000, interval: 250 }).toBe(true)
})

test('in-process, a till that refuses the token is logged, and the relay serves on', async () => {
  const url = await serving((_request, response) => response.writeHead(401).end('{"error":"unauthorized"}'))
  const { get } = await started(paid('name', url))
  const answer = await get('/ready')
  expect(answer.status).toBe(200)
  expect((await answer.json()).checks).toContainEqual(
    expect.objectContaining({ name: 'payments', status: 'failed', reason: 'the till refuses the API token' }),
  )
})

interface Heard {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An authority that writes down what it is asked. */
async function authority(status = 200) {
  const heard: Heard[] = []
  const url = await serving((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url: asked, headers } = request
      heard.push({ method, url: asked, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-of-theirs': 'yes',
        connection: 'x-hop',
        'x-hop': '1',
      })
      response.end(method === 'HEAD' ? undefined : '{"by":"authority"}')
    })
  })
  return { url, heard }
}

const upstream = (url: string, more = '') => `[authority]\nmode = "upstream"\nupstream = "${url}"\n${more}`

describe('upstream', () => {
  test('passes on method, path, query, body and who asks, and answers what comes back', async () => {
    const { url, heard } = await authority(201)
    const { get } = await started(upstream(url))
    const answer = await get('/api/v1/register?x=%20y', {
      method: 'POST',
      body: '{"name":"alice"}',
      headers: { authorization: 'Nostr abc', 'x-forwarded-for': '6.6.6.6', cookie: 'a=b', 'content-type': 'odd' },
    })
    expect([answer.status, await answer.text()]).toEqual([201, '{"by":"authority"}'])
    expect([answer.headers.get('x-of-theirs'), answer.headers.get('x-hop')]).toEqual(['yes', null])
    const [{ headers, ...request } = { headers: {} }] = heard
    expect(request).toEqual({ method: 'POST', url: '/api/v1/register?x=%20y', body: '{"name":"alice"}' })
    expect(headers).toMatchObject({ authorization: 'Nostr abc', 'x-real-ip': '127.0.0.1', host: new URL(url).host })
    expect(headers).not.toHaveProperty('x-forwarded-for')
    expect(headers).not.toHaveProperty('cookie')
  })

  test('the address is the one that a trusted proxy tells, and of others their own', async () => {
    const { url, heard } = await authority()
    const believing = await started(upstream(url))
    await believing.get('/api/v1/x', { headers: { 'x-real-ip': '203.0.113.9' } })
    const not = await started(upstream(url, '[network]\ntrusted_proxies = "none"\n'))
    await not.get('/api/v1/x', { headers: { 'x-real-ip': '203.0.113.9' } })
    expect(heard.map(({ headers }) => headers['x-real-ip'])).toEqual(['203.0.113.9', '127.0.0.1'])
  })

  test('the document is passed on with its subpaths, and nothing that is the relay’s', async () => {
    const { url, heard } = await authority()
    const { get } = await started(upstream(url))
    await get('/.well-known/nostr.json?name=a')
    await get('/.well-known/nostr.json/x')
    await get('/.well-known/nostr.json', { method: 'OPTIONS' })
    await get('/')
    await get('/.well-known/other')
    expect(heard.map(({ method, url: asked }) => `${method} ${asked}`)).toEqual([
      'GET /.well-known/nostr.json?name=a',
      'GET /.well-known/nostr.json/x',
      'OPTIONS /.well-known/nostr.json',
    ])
  })

  test('a request in absolute form reaches no other server: its path alone is passed on', async () => {
    const { url, heard } = await authority()
    const { daemon } = await started(upstream(url))
    const bytes = 'GET http://elsewhere.example/api/v1/name/alice HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n'
    await sendRaw(Number(new URL(daemon.address()).port), bytes)
    expect(heard.map(({ method, url: asked }) => `${method} ${asked}`)).toEqual(['GET /api/v1/name/alice'])
  })

  test.each([
    '/api/../metrics',
    'http://elsewhere.example/api/../metrics',
    '/api/%2e%2E/metrics',
    '/api/v1/..%2f..%2fmetrics',
  ])('%s could mean another place to its server, and is not passed on', async (path) => {
    const { url, heard } = await authority()
    const { daemon } = await started(upstream(url))
    const bytes = `GET ${path} HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n`
    const answer = await sendRaw(Number(new URL(daemon.address()).port), bytes)
    expect([answer.status, heard]).toEqual([404, []])
  })

  test('an unreachable authority is answered as such, readable by every page', async () => {
    const { get } = await started(upstream('http://127.0.0.1:9'))
    const answer = await get('/api/v1/name/alice')
    expect([answer.status, await answer.text()]).toEqual([502, '{"error":"authority unavailable"}'])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('an authority that hangs up in the middle is as good as away', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{')
      setImmediate(() => response.destroy())
    })
    const { get } = await started(upstream(url))
    expect((await get('/api/v1/name/alice')).status).toBe(502)
  })

  test('its own errors are passed on as they are', async () => {
    const { url } = await authority(500)
    const { get } = await started(upstream(url))
    expect(await statusAndText(await get('/api/v1/name/alice'))).toEqual([500, '{"by":"authority"}'])
  })

  test('a body of more than 16 KiB is refused in the authority’s words', async () => {
    const { url, heard } = await authority()
    const { get } = await started(upstream(url))
    const answer = await get('/api/v1/register', { method: 'POST', body: 'x'.repeat(16_385) })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([413, '*'])
    expect(heard).toEqual([])
  })
})

describe('upstream on a host of its own (colocated off)', () => {
  const split = (url: string) => upstream(url, 'colocated = false\n')

  test('only the exact document is passed on, to read', async () => {
    const { url, heard } = await authority()
    const { get } = await started(split(url))
    expect((await get('/.well-known/nostr.json?name=a')).status).toBe(200)
    expect((await get('/.well-known/nostr.json', { method: 'HEAD' })).status).toBe(200)
    expect((await get('/.well-known/nostr.json', { method: 'OPTIONS' })).status).toBe(200)
    expect(heard).toHaveLength(3)
  })

  test.each([
    ['GET', '/api/v1/name/alice'],
    ['POST', '/api/v1/register'],
    ['GET', '/api/'],
    ['GET', '/.well-known/nostr.json/x'],
    ['GET', '/.well-known/nostr.json/'],
    ['GET', '//api/v1/name/alice'],
    ['GET', '/.well-known/../api/v1/name/alice'],
    ['GET', '/.well-known/nostr.json/../../api/v1/name/alice'],
    ['GET', '/.well-known/nostr.json%2f..%2f..%2fapi/v1/name/alice'],
    ['GET', '/%61pi/v1/name/alice'],
  ])('%s %s is not', async (method, path) => {
    const { url, heard } = await authority()
    const { daemon } = await started(split(url))
    const { port } = new URL(daemon.address())
    const bytes = `${method} ${path} HTTP/1.1\r\nHost: relay\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
    const answer = await sendRaw(Number(port), bytes)
    expect([answer.status, heard]).toEqual([404, []])
  })

  test('nothing but reading is passed on', async () => {
    const { url, heard } = await authority()
    const { get } = await started(split(url))
    const answer = await get('/.well-known/nostr.json', { method: 'POST', body: '{}' })
    expect([answer.status, heard]).toEqual([405, []])
  })

  test('a spelling of the path reaches nothing else, and the query is passed on whole', async () => {
    const { url, heard } = await authority()
    const { daemon } = await started(split(url))
    const bytes = 'GET /%2ewell-known/nostr.json?name=a?/../../api HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n'
    await sendRaw(Number(new URL(daemon.address()).port), bytes)
    expect(heard.map(({ url: asked }) => asked)).toEqual(['/.well-known/nostr.json?name=a?/../../api'])
  })
})

describe('off', () => {
  test.each(['/.well-known/nostr.json?name=alice', '/api/v1/name/alice', '/api/v1/health'])(
    '%s is not there',
    async (path) => {
      const { get } = await started()
      expect(await statusAndText(await get(path))).toEqual(NOTHING)
    },
  )
})
