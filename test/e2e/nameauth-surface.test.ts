// The name authority from outside, 1: what every answer has in common, what anybody may read (specification: names, 4, 6, 7), and its console.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formFields } from '../support/console-app.js'
import { DOMAIN, nameFolder, REGISTER, type RunningAuthority, startAuthority } from '../support/name-clients.js'
import { keyPairOf } from '../support/nostr.js'
import { type PackedCli, packCli } from '../support/packed-cli.js'
import { rawRequest, sendRaw } from '../support/raw-http.js'
import { freePort } from '../support/till-process.js'

const ada = keyPairOf('ada')
const KEY = ada.pubkey
const ID = 'f'.repeat(64)
const OPEN = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }
const JSON_TYPE = /^application\/json\b/

let cli: PackedCli
let names: RunningAuthority
const folder = nameFolder()
let console: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  cli = await packCli()
  console = { NAMEAUTH_CONSOLE: 'on', NAMEAUTH_CONSOLE_BIND: `127.0.0.1:${await freePort()}` }
  const relays = 'wss://one.example, wss://two.example'
  names = await startAuthority(cli.entry, folder.path, { NAMEAUTH_RELAYS: relays, ...console })
  await names.claim(ada, 'ada.b')
  await names.claim(keyPairOf('eve'), 'evening')
  await names.release(keyPairOf('eve'), 'evening')
})
afterAll(async () => {
  await names?.stop()
  cli?.remove()
  folder.remove()
})

const GETS = [
  '/.well-known/nostr.json',
  '/.well-known/nostr.json?name=ada.b',
  '/api/v1/health',
  '/api/v1/openapi.json',
  '/api/v1/name/ada.b',
  '/api/v1/profile/ada.b',
  `/api/v1/by-pubkey/${KEY}`,
  `/api/v1/paid/${KEY}`,
]
const POSTS = [REGISTER, '/api/v1/quote', '/api/v1/pay/webhook', '/api/v1/goblinpay/webhook']
const RELEASE = `${REGISTER}/ada.b`

describe('every answer of the API may be read by any page and is stored in no cache', () => {
  test.each([
    ...GETS,
    '/api/v1/profile/nobody',
    '/api/v1/nowhere',
    '/api/v1/name/%zz',
    '/.well-known/nostr.json?name=a&name=b',
  ])('GET %s', async (path) => expect((await names.get(path)).headers).toMatchObject(OPEN))
  test.each(POSTS)('POST %s', async (path) => expect((await names.ask('POST', path)).headers).toMatchObject(OPEN))
  test('DELETE', async () => expect((await names.ask('DELETE', RELEASE)).headers).toMatchObject(OPEN))
  test('405', async () => expect((await names.ask('PUT', REGISTER)).headers).toMatchObject(OPEN))
  test('413', async () => {
    expect((await names.ask('POST', REGISTER, { body: Buffer.alloc(20_000) })).headers).toMatchObject(OPEN)
  })
})

describe('a browser that asks first', () => {
  test.each([...GETS, ...POSTS, RELEASE])('is let in at %s', async (path) => {
    const { status, headers, body } = await names.ask('OPTIONS', path, {
      headers: {
        origin: 'https://client.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([status, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '86400',
    })
  })
})

describe('HEAD', () => {
  test.each([...GETS, '/', '/health', '/api/v1/profile/nobody', '/api/v1/nowhere'])(
    '%s is GET without its body',
    async (path) => {
      const [get, head] = [await names.get(path), await names.ask('HEAD', path)]
      expect([head.status, head.body, head.headers['content-type']]).toEqual([
        get.status,
        '',
        get.headers['content-type'],
      ])
    },
  )
})

describe('what is not there is JSON with 404', () => {
  test.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/nowhere',
    '/api/v1/name',
    '/api/v1/name/',
    '/api/v1/name/ada.b/',
    '/api/v1/name/a/b',
    '/api/v1/profile/',
    '/api/v1/by-pubkey/',
    '/api/v1/health/',
    '/api/v1/paid/',
    '/.well-known/nostr.json/',
    '/.well-known/nostr.json/ada',
    '/.well-known/',
    '/API/V1/health',
    '/api%2Fv1%2Fhealth',
    '//api/v1/health',
    '/api/v1/transfer/offer',
    '/api/v1/transfer/claim',
    `/api/v1/transfer/offer/${ID}`,
    '/api/v1/avatar/0f.png',
    '/admin',
    '/metrics',
    '/.env',
    '/static/../package.json',
  ])('%s', async (path) => {
    const { status, headers, json } = await names.get(path)
    expect([status, json.error]).toEqual([404, 'not found'])
    expect(headers['content-type']).toMatch(JSON_TYPE)
  })
})

