// `serve relay` behind nginx and Caddy with what "grinpay config proxy" prints, in every placement of its name authority
// (specification: relay, 10; names, 12).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { authorizationOf, REGISTER } from '../support/name-clients.js'
import { nameDaemon } from '../support/name-daemon.js'
import { keyPairOf } from '../support/nostr.js'
import { findProxy, type ProxyName, type RunningProxy, startProxy, startRelayProxy } from '../support/proxies.js'
import { standIn, visitorOf } from '../support/proxy-people.js'
import type { RelayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'

const HOST = 'names.acme.example'
const RELAY_HOST = 'relay.acme.example'
const DOCUMENT = '/.well-known/nostr.json'
const NOTHING = { status: 404, body: 'Nothing here.' }
const NO_SUCH = { status: 404, body: expect.stringContaining('"error":"not found"') }
const LIES = { 'X-Real-IP': '203.0.113.1', 'X-Forwarded-For': '203.0.113.2', Forwarded: 'for=203.0.113.3' }
const TWO_EACH = '[limits]\nmax_connections_per_address = 2\n'
const alice = keyPairOf('alice')

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const infoOf = (host: string) => `[info]\nrelay_url = "wss://${host}"\n`
const portOf = ({ daemon }: { readonly daemon: { address(): string } }) => Number(new URL(daemon.address()).port)

async function startedRelay(toml: string) {
  const relay = await relayDaemon(toml)
  await relay.daemon.start()
  return relay
}

/** The authority as a process beside the relay, the paths divided by the proxy. */
async function beside(name: ProxyName, relayHost?: string) {
  const relay = await startedRelay(`${infoOf(relayHost ?? HOST)}${TWO_EACH}`)
  const names = await nameDaemon({ NAMEAUTH_DOMAIN: HOST })
  await names.daemon.start()
  const proxy = await startProxy(name, {
    domain: HOST,
    baseUrl: `https://${HOST}`,
    bind: { host: '127.0.0.1', port: portOf(names) },
    trustedProxies: ['127.0.0.0/8'],
    placement: relayHost === undefined ? 'colocated' : 'split',
    relayUpstream: `127.0.0.1:${portOf(relay)}`,
    relayHost,
  })
  return placed(proxy, relay, () => names.close())
}

/** The relay answers for its whole host. */
async function alone(name: ProxyName, toml: string, relayUrl = `wss://${RELAY_HOST}`) {
  const relay = await startedRelay(`[info]\nrelay_url = "${relayUrl}"\n${toml}`)
  const { trustedProxies, addressHeader } = relay.config
  const bind = { host: '127.0.0.1', port: portOf(relay) }
  const wishes = { relayUrls: [relayUrl], bind, trustedProxies, addressHeader }
  return placed(await startRelayProxy(name, wishes), relay, async () => {})
}

const placed = (proxy: RunningProxy, relay: Awaited<ReturnType<typeof startedRelay>>, more: () => Promise<void>) => ({
  relay,
  visitor: (host: string) => visitorOf(proxy.port, host),
  async close() {
    await proxy.stop()
    await more()
    await relay.close()
  },
})
type Place = Awaited<ReturnType<typeof beside>>

const claim = () => {
  const body = JSON.stringify({ name: 'alice', pubkey: alice.pubkey })
  return { body, headers: { authorization: authorizationOf(alice, 'POST', REGISTER, { body }) } }
}

function noteOf() {
  const created_at = Math.floor(systemClock.now() / 1000)
  return signEvent({ kind: 0, created_at, tags: [], content: '{}' }, alice.secret, systemRandom)
}

async function published(client: RelayClient): Promise<readonly unknown[]> {
  const event = noteOf()
  client.send(['EVENT', event])
  expect(await client.next()).toEqual(['OK', event.id, true, ''])
  client.send(['REQ', 'a', { ids: [event.id] }])
  return client.until('EOSE')
}

/** What every placement has in common. */
function everyRelay(at: () => Place, host: string): void {
  test('the document of the relay is read through it, and its page', async () => {
    const { get } = at().visitor(host)
    const document = await get('/', { accept: 'application/nostr+json' })
    expect(document).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*', vary: 'Accept', 'content-type': 'application/nostr+json' },
    })
    expect(JSON.parse(document.body).limitation).toMatchObject({ max_message_length: expect.any(Number) })
    expect((await get('/')).body).toContain('This is a Nostr relay.')
  })

  test.each(['/api', '/apiary', '/.well-known/nostr.jsonx', '/.well-known/other', '/elsewhere'])(
    '%s is nothing',
    async (path) => expect(await at().visitor(host).get(path)).toMatchObject(NOTHING),
  )

  test('events are published and read over a websocket', async () => {
    const client = await at().visitor(host).dial()
    cleanups.push(client.close)
    expect(await published(client)).toMatchObject([
      ['EVENT', 'a', {}],
      ['EOSE', 'a'],
    ])
  })

  test('another path is no relay', async () => {
    const asked = { headers: { upgrade: 'websocket', connection: 'upgrade' } }
    expect(await at().visitor(host).ask('GET', '/ws', asked)).toMatchObject({ status: 404 })
  })

  test('clients are counted by the address that the proxy saw, whatever they say', async () => {
    const { dial } = at().visitor(host)
    const from = '127.0.0.44'
    for (const turn of [1, 2]) cleanups.push((await dial({ ...LIES, 'X-Real-IP': `203.0.113.${turn}` }, from)).close)
    await expect(dial({ ...LIES, 'X-Real-IP': '203.0.113.9' }, from)).rejects.toThrow(/429|503/)
    cleanups.push((await dial(LIES, '127.0.0.45')).close)
  })
}

