// What every answer of the API has in common (specification: names, 4).
import { beforeAll, describe, expect, test } from 'vitest'
import { nameApp, silentKernels } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'

const ada = keyPairOf('ada')
const KEY = ada.pubkey
const ID = 'f'.repeat(64)
const transfers = { minConfirmations: 10, maxOfferSeconds: 3600, claimGraceSeconds: 3600 }
const NOT_FOUND = 'not found'

let authority: Awaited<ReturnType<typeof nameApp>>
beforeAll(async () => {
  authority = await nameApp({ settings: { transfers }, parts: { kernels: silentKernels } })
  await authority.claim(ada, 'ada')
})

const GETS = [
  '/.well-known/nostr.json',
  '/api/v1/health',
  '/api/v1/health/client',
  '/api/v1/openapi.json',
  '/api/v1/name/ada',
  '/api/v1/profile/ada',
  `/api/v1/by-pubkey/${KEY}`,
  `/api/v1/paid/${KEY}`,
]
const POSTS = [
  '/api/v1/register',
  '/api/v1/quote',
  '/api/v1/pay/webhook',
  '/api/v1/goblinpay/webhook',
  '/api/v1/transfer/offer',
  '/api/v1/transfer/claim',
]
const DELETES = ['/api/v1/register/ada', `/api/v1/transfer/offer/${ID}`]
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'] as const
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(GETS.map((path) => [path, ['GET', 'HEAD', 'OPTIONS']])),
  ...Object.fromEntries(POSTS.map((path) => [path, ['OPTIONS', 'POST']])),
  '/api/v1/register/ada': ['DELETE', 'OPTIONS'],
  [`/api/v1/transfer/offer/${ID}`]: ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
}
const PATHS = Object.keys(ALLOWED)
const openToAll = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }

const ask = (method: string, url: string, rest = {}) => authority.app.inject({ method: method as 'GET', url, ...rest })

describe('any web page may ask', () => {
  test.each([...GETS, '/api/v1/nowhere', '/api/v1/name/', '/api/v1/profile/nobody', '/api/v1/name/%zz'])(
    'GET %s',
    async (url) => expect((await ask('GET', url)).headers).toMatchObject(openToAll),
  )
  test.each([...POSTS.map((url) => ['POST', url]), ...DELETES.map((url) => ['DELETE', url])])(
    '%s %s without a signature',
    async (method = '', url = '') => {
      const answer = await ask(method, url)
      expect([answer.statusCode, answer.headers]).toEqual([
        url.endsWith('webhook') ? 404 : 401,
        expect.objectContaining(openToAll),
      ])
    },
  )
  test.each(PATHS)('a browser asks first: OPTIONS %s', async (url) => {
    const answer = await ask('OPTIONS', url, {
      headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
    })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      ...openToAll,
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '86400',
    })
  })
})

describe('errors', () => {
  test.each(PATHS.flatMap((url) => METHODS.filter((method) => !ALLOWED[url]?.includes(method)).map((m) => [m, url])))(
    '%s %s is 405 with what is allowed',
    async (method = '', url = '') => {
      const answer = await ask(method, url)
      expect([answer.statusCode, answer.json().error, answer.headers.allow]).toEqual([
        405,
        'method not allowed',
        ALLOWED[url]?.join(', '),
      ])
      expect(answer.headers).toMatchObject(openToAll)
    },
  )

  test.each([
    '/api/v1/nowhere',
    '/api/v1',
    '/api/v1/',
    '/api/v2/name/ada',
    '/API/v1/health',
    '/.well-known/other',
    '/.well-known/nostr.json/ada',
    '/api/v1/avatar/0f0f.png',
    '/api%2Fv1%2Fhealth',
    '//api/v1/health',
    ...PATHS.map((path) => `${path}/`),
    '/api/v1/name/',
    '/api/v1/profile/',
    '/api/v1/by-pubkey/',
    '/api/v1/name/a/b',
  ])('%s is 404', async (url) => {
    const answer = await ask('GET', url)
    expect([answer.statusCode, answer.json().error]).toEqual([404, NOT_FOUND])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers).toMatchObject(openToAll)
  })

  test.each(['DELETE /api/v1/register/', 'DELETE /api/v1/transfer/offer/', 'POST /api/v1/register/'])(
    '%s is 404 too',
    async (line) => {
      const [method = '', url = ''] = line.split(' ')
      expect((await ask(method, url)).json()).toMatchObject({ status: 404, error: NOT_FOUND })
    },
  )

  test.each(['/api/v1/name/%zz', '/api/v1/name/%', '/api/v1/name/%ff', '/api/v1/profile/%c3%28', '/%'])(
    '%s is 400',
    async (url) => {
      const answer = await ask('GET', url)
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid request'])
      expect(answer.headers).toMatchObject(openToAll)
    },
  )

  test('have the machine word beside the text', async () => {
    const answer = await ask('GET', '/api/v1/profile/nobody')
    expect(answer.json()).toMatchObject({
      error: NOT_FOUND,
      code: 'NOT_FOUND',
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: NOT_FOUND,
      instance: answer.headers['x-request-id'],
    })
  })

  test('are problems to those who ask for them', async () => {
    const { headers } = await authority.get('/api/v1/nowhere', { accept: 'application/problem+json' })
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })
})

describe('HEAD', () => {
  test.each([...GETS, '/', '/api/v1/profile/nobody'])('%s answers like GET', async (url) => {
    const [get, head] = [await ask('GET', url), await ask('HEAD', url)]
    expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    if (get.statusCode === 200) expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

describe('bodies', () => {
  const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', '', 'a/b; =', 'multipart/form-data']
  test.each(TYPES)('of type %j are never refused for it', async (type) => {
    for (const url of POSTS) {
      const answer = await ask('POST', url, { payload: '{}', headers: { 'content-type': type } })
      expect([url, answer.statusCode]).toEqual([url, url.endsWith('webhook') ? 404 : 401])
    }
  })

  test.each([...POSTS.map((url) => ['POST', url]), ...DELETES.map((url) => ['DELETE', url])])(
    '%s %s takes 16 KiB and not a byte more',
    async (method = '', url = '') => {
      const filled = (length: number) => ask(method, url, { payload: Buffer.alloc(length, 'a') })
      expect((await filled(16_384)).statusCode).toBe(url.endsWith('webhook') ? 404 : 401)
      const answer = await filled(16_385)
      expect([answer.statusCode, answer.json().error]).toEqual([413, 'body too large'])
      expect(answer.headers).toMatchObject(openToAll)
    },
  )
})