describe('a method that a path does not have', () => {
  test.each([
    ['POST', '/.well-known/nostr.json', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/v1/name/ada.b', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/profile/ada.b', 'GET, HEAD, OPTIONS'],
    ['PATCH', `/api/v1/by-pubkey/${KEY}`, 'GET, HEAD, OPTIONS'],
    ['POST', '/api/v1/health', 'GET, HEAD, OPTIONS'],
    ['GET', REGISTER, 'OPTIONS, POST'],
    ['PUT', REGISTER, 'OPTIONS, POST'],
    ['PROPFIND', REGISTER, 'OPTIONS, POST'],
    ['GET', RELEASE, 'DELETE, OPTIONS'],
    ['POST', RELEASE, 'DELETE, OPTIONS'],
    ['GET', '/api/v1/quote', 'OPTIONS, POST'],
    ['GET', '/api/v1/pay/webhook', 'OPTIONS, POST'],
    ['DELETE', `/api/v1/paid/${KEY}`, 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405', async (method, path, allow) => {
    const { status, headers, json } = await names.ask(method, path)
    expect([status, json.error, headers.allow]).toEqual([405, 'method not allowed', allow])
  })
})

describe('bodies', () => {
  test.each([...POSTS, RELEASE])('%s: 16 KiB pass, a byte more is 413', async (path) => {
    const send = (length: number) =>
      names.ask(path === RELEASE ? 'DELETE' : 'POST', path, { body: Buffer.alloc(length, 'a') })
    expect([401, 404]).toContain((await send(16_384)).status)
    const { status, json } = await send(16_385)
    expect([status, json.error]).toEqual([413, 'body too large'])
  })

  test.each(['text/plain', 'application/xml', 'nonsense', 'a/b;;=', 'multipart/form-data; boundary=x'])(
    'a claim is not refused for the type %s',
    async (type) => {
      const { status, json } = await names.claim(keyPairOf('eve'), 'ada.b', { headers: { 'content-type': type } })
      expect([status, json.error]).toEqual([429, 'name_change_cooldown'])
    },
  )

  test('JSON answers are compact', async () => {
    for (const path of GETS.filter((path) => !/health|openapi/.test(path)))
      expect((await names.get(path)).body).not.toMatch(/[:,] |\n/)
  })
})

describe('the NIP-05 document', () => {
  const NO_NAMES = '{"names":{},"relays":{}}'
  const document = (query: string) => names.get(`/.well-known/nostr.json${query}`)

  test.each(['?name=ada.b', '?name=%61da%2eb', '?x=1&name=ada.b', '?n%61me=ada.b', '?name=ada.b&x=%zz'])(
    '%s leads to the key and its relays',
    async (query) => {
      const { status, headers, json } = await document(query)
      expect([status, json]).toEqual([
        200,
        { names: { 'ada.b': KEY }, relays: { [KEY]: ['wss://one.example', 'wss://two.example'] } },
      ])
      expect(headers['content-type']).toMatch(JSON_TYPE)
    },
  )

  test('a name in capitals is answered under both spellings', async () => {
    expect((await document('?name=Ada.B')).json).toMatchObject({ names: { 'ada.b': KEY, 'Ada.B': KEY } })
  })

  test.each([
    '',
    '?name',
    '?name=',
    '?name=nobody',
    '?name=evening',
    '?name=_',
    '?name=ada-b',
    '?name=4da.b',
    '?name=ada.b+',
    '?name=+ada.b',
    '?name=ada.b%00',
    '?name=%ff%fe%fd',
    '?name=%zz',
    '?name=..%2F..%2Fetc%2Fpasswd',
    '?name=__proto__',
    '?name=constructor',
    '?name=prototype',
    '?name=hasOwnProperty',
    '?name=toString',
    '?name=valueOf',
    '?name=%D0%B0da.b',
    '?NAME=ada.b',
    '?name[]=ada.b',
    `?name=${'a'.repeat(8000)}`,
  ])('%.40s has two empty maps', async (query) => {
    const { status, body } = await document(query)
    expect([status, body]).toEqual([200, NO_NAMES])
  })

  test.each(['?name=ada.b&name=eve', '?name=ada.b&name=ada.b', '?name=&name=', '?name=ada.b&n%61me=eve'])(
    '%s is refused',
    async (query) => {
      const { status, json } = await document(query)
      expect([status, json.error]).toEqual([400, 'invalid request'])
    },
  )

  test('is never a redirect', async () => {
    for (const query of ['', '?name=ada.b', '/', '/?name=ada.b'])
      expect([200, 404]).toContain((await document(query)).status)
  })
})

describe('availability', () => {
  const FREE = { available: true, state: 'free' }
  const not = (reason: string) => ({ available: false, reason, state: reason })

  test.each([
    ['nova', { name: 'nova', ...FREE }],
    ['NoVa', { name: 'nova', ...FREE }],
    ['n%6fva', { name: 'nova', ...FREE }],
    ['evening', { name: 'evening', ...FREE }],
    ['evenlng', { name: 'evenlng', ...FREE }],
    ['goblinfan', { name: 'goblinfan', ...FREE }],
    ['a--b', { name: 'a--b', ...FREE }],
    ['12345', { name: '12345', ...FREE }],
    ['a'.repeat(20), { name: 'a'.repeat(20), ...FREE }],
    ['ada.b', { name: 'ada.b', ...not('taken') }],
    ['ADA.B', { name: 'ada.b', ...not('taken') }],
    ['a.d.a.b', { name: 'a.d.a.b', ...not('taken') }],
    ['4d4_8', { name: '4d4_8', ...not('taken') }],
    ['admin', { name: 'admin', ...not('reserved') }],
    ['4dm1n', { name: '4dm1n', ...not('reserved') }],
    ['wa11et', { name: 'wa11et', ...not('reserved') }],
    ['names', { name: 'names', ...not('reserved') }],
    ['acme', { name: 'acme', ...not('reserved') }],
    ['ab', { name: 'ab', ...not('invalid') }],
    ['a'.repeat(21), { name: 'a'.repeat(21), ...not('invalid') }],
    ['_ab', { name: '_ab', ...not('invalid') }],
    ['ab-', { name: 'ab-', ...not('invalid') }],
    ['a%20b', { name: 'a b', ...not('invalid') }],
    ['a%2Fb', { name: 'a/b', ...not('invalid') }],
    ['%2561da.b', { name: '%61da.b', ...not('invalid') }],
    ['a%252Fb', { name: 'a%2fb', ...not('invalid') }],
    ['a+b', { name: 'a+b', ...not('invalid') }],
    ['%C3%A9t%C3%A9', { name: 'été', ...not('invalid') }],
    ['__proto__', { name: '__proto__', ...not('invalid') }],
    ['%22%7D', { name: '"}', ...not('invalid') }],
  ])('of %s', async (path, expected) => {
    const { status, json } = await names.get(`/api/v1/name/${path}`)
    expect([status, json]).toEqual([200, expected])
  })

  test.each(['%', '%zz', '%ff', '%C3%28', '%E0%80%80', 'a%'])('of %s is refused', async (path) => {
    const { status, json } = await names.get(`/api/v1/name/${path}`)
    expect([status, json.error]).toEqual([400, 'invalid request'])
  })
})

describe('holders', () => {
  const HOLDER = { name: 'ada.b', pubkey: KEY }

  test.each([
    '/api/v1/profile/ada.b',
    '/api/v1/profile/ADA.B',
    `/api/v1/by-pubkey/${KEY}`,
    `/api/v1/by-pubkey/${KEY.toUpperCase()}`,
  ])('%s', async (path) => {
    const { status, json } = await names.get(path)
    expect([status, json]).toEqual([200, HOLDER])
  })
  test.each([
    '/api/v1/profile/evening',
    '/api/v1/profile/nobody',
    '/api/v1/profile/a%2Fb',
    '/api/v1/profile/constructor',
    `/api/v1/by-pubkey/${keyPairOf('eve').pubkey}`,
    `/api/v1/by-pubkey/${KEY}00`,
    `/api/v1/by-pubkey/${KEY.slice(2)}`,
    `/api/v1/by-pubkey/0x${KEY.slice(2)}`,
    '/api/v1/by-pubkey/npub1yt99qwgwvc8kqypkm46s9wuh80wdzp94mju09e6darkuds5jkqaqpa6hrt',
    '/api/v1/paid/npub1x',
  ])('%s is not found', async (path) => {
    const { status, json } = await names.get(path)
    expect([status, json.error]).toEqual([404, 'not found'])
  })
  test('everybody may write where that is not sold', async () => {
    expect((await names.get(`/api/v1/paid/${KEY.toUpperCase()}`)).json).toEqual({ pubkey: KEY, paid: true })
  })
})

describe('the process', () => {
  test('has a page that names the domain and the first relay, and no price', async () => {
    const { status, headers, body } = await names.get('/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain(`you@${DOMAIN}`)
    expect(body).toContain('wss://one.example')
    expect(body).not.toMatch(/<script|pay|price/i)
    for (const [, file = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g))
      expect((await names.get(file)).status).toBe(200)
  })
  test('is healthy', async () => {
    expect(await names.get('/api/v1/health')).toMatchObject({ status: 200, body: 'ok' })
    expect((await names.get('/health')).json).toMatchObject({ status: 'ok' })
    expect((await names.get('/ready')).json).toMatchObject({ ready: true })
  })
  test('describes itself', async () => {
    const { json } = await names.get('/api/v1/openapi.json')
    expect(Object.keys(json.paths)).toContain('/api/v1/register')
  })
})

describe('bytes on a socket', () => {
  const raw = (...parts: Parameters<typeof rawRequest>) => sendRaw(names.port, rawRequest(...parts))

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/register HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'length and chunks',
      'POST /api/v1/register HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a header of 20 KB', `GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [
      '3000 headers',
      `GET /api/v1/health HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 3000 }, (_, n) => `X${n}: a\r\n`).join('')}\r\n`,
      431,
    ],
  ])('%s', async (_, bytes, status) => expect((await sendRaw(names.port, bytes)).status).toBe(status))

  test('a NUL in a path', async () => expect((await raw({ path: '/api/v1/name/a\0b' })).status).toBe(400))
  test('a path with bytes above 127 is no crash', async () => {
    expect([200, 400]).toContain((await raw({ path: '/api/v1/name/\xe9\xff' })).status)
  })
  test('an absolute address', async () => {
    expect((await raw({ path: `http://${DOMAIN}/api/v1/health` })).status).toBe(200)
  })
  test('a body in chunks counts as it is', async () => {
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const head = ['Transfer-Encoding: chunked']
    const send = (body: string) => raw({ method: 'POST', path: REGISTER, headers: head, body, length: false })
    expect((await send(`${chunk}0\r\n\r\n`)).status).toBe(401)
    expect((await send(`${chunk}1\r\na\r\n0\r\n\r\n`)).status).toBe(413)
  })
  test('many signatures in one header line are one wrong header', async () => {
    const headers = ['Authorization: Nostr e30=', 'Authorization: Nostr e30=']
    expect((await raw({ method: 'POST', path: REGISTER, headers, body: '{}' })).status).toBe(401)
  })
  test('and afterwards it still answers', async () => expect((await names.get('/ready')).status).toBe(200))
})

