// What "grinpay config proxy" prints, in real proxies: what of a host reaches the authority, what reaches the relay, and who is believed.
import { request as plainRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProxyOptions } from '../../src/wizard/proxy/index.js'
import { authorizationOf, BASE, DOMAIN, REGISTER } from '../support/name-clients.js'
import { nameDaemon } from '../support/name-daemon.js'
import { keyPairOf } from '../support/nostr.js'
import { findProxy, type ProxyName, type RunningProxy, startProxy } from '../support/proxies.js'
import { type StandIn, standIn, visitorOf } from '../support/proxy-people.js'

/** Long enough to be worth compressing. */
const PAGE = 'the relay, '.repeat(60)
const RELAY_HOST = 'relay.acme.example'
const alice = keyPairOf('alice')
/** Of the authority: room for a test, and quickly used up by one that tries. */
const READS = 40
const SETTINGS = { NAMEAUTH_DOMAIN: DOMAIN, NAMEAUTH_READ_RATE_MAX: String(READS), NAMEAUTH_WRITE_RATE_MAX: '40' }
const LIARS = ['203.0.113.1', '203.0.113.2', '203.0.113.3']

const wishesOf = (authorityPort: number, relayPort: number, relayHost?: string): ProxyOptions => ({
  domain: DOMAIN,
  baseUrl: BASE,
  bind: { host: '127.0.0.1', port: authorityPort },
  trustedProxies: ['127.0.0.0/8', '::1'],
  placement: relayHost === undefined ? 'colocated' : 'split',
  relayUpstream: `127.0.0.1:${relayPort}`,
  relayHost,
})

/** A relay and an authority, real by default, with a proxy before them. */
async function place(name: ProxyName, relayHost?: string) {
  const relay = await standIn(PAGE)
  const names = await nameDaemon(SETTINGS)
  await names.daemon.start()
  const port = Number(new URL(names.daemon.address()).port)
  const proxy = await startProxy(name, wishesOf(port, relay.port, relayHost))
  return {
    relay,
    names,
    proxy,
    authorityPort: port,
    visitor: (host = DOMAIN) => visitorOf(proxy.port, host),
    async close() {
      await proxy.stop()
      await names.close()
      await relay.close()
    },
  }
}
type Place = Awaited<ReturnType<typeof place>>

const claim = (name: string) => {
  const body = JSON.stringify({ name, pubkey: alice.pubkey })
  return { body, headers: { authorization: authorizationOf(alice, 'POST', REGISTER, { body }) } }
}

const PROXIES = (['nginx', 'caddy'] as const).map((name) => ({
  name,
  missing: findProxy(name) ? '' : ' (skipped: not installed)',
}))

for (const { name, missing } of PROXIES) {
  describe.skipIf(missing !== '')(`behind ${name}${missing}`, () => behind(name))
}

