// What the relay answers over HTTP: the document that programs read (NIP-11), the page for people, and nothing else.
import { describe, expect, test } from 'vitest'
import { loadRelayConfig, openEnvironment } from '../../../src/config/index.js'
import { createApp, createReadiness } from '../../../src/http/index.js'
import type { RelayHttpOptions, RelayInfo, RelaySettings } from '../../../src/relay/index.js'
import { DEFAULT_KINDS, RELAY_APP, relayHttp } from '../../../src/relay/index.js'
import { managementRoute } from '../../../src/relay/routes/management.js'
import { passesTheGate, USUAL_LIMITATION } from '../../support/relay-document.js'
import { countingRandom, stillClock } from '../../support/till-app.js'

const { relay: DEFAULTS } = loadRelayConfig({ environment: openEnvironment({ variables: {} }) })
const KINDS = new Set(DEFAULT_KINDS)
const DOCUMENT = { accept: 'application/nostr+json' }

async function relayApp(options: Partial<RelayHttpOptions> = {}) {
  const clock = stillClock()
  const app = createApp({ ...RELAY_APP, clock, random: countingRandom() })
  await app.register(relayHttp, {
    settings: DEFAULTS,
    info: () => DEFAULTS.info,
    restrictions: { auth: false, writes: false },
    kinds: () => KINDS,
    version: '1.2.3',
    readiness: createReadiness({ checks: async () => [], clock }),
    ...options,
  })
  return app
}

async function documentOf(options?: Partial<RelayHttpOptions>) {
  const answer = await (await relayApp(options)).inject({ url: '/', headers: DOCUMENT })
  return answer.json()
}

const withInfo = (info: Partial<RelayInfo>) => ({ info: () => ({ ...DEFAULTS.info, ...info }) })
const withSettings = (change: Partial<RelaySettings>) => ({ settings: { ...DEFAULTS, ...change } })

describe('the document', () => {
  test('of a relay with defaults says what it can, and passes the wallet’s gate', async () => {
    const document = await documentOf()
    expect(document).toEqual({
      name: 'Nostr relay',
      description: 'A relay for Nostr clients.',
      supported_nips: [1, 2, 9, 11, 40, 45, 59, 65, 70, 77],
      software: 'https://www.npmjs.com/package/grinpay',
      version: '1.2.3',
      limitation: USUAL_LIMITATION,
      negentropy: 1,
    })
    expect(passesTheGate(document)).toBe(true)
  })

  test.each([['application/nostr+json'], ['text/html, application/nostr+json;q=0.9'], ['Application/Nostr+JSON']])(
    'is given to those who accept %j, with the three headers and exactly its type',
    async (accept) => {
      const { headers } = await (await relayApp()).inject({ url: '/', headers: { accept } })
      expect(headers).toMatchObject({
        'content-type': 'application/nostr+json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-allow-methods': '*',
        vary: 'Accept',
      })
    },
  )

  test('lists everything when everything is on', async () => {
    const { supported_nips } = await documentOf(withSettings({ auth: { enabled: true, giftWrapsToRecipient: false } }))
    expect(supported_nips).toEqual([1, 2, 9, 11, 40, 42, 45, 59, 65, 70, 77])
  })

  test('lists management while an admin is configured, for the programs that look for it', async () => {
    let isManaged = true
    const app = await relayApp({ isManaged: () => isManaged })
    const nips = async () => (await app.inject({ url: '/', headers: DOCUMENT })).json().supported_nips
    expect(await nips()).toEqual([1, 2, 9, 11, 40, 45, 59, 65, 70, 77, 86])
    isManaged = false
    expect(await nips()).toEqual([1, 2, 9, 11, 40, 45, 59, 65, 70, 77])
  })

  test('does not list what is switched off or not taken', async () => {
    const off = withSettings({ countMax: 0, negentropy: { enabled: false, maxSyncEvents: 1 } })
    const document = await documentOf({ ...off, kinds: () => new Set([0]) })
    expect(document.supported_nips).toEqual([1, 11, 40, 70])
    expect((await documentOf({ ...off, kinds: () => new Set([4]) })).supported_nips).toEqual([1, 4, 11, 40, 70])
    expect(document).not.toHaveProperty('negentropy')
  })

  test('says nothing of a bound in the past where there is none, as wallets expect', async () => {
    const { limits } = DEFAULTS
    const document = await documentOf(withSettings({ limits: { ...limits, rejectPastSeconds: undefined } }))
    expect(document.limitation).not.toHaveProperty('created_at_lower_limit')
    expect(passesTheGate(document)).toBe(true)
  })

  test('tells what the operator set, and leaves out what is unset', async () => {
    const info = {
      name: 'A "name"',
      pubkey: 'a'.repeat(64),
      self: 'b'.repeat(64),
      contact: 'mailto:a@relay.example',
      icon: 'https://relay.example/i.png',
      banner: 'https://relay.example/b.png',
    }
    const document = await documentOf(withInfo({ ...info, privacyPolicy: 'https://p', termsOfService: 'https://t' }))
    expect(document).toMatchObject({ ...info, privacy_policy: 'https://p', terms_of_service: 'https://t' })
    expect(await documentOf()).not.toHaveProperty('pubkey')
  })

  test('tells restrictions only where they are, and never of payments', async () => {
    const document = await documentOf({ restrictions: { auth: true, writes: true } })
    expect(document.limitation).toMatchObject({ auth_required: true, restricted_writes: true })
    expect(passesTheGate(document)).toBe(false)
    expect(JSON.stringify(document).replace('/grinpay"', '')).not.toMatch(/pay|fee/i)
  })

  test('follows a name that is changed while the relay runs', async () => {
    let info: RelayInfo = { ...DEFAULTS.info, name: 'before' }
    const app = await relayApp({ info: () => info })
    const nameNow = async () => (await app.inject({ url: '/', headers: DOCUMENT })).json().name
    expect(await nameNow()).toBe('before')
    info = { ...info, name: 'after' }
    expect(await nameNow()).toBe('after')
    expect((await app.inject('/')).body).toContain('<h1>after</h1>')
  })
})