test('in its console a link of the command line signs in, and a name is suspended after a second step', async () => {
  const settings = { ...console, NAMEAUTH_DOMAIN: DOMAIN, NAMEAUTH_DATA_DIR: folder.path }
  const command = [cli.entry, 'console', 'open', '--daemon', 'nameauth', '--name', 'anna', '--json']
  const env = { PATH: process.env.PATH, HOME: folder.path, ...settings }
  const { url } = JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' })) as { url: string }
  const entered = await fetch(url, { method: 'POST' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const { origin } = new URL(url)
  const headers = { cookie, accept: 'text/html' }
  const page = async (path: string, fields?: Readonly<Record<string, string>>): Promise<string> =>
    (
      await fetch(origin + path, { headers, ...(fields && { method: 'POST', body: new URLSearchParams(fields) }) })
    ).text()
  expect(await page('/console/')).toContain('<a href="/console/names/ada.b">ada.b</a>')
  const action = '/console/names/ada.b/suspend'
  const form = formFields(await page('/console/names/ada.b'), action)
  const asked = await page(action, { ...form, reason: 'report 17' })
  expect(asked).toContain('Suspend ada.b?')
  const resolved = async () => (await names.get('/.well-known/nostr.json?name=ada.b')).json.names
  expect(await resolved()).toEqual({ 'ada.b': KEY })
  expect(await page(action, formFields(asked, action))).toContain('ada.b is suspended.')
  expect(await resolved()).toEqual({})
  expect(await page('/console/audit')).toContain('report 17')
})