function behind(name: ProxyName): void {
  describe('on one host with the relay', () => {
    let at: Place
    beforeAll(async () => {
      at = await place(name)
    })
    afterAll(() => at.close())

    test('a name is claimed, found and released with requests that are signed for the public address', async () => {
      const { ask, get } = at.visitor()
      expect(await ask('POST', REGISTER, claim('alice'))).toMatchObject({ status: 201 })
      const found = await get('/.well-known/nostr.json?name=alice')
      expect(found).toMatchObject({
        status: 200,
        headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
      })
      expect(found.headers['content-type']).toContain('application/json')
      expect(JSON.parse(found.body).names).toEqual({ alice: alice.pubkey })
      // The path travels as it was written; the authority reads it.
      const authorization = authorizationOf(alice, 'DELETE', `${REGISTER}/alice`)
      const released = await ask('DELETE', `${REGISTER}/%61lice`, { headers: { authorization } })
      expect(released).toMatchObject({ status: 200, body: expect.stringContaining('"released":true') })
    })

    test('HEAD and the question of a browser come through', async () => {
      const { ask } = at.visitor()
      expect(await ask('HEAD', '/.well-known/nostr.json?name=alice')).toMatchObject({ status: 200, body: '' })
      expect(await ask('OPTIONS', REGISTER)).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS', 'access-control-max-age': '86400' },
      })
    })

    test.each(['/.well-known/nostr.json/x', '/api/', '/api/v1/nothing'])(
      '%s is the authority to answer',
      async (path) => {
        const { status, body } = await at.visitor().get(path)
        expect({ status, error: JSON.parse(body).error }).toEqual({ status: 404, error: 'not found' })
      },
    )

    test.each(['/', '/api', '/apiary', '/.well-known/nostr.jsonx', '/.well-known/other', '/health'])(
      '%s goes to the relay',
      async (path) => {
        expect(await at.visitor().get(path)).toMatchObject({ status: 200, body: PAGE })
        expect(at.relay.seen.at(-1)).toMatchObject({ path, headers: { host: DOMAIN } })
      },
    )

    test('a websocket reaches the relay, and with it the address of the visitor alone', async () => {
      const lies = { 'X-Real-IP': LIARS[0] ?? '', 'X-Forwarded-For': LIARS[1] ?? '', Forwarded: `for=${LIARS[2]}` }
      const { back, extensions } = await at.visitor().echo('["REQ","a",{}]', lies)
      expect({ back, extensions }).toEqual({ back: '["REQ","a",{}]', extensions: 'permessage-deflate' })
      const headers = at.relay.seen.at(-1)?.headers ?? {}
      expect(headers).toMatchObject({ upgrade: 'websocket', 'x-real-ip': '127.0.0.1' })
      expect(JSON.stringify(headers)).not.toContain('203.0.113')
    })

    test('answers of the authority are compressed for who asks for it, those of the relay never', async () => {
      const zip = { 'accept-encoding': 'gzip' }
      const { get } = at.visitor()
      const document = await get('/api/v1/openapi.json', zip)
      expect(document.headers['content-encoding']).toBe('gzip')
      expect(JSON.parse(document.body).openapi).toMatch(/^3\.1/)
      expect((await get('/api/v1/openapi.json')).headers['content-encoding']).toBeUndefined()
      expect((await get('/', zip)).headers['content-encoding']).toBeUndefined()
    })

    test('16 KiB come through, one byte more is refused in the words of the authority', async () => {
      const { ask } = at.visitor()
      expect(await ask('POST', REGISTER, { body: 'x'.repeat(16_384) })).toMatchObject({ status: 401 })
      const refused = await ask('POST', REGISTER, { body: 'x'.repeat(16_385) })
      expect(refused).toMatchObject({ status: 413, headers: { 'access-control-allow-origin': '*' } })
      expect(JSON.parse(refused.body).error).toBe('body too large')
    })

    test('plain http shows people the way, and redirects no document', async () => {
      expect(await plain(at.proxy, '/')).toEqual({ status: 301, location: `https://${DOMAIN}/` })
      expect(await plain(at.proxy, '/.well-known/nostr.json?name=alice')).toEqual({ status: 404 })
      expect(await plain(at.proxy, REGISTER)).toEqual({ status: 404 })
    })

    // The last two use up what a visitor may ask.
    test('a client that invents addresses is counted by its connection; a neighbour is not', async () => {
      const { ask } = at.visitor()
      const from = '127.0.0.2'
      const lie = (turn: number) => {
        const address = `203.0.113.${turn}`
        const headers = { 'X-Real-IP': address, 'X-Forwarded-For': address, Forwarded: `for=${address}` }
        return ask('GET', '/api/v1/name/alice', { from, headers })
      }
      const answers = await Promise.all(Array.from({ length: READS + 5 }, (_, turn) => lie(turn)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(READS)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
      expect(await ask('GET', '/api/v1/name/alice', { from: '127.0.0.3' })).toMatchObject({ status: 200 })
    })

    test('while the authority is away the answer is an error that says so, and the relay goes on', async () => {
      await at.names.daemon.stop()
      const away = await at.visitor().get('/.well-known/nostr.json?name=alice')
      expect(away).toMatchObject({
        status: 502,
        body: '{"error":"authority unavailable"}',
        headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json' },
      })
      expect(await at.visitor().get('/')).toMatchObject({ body: PAGE })
    })
  })

  describe('on two hosts', () => {
    let at: Place
    beforeAll(async () => {
      at = await place(name, RELAY_HOST)
      await at.visitor().ask('POST', REGISTER, claim('alice'))
    })
    afterAll(() => at.close())

    test('everything of its own host is the authority', async () => {
      const { get } = at.visitor()
      expect((await get('/')).body).toContain(`@${DOMAIN}`)
      expect(await get('/api/v1/profile/alice')).toMatchObject({ status: 200 })
    })

    test('on the host of the relay the document can be read', async () => {
      const { ask, get } = at.visitor(RELAY_HOST)
      const found = await get('/.well-known/nostr.json?name=alice')
      expect(found).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } })
      expect(JSON.parse(found.body).names).toEqual({ alice: alice.pubkey })
      expect(await ask('HEAD', '/.well-known/nostr.json?name=alice')).toMatchObject({ status: 200, body: '' })
      expect(await ask('POST', '/.well-known/nostr.json', { body: '{}' })).toMatchObject({ status: 405 })
    })

    test('everything else there is the relay', async () => {
      const { get, echo } = at.visitor(RELAY_HOST)
      expect(await get('/.well-known/nostr.json/x')).toMatchObject({ body: PAGE })
      expect(await get('/')).toMatchObject({ body: PAGE })
      expect((await echo('["CLOSE","a"]')).back).toBe('["CLOSE","a"]')
      expect(at.relay.seen.at(-1)).toMatchObject({ headers: { host: RELAY_HOST, 'x-real-ip': '127.0.0.1' } })
    })

    test('a name cannot be claimed there', async () => {
      const { ask } = at.visitor(RELAY_HOST)
      expect(await ask('POST', REGISTER, claim('bob'))).toMatchObject({ status: 404, body: '{"error":"not found"}' })
      expect(await ask('GET', '/api/v1/health')).toMatchObject({ status: 404 })
    })
  })

  describe('before a server that records', () => {
    let authority: StandIn
    let relay: StandIn
    let proxy: RunningProxy
    beforeAll(async () => {
      authority = await standIn('the authority')
      relay = await standIn(PAGE)
      proxy = await startProxy(name, wishesOf(authority.port, relay.port, RELAY_HOST))
    })
    afterAll(async () => {
      await proxy.stop()
      await authority.close()
      await relay.close()
    })

    test.each([
      '/api/v1/register',
      '/api/../api/v1/register',
      '//api/v1/register',
      '/%61pi/v1/register',
      '/x/../api/v1/register',
      '/.well-known/../api/v1/register',
      '/.well-known/nostr.json/../../api/v1/register',
      '/.well-known/nostr.json%2f..%2f..%2fapi/v1/register',
      '/.well-known/nostr.json;/../../api/v1/register',
      '/.well-known/nostr.json%00/api/v1/register',
    ])('%s of the host of the relay does not reach it', async (path) => {
      const before = authority.seen.length
      for (const method of ['GET', 'POST', 'DELETE']) await visitorOf(proxy.port, RELAY_HOST).ask(method, path)
      expect(authority.seen.slice(before)).toEqual([])
    })

    test.each(['/.well-known/nostr%2ejson?name=a', '/api/../.well-known/nostr.json?name=a'])(
      '%s is the document or nothing',
      async (path) => {
        const before = authority.seen.length
        await visitorOf(proxy.port, RELAY_HOST).get(path)
        const paths = authority.seen.slice(before).map(({ path }) => decodeURI(path))
        expect(paths.filter((path) => path !== '/.well-known/nostr.json?name=a')).toEqual([])
      },
    )

    test('it gets one address, the one that connected, and no upgrade', async () => {
      const headers = {
        'X-Real-IP': '203.0.113.9',
        'X-Forwarded-For': '203.0.113.9',
        Forwarded: 'for=203.0.113.9',
        Connection: 'X-Real-IP',
      }
      for (const host of [DOMAIN, RELAY_HOST]) {
        const { ask } = visitorOf(proxy.port, host)
        await ask('GET', '/.well-known/nostr.json', { headers, from: '127.0.0.9' })
        const seen = authority.seen.at(-1)?.headers ?? {}
        expect(seen['x-real-ip']).toBe('127.0.0.9')
        expect(JSON.stringify(seen)).not.toContain('203.0.113')
        for (const dropped of ['x-forwarded-for', 'forwarded', 'upgrade']) expect(seen).not.toHaveProperty(dropped)
      }
    })

    test('it gets no body of more than 16 KiB, and of the host of the relay none at all', async () => {
      const large = await visitorOf(proxy.port, DOMAIN).ask('POST', REGISTER, { body: 'x'.repeat(16_385) })
      expect(large).toMatchObject({ status: 413, body: '{"error":"body too large"}' })
      const before = authority.seen.length
      const { ask } = visitorOf(proxy.port, RELAY_HOST)
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
        expect(await ask(method, '/.well-known/nostr.json', { body: '{}' })).toMatchObject({ status: 405 })
      expect(authority.seen.slice(before)).toEqual([])
    })

    test('one after the other, requests share a connection to it', async () => {
      const { get } = visitorOf(proxy.port, DOMAIN)
      await get('/')
      const before = authority.connections()
      for (let turn = 0; turn < 10; turn++) await get('/')
      expect(authority.connections()).toBe(before)
    })
  })
}