for (const name of ['nginx', 'caddy'] as const) {
  const missing = findProxy(name) ? '' : ' (skipped: not installed)'
  describe.skipIf(missing !== '')(`behind ${name}${missing}`, () => behind(name))
}

function opened(open: () => Promise<Place>): () => Place {
  let at: Place
  beforeAll(async () => {
    at = await open()
  })
  afterAll(() => at?.close())
  return () => at
}

function behind(name: ProxyName): void {
  describe('on one host with an authority beside it', () => {
    const at = opened(() => beside(name))
    everyRelay(at, HOST)

    test('a name is claimed and found', async () => {
      const { ask, get } = at().visitor(HOST)
      expect(await ask('POST', REGISTER, claim())).toMatchObject({ status: 201 })
      expect(JSON.parse((await get(`${DOCUMENT}?name=alice`)).body).names).toEqual({ alice: alice.pubkey })
    })

    test.each([`${DOCUMENT}/x`, '/api/', '/api/v1/nothing'])('%s is the authority to answer', async (path) =>
      expect(await at().visitor(HOST).get(path)).toMatchObject(NO_SUCH),
    )

    test('a relay that stops says goodbye through the proxy', async () => {
      const client = await at().visitor(HOST).dial()
      await at().relay.daemon.stop()
      expect(await client.ended).toBe(1001)
    })
  })

  describe('on a host of its own beside that of the authority', () => {
    const at = opened(() => beside(name, RELAY_HOST))
    everyRelay(at, RELAY_HOST)

    test('of the names only the document is read there', async () => {
      expect(await at().visitor(HOST).ask('POST', REGISTER, claim())).toMatchObject({ status: 201 })
      const { ask, get } = at().visitor(RELAY_HOST)
      expect(JSON.parse((await get(`${DOCUMENT}?name=alice`)).body).names).toEqual({ alice: alice.pubkey })
      expect(await ask('HEAD', DOCUMENT)).toMatchObject({ status: 200, body: '' })
      expect(await ask('POST', DOCUMENT, { body: '{}' })).toMatchObject({ status: 405 })
      for (const path of [REGISTER, '/api/', '/api/v1/health']) expect(await get(path)).toMatchObject(NO_SUCH)
      expect(await get(`${DOCUMENT}/x`)).toMatchObject(NOTHING)
    })

    test('a websocket of the authority is none', async () => {
      await expect(at().visitor(HOST).dial()).rejects.toThrow(/Unexpected server response/)
    })
  })

  describe('with the authority in its process', () => {
    const names = `[name_authority]\nenabled = true\ndomain = "${HOST}"\nbase_url = "https://${HOST}"\n`
    const at = opened(() => alone(name, `${names}${TWO_EACH}`, `wss://${HOST}`))
    everyRelay(at, HOST)

    test('names are claimed and found on the same port, and never sold on', async () => {
      const { ask, get } = at().visitor(HOST)
      expect(await ask('POST', REGISTER, claim())).toMatchObject({ status: 201 })
      expect(JSON.parse((await get(`${DOCUMENT}?name=alice`)).body).names).toEqual({ alice: alice.pubkey })
      for (const path of ['/api/', '/api/v1/nothing', '/api/v1/transfer/offer'])
        expect(await ask('POST', path, { body: '{}' })).toMatchObject({ status: 404 })
    })
  })

  describe('passing on to the authority itself', () => {
    const open = async (colocated: boolean) => {
      const authority = await standIn('the authority')
      const toml = `[authority]\nmode = "upstream"\nupstream = "http://127.0.0.1:${authority.port}"\ncolocated = ${colocated}\n`
      const place = await alone(name, `${toml}${TWO_EACH}`)
      cleanups.push(authority.close, place.close)
      return { ...place.visitor(RELAY_HOST), authority }
    }

    test('everything of the names is passed on, with the address that the proxy saw', async () => {
      const { ask, authority } = await open(true)
      const paths = [`${DOCUMENT}?name=a`, `${DOCUMENT}/x`, '/api/v1/name/a']
      for (const path of paths)
        expect(await ask('GET', path, { headers: LIES, from: '127.0.0.9' })).toMatchObject({ body: 'the authority' })
      expect(authority.seen.map(({ path }) => path)).toEqual(paths)
      for (const { headers } of authority.seen) {
        expect(headers['x-real-ip']).toBe('127.0.0.9')
        expect(JSON.stringify(headers)).not.toContain('203.0.113')
      }
    })

    test('on split hosts it is the document alone', async () => {
      const { ask, get, authority } = await open(false)
      expect(await get(`${DOCUMENT}?name=a`)).toMatchObject({ body: 'the authority' })
      expect(await get(`${DOCUMENT}/x`)).toMatchObject(NOTHING)
      for (const method of ['GET', 'POST', 'DELETE'])
        for (const path of [
          REGISTER,
          '/api/../api/v1/register',
          '/%61pi/v1/register',
          '/.well-known/nostr.json/../../api/v1/x',
        ])
          expect((await ask(method, path)).status).toBeGreaterThanOrEqual(400)
      expect(authority.seen.map(({ path }) => path)).toEqual([`${DOCUMENT}?name=a`])
    })
  })

  describe('without any authority', () => {
    const at = opened(() => alone(name, TWO_EACH))
    everyRelay(at, RELAY_HOST)

    test.each([DOCUMENT, REGISTER, '/api/v1/health'])('%s is nothing', async (path) =>
      expect(await at().visitor(RELAY_HOST).get(path)).toMatchObject(NOTHING),
    )
  })
}