describe('the page', () => {
  test('is given to everybody else, without scripts, anything from elsewhere, or a word about payments', async () => {
    const { headers, body } = await (await relayApp()).inject({ url: '/', headers: { accept: 'text/html' } })
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('use it, add its address to a Nostr client')
    expect(body).not.toMatch(/<script|https?:\/\/|pay|fee|slatepack|grin/i)
  })

  test('shows its address and escapes what the operator wrote', async () => {
    const app = await relayApp(
      withInfo({ name: '<b>x</b>', description: '"<script>alert(1)</script>', relayUrls: ['wss://relay.example'] }),
    )
    const { body } = await app.inject('/')
    expect(body).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(body).toContain('<code>wss://relay.example</code>')
    expect(body).not.toContain('<script>')
  })

  test('may be the operator’s own, and so may the icon', async () => {
    const app = await relayApp({ pages: { landing: '<p>mine</p>', favicon: Buffer.from([0, 1]) } })
    const page = await app.inject('/')
    expect(page.body).toBe('<p>mine</p>')
    expect(page.headers['content-security-policy']).toContain("script-src 'none'")
    const icon = await app.inject('/favicon.ico')
    expect([icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
      'image/x-icon',
      'public, max-age=2419200',
    ])
    expect(icon.rawPayload).toEqual(Buffer.from([0, 1]))
  })
})

test('what browsers ask before the document is answered with the same three headers, and lets signed requests through', async () => {
  const { statusCode, headers } = await (await relayApp()).inject({ method: 'OPTIONS', url: '/' })
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*, Authorization',
    'access-control-allow-methods': '*',
  })
})

test.each(['/favicon.ico', '/api/v1/name/alice', '/.well-known/nostr.json', '/metrics', '/terms', '/relay', '/..%2f'])(
  '%s is not there',
  async (url) => {
    const answer = await (await relayApp()).inject(url)
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      404,
      'Nothing here.',
      'text/plain; charset=utf-8',
    ])
  },
)

test('other methods at the root get the list of allowed ones', async () => {
  const answer = await (await relayApp()).inject({ method: 'DELETE', url: '/' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('health and readiness answer like those of the other daemons', async () => {
  const app = await relayApp()
  expect((await app.inject('/health')).json()).toEqual({ status: 'ok', version: '1.2.3' })
  expect((await app.inject('/ready')).json()).toEqual({ ready: true, checks: [] })
})

test('a client sees how the relay sees it, and which run of which relay this is', async () => {
  const app = await relayApp({ process: 'f00d' })
  const answer = await app.inject({ url: '/health/client', remoteAddress: '203.0.113.7' })
  expect(answer.json()).toEqual({ address: '203.0.113.7', process: 'f00d' })
})

test('pages in browsers may read every answer to a management request, refusals too', async () => {
  const app = await relayApp()
  await app.register(managementRoute, { management: async () => ({ status: 200, body: { result: [] } }) })
  const ask = (type: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload: '{}' })
  const answers = [await ask('application/json'), await ask('application/nostr+json+rpc')]
  for (let n = 0; n < 60; n++) answers.push(await ask('application/nostr+json+rpc'))
  expect([...new Set(answers.map(({ statusCode }) => statusCode))]).toEqual([415, 200, 429])
  for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*')
})