describe('the authority itself', () => {
  test('waits longer for the next request on a connection than either proxy does', async () => {
    const names = await nameDaemon(SETTINGS)
    await names.daemon.start()
    const { headers } = await names.get('/api/v1/health')
    const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(60)
    await names.close()
  })

  test('believes every client on this machine: only the proxy may', async () => {
    const names = await nameDaemon({ ...SETTINGS, NAMEAUTH_READ_RATE_MAX: '1' })
    await names.daemon.start()
    const asked = `${names.daemon.address()}/api/v1/name/alice`
    const from = (address: string) => fetch(asked, { headers: { 'X-Real-IP': address } }).then(({ status }) => status)
    expect([await from('203.0.113.1'), await from('203.0.113.1')]).toEqual([200, 429])
    expect(await from('203.0.113.2')).toBe(200)
    await names.close()
  })
})

/** Without TLS: the status, and where it leads. */
const plain = ({ plainPort }: RunningProxy, path: string) =>
  new Promise<{ status: number; location?: string }>((resolve, reject) => {
    const at = { host: '127.0.0.1', port: plainPort, path, headers: { host: DOMAIN }, agent: false }
    const sent = plainRequest(at, ({ statusCode = 0, headers: { location } }) => {
      resolve({ status: statusCode, ...(location !== undefined && { location }) })
      sent.destroy()
    })
    sent.on('error', reject)
    sent.end()
  })
