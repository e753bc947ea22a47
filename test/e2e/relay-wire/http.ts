// What the relay answers over HTTP: its document (NIP-11), its page, and nothing else (specification: relay, 1 to 3).
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { rawRequest, sendRaw } from '../../support/raw-http.js'
import { passesTheGate, USUAL_LIMITATION } from '../../support/relay-document.js'
import { INFO, relays } from './relays.js'

const DOCUMENT = 'application/nostr+json'
const get = (path = '/', headers: readonly string[] = [], method = 'GET') =>
  sendRaw(relays.usual.port, rawRequest({ path, headers, method }))
const documentOf = async (port: number) =>
  JSON.parse((await sendRaw(port, rawRequest({ headers: [`Accept: ${DOCUMENT}`] }))).body)
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
}

export function describeHttp(): void {
  describe('the document (NIP-11)', () => {
    test('says what was set, what is on, and which limits there are', async () => {
      const { relay_icon: icon, ...info } = INFO
      const { version, ...document } = await documentOf(relays.usual.port)
      expect(version).toMatch(/^\d+\.\d+\.\d+/)
      expect(document).toEqual({
        ...info,
        icon,
        supported_nips: [1, 2, 9, 11, 40, 45, 59, 65, 70, 77],
        software: 'https://www.npmjs.com/package/grinpay',
        negentropy: 1,
        limitation: USUAL_LIMITATION,
      })
    })

    test('of a relay on which nothing is set has a neutral name', async () => {
      const { name, description, pubkey, icon } = await documentOf(relays.open.port)
      expect([name, description, pubkey, icon]).toEqual([
        'Nostr relay',
        'A relay for Nostr clients.',
        undefined,
        undefined,
      ])
    })

    test('never speaks of payments, nor of an id', async () => {
      for (const { port } of Object.values(relays)) {
        const document = await documentOf(port)
        for (const name of ['id', 'fees', 'payments_url', 'payment_required']) expect(document).not.toHaveProperty(name)
        expect(document.limitation).not.toHaveProperty('payment_required')
      }
    })

    test('passes the check of the wallet, unless publishing needs a key', async () => {
      const gates = await Promise.all(
        [relays.usual, relays.open, relays.gated, relays.asking, relays.strict].map(async ({ port }) =>
          passesTheGate(await documentOf(port)),
        ),
      )
      expect(gates).toEqual([true, true, true, true, false])
    })

    test('tells small limits, and that everybody must say who they are', async () => {
      expect((await documentOf(relays.strict.port)).limitation).toEqual({
        max_message_length: 4096,
        max_subscriptions: 2,
        max_limit: 3,
        max_subid_length: 64,
        max_event_tags: 3,
        max_content_length: 20,
        created_at_lower_limit: 94_608_000,
        created_at_upper_limit: 900,
        default_limit: 2,
        auth_required: true,
        restricted_writes: true,
      })
    })

    test.each([
      ['42 where clients are asked', () => relays.gated, [1, 2, 4, 9, 11, 40, 42, 45, 59, 65, 70, 77]],
      ['neither 45 nor 77 where they are off', () => relays.asking, [1, 2, 4, 9, 11, 40, 59, 65, 70]],
    ])('names NIP %s', async (_what, relay, nips) => {
      expect((await documentOf(relay().port)).supported_nips).toEqual(expect.arrayContaining([...nips]))
      const found: number[] = (await documentOf(relay().port)).supported_nips
      expect(found.filter((nip) => ![86, 98].includes(nip))).toEqual(nips)
      expect(found).toEqual([...found].sort((a, b) => a - b))
    })

    test.each([
      [DOCUMENT],
      [`text/html, ${DOCUMENT};q=0.9`],
      ['Application/Nostr+JSON'],
      [`${DOCUMENT}; charset=utf-8`],
    ])('is given for Accept: %s, with the three headers and its own type', async (accept) => {
      const { status, headers } = await get('/', [`Accept: ${accept}`])
      expect(status).toBe(200)
      expect(headers).toMatchObject({ ...OPEN, 'content-type': DOCUMENT, vary: 'Accept' })
    })

    test('may be asked for with HEAD', async () => {
      const { status, headers, body } = await get('/', [`Accept: ${DOCUMENT}`], 'HEAD')
      expect([status, body]).toEqual([200, ''])
      expect(headers).toMatchObject({ ...OPEN, 'content-type': DOCUMENT })
    })

    test('may be asked for by pages of other hosts, which ask before', async () => {
      const headers = [
        'Origin: https://client.example',
        'Access-Control-Request-Method: GET',
        'Access-Control-Request-Headers: accept',
      ]
      const answer = await get('/', headers, 'OPTIONS')
      expect([answer.status, answer.body]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': '*' })
      expect(answer.headers['access-control-allow-headers']).toContain('*')
    })
  })

  describe('the page', () => {
    test.each([
      ['a browser', ['Accept: text/html,application/xhtml+xml']],
      ['any Accept', ['Accept: */*']],
      ['no Accept', []],
      ['an Accept of other JSON', ['Accept: application/json']],
    ])('is given to %s', async (_what, headers) => {
      const answer = await get('/', headers)
      expect([answer.status, answer.headers['content-type'], answer.headers.vary]).toEqual([
        200,
        'text/html; charset=utf-8',
        'Accept',
      ])
    })

    test('names the relay with its signs escaped, and says what it is', async () => {
      const { body } = await get()
      expect(body).toContain('Relay &lt;b&gt;of&lt;/b&gt; &quot;Ours&quot;')
      expect(body).toContain('A place &amp; a line.')
      expect(body).toContain('Nostr client')
      expect(body).not.toContain('<b>of')
    })

    test('says nothing of payments, and has no script and nothing from elsewhere', async () => {
      const { body, headers } = await get()
      expect(body).not.toMatch(/\b(pay|payment|payments|fee|fees|slatepack|grin|price|invoice)\b/i)
      expect(body).not.toMatch(/<script|javascript:|\son\w+=/i)
      expect(body).not.toMatch(/(src|href)="(https?:)?\/\//i)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    })

    test('shows its logo', async () => {
      const { body } = await get()
      const [, path = ''] = /<img src="([^"]+)"/.exec(body) ?? []
      const logo = await get(path)
      expect(logo.status).toBe(200)
      expect(logo.headers['content-type']).toMatch(/^image\/svg\+xml/)
    })
  })

  describe('what is not there', () => {
    test.each([
      '/nothing',
      '/index.html',
      '/metrics',
      '/favicon.ico',
      '/.well-known/nostr.json',
      '/.well-known/nostr.json?name=_',
      '/api/v1/health',
      '/api/v1/register',
      '/terms',
      '/join',
      '/invoice',
      '/account',
      '/lnbits',
      '/goblinpay',
      '/.env',
      '/static/../package.json',
      '//',
      '/%2e%2e/',
    ])('GET %s is 404', async (path) => {
      const { status, body } = await get(path)
      expect(status).toBe(404)
      expect(body).toBe('Nothing here.')
    })

    test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s / is not done', async (method) => {
      const { status } = await sendRaw(relays.usual.port, rawRequest({ method, body: '{}' }))
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    })
  })

  describe('websockets', () => {
    const statusOf = (path: string): Promise<number> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${relays.usual.port}${path}`)
        socket.on('open', () => {
          resolve(101)
          socket.terminate()
        })
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
        socket.on('error', () => {})
      })

    test.each([
      ['/', 101],
      ['/?key=value', 101],
      ['/relay', 404],
      ['/ws', 404],
      ['/.well-known/nostr.json', 404],
      ['/metrics', 404],
    ])('on %s: %i', async (path, status) => {
      expect(await statusOf(path)).toBe(status)
    })

    test('compress nothing unless that is set', async () => {
      const client = await relays.usual.client({ perMessageDeflate: true })
      expect(client.socket.extensions).toBe('')
    })

    test('of an old version are refused', async () => {
      const headers = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 7',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ]
      expect((await sendRaw(relays.usual.port, rawRequest({ headers }))).status).toBe(400)
    })

    test('answer a ping with its words', async () => {
      const client = await relays.usual.client()
      const answered = new Promise((resolve) => client.socket.on('pong', (data) => resolve(String(data))))
      client.socket.ping('are you there')
      expect(await answered).toBe('are you there')
    })

    test('answer a close frame with one', async () => {
      const client = await relays.usual.client()
      client.socket.close(1000, 'enough')
      expect(await client.ended).toBe(1000)
    })
  })
}
