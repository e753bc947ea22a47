import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp, type Json, readFormBodies } from '../../src/http/index.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { openLog } from '../../src/system/index.js'
import { countingRandom, stillClock } from '../support/till-app.js'

let app: FastifyInstance

beforeEach(async () => {
  app = createApp({ clock: stillClock(), random: countingRandom(), rateLimits: false })
  app.get('/thing/:id', async () => ({ fine: true }))
  app.post<{ Body: Json }>('/thing', async ({ body }) => ({ body: body ?? null }))
  await app.register(async (forms) => {
    readFormBodies(forms)
    forms.post<{ Body: unknown }>('/form', async ({ body }) => ({ body: body ?? null }))
  })
  app.get('/broken', async () => {
    throw new Error('secret detail of a bug')
  })
  await app.ready()
})
afterEach(() => app.close())

const post = (payload: string | Buffer, type = 'application/json', headers = {}) =>
  app.inject({ method: 'POST', url: '/thing', payload, headers: { 'content-type': type, ...headers } })

describe('every answer', () => {
  test.each(['/thing/1', '/nowhere', '/broken', '/%zz'])('of %s carries the security headers', async (url) => {
    const { headers } = await app.inject({ url })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('names the request; a harmless name of the caller is kept', async () => {
    expect((await app.inject({ url: '/thing/1' })).headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/)
    expect((await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'shop-7.a' } })).json()).toMatchObject({
      instance: 'shop-7.a',
    })
    const { headers } = await app.inject({ url: '/thing/1', headers: { 'x-request-id': 'a b"c' } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/)
  })
})

test.each([
  ['http://shop.example/thing/1', 200],
  ['HTTPS://shop.example:443/thing/1?a=b', 200],
  ['http://shop.example/nowhere', 404],
])('a request for %s, as a proxy sends it, is answered as one for its path', async (target, status) => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    )
    socket.once('data', (data) => resolve(String(data)))
  })
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

describe('errors', () => {
  test('have one shape', async () => {
    const answer = await app.inject({ url: '/nowhere' })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      error: 'not found',
      code: 'NOT_FOUND',
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'not found',
      instance: answer.headers['x-request-id'],
      hint: 'check the path against openapi.json',
    })
  })

  test('a bug tells nothing about itself', async () => {
    const answer = await app.inject({ url: '/broken' })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ error: 'internal error', code: 'INTERNAL' })
    expect(answer.body).not.toContain('secret detail')
  })

  test.each([
    ['application/problem+json', 'application/problem+json; charset=utf-8'],
    ['application/json;q=0.5, application/problem+json', 'application/problem+json; charset=utf-8'],
    ['application/json, application/problem+json;q=0.9', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['nonsense;;q=,', 'application/json; charset=utf-8'],
  ])('Accept: %s gets %s', async (accept, type) => {
    expect((await app.inject({ url: '/nowhere', headers: { accept } })).headers['content-type']).toBe(type)
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s on a known path is 405 with its methods',
    async (method) => {
      const answer = await app.inject({ method: method as 'PUT', url: '/thing/1?x=1' })
      expect(answer.statusCode).toBe(405)
      expect(answer.headers.allow).toBe('GET, HEAD')
      expect(answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    },
  )

  test('HEAD works wherever GET does', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/thing/1' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  test('JSON comes through', async () => {
    expect((await post('{"a":[1,"x"]}', 'application/json; charset=utf-8')).json()).toEqual({ body: { a: [1, 'x'] } })
  })

  test.each(['{"a":1,"a":2}', '{', '[[1]', '{"a":1}x', '\u0000', '['.repeat(5000)])(
    '%.20j is 400 with a cause',
    async (text) => {
      const answer = await post(text)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'INVALID_JSON' })
    },
  )

  test('no body is no body', async () => {
    expect((await post('')).json()).toEqual({ body: null })
  })

  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonx', 'nonsense'])(
    'Content-Type %s is 415',
    async (type) => {
      const answer = await post('{}', type)
      expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    },
  )

  test('a compressed body is 415', async () => {
    expect((await post('{}', 'application/json', { 'content-encoding': 'gzip' })).json()).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_ENCODING',
    })
  })

  test('64 KiB pass, one byte more is 413, and 10 MB are too', async () => {
    const filled = (length: number) => `"${'a'.repeat(length - 2)}"`
    expect((await post(filled(65_536))).statusCode).toBe(200)
    expect((await post(filled(65_537))).json()).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    expect((await post(filled(10_000_000))).statusCode).toBe(413)
  })

  test('a form with a field twice is refused', async () => {
    const form = 'application/x-www-form-urlencoded'
    expect((await post('a=1', form)).statusCode).toBe(415) // where JSON is read
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/form', payload, headers: { 'content-type': form } })
    expect((await send('a=1&b=%C3%A9+x')).json()).toEqual({ body: { a: '1', b: 'é x' } })
    expect((await send('a=1&a=2')).json()).toMatchObject({ status: 400, code: 'INVALID_FORM' })
    expect((await send('__proto__=1')).statusCode).toBe(200)
  })
})

describe('on a socket', () => {
  const talk = async (bytes: string): Promise<string> => {
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return new Promise((resolve, reject) => {
      let got = ''
      const socket = connect(address.port, '127.0.0.1', () => socket.write(bytes))
      socket.setEncoding('utf8')
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.on('close', () => resolve(got))
      socket.on('error', reject)
    })
  }

  test('bytes that are not HTTP get a JSON error and a closed connection', async () => {
    const answer = await talk('HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: 'bad request',
      code: 'BROKEN_REQUEST',
    })
  })

  test('headers beyond 16 KiB get 431', async () => {
    expect(await talk(`GET /thing/1 HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })

  test('the limits for slow clients are set', () => {
    expect(app.server.headersTimeout).toBe(10_000)
    expect(app.server.requestTimeout).toBe(30_000)
  })
})

describe('the log of failures', () => {
  async function linesOf(thrown: Error): Promise<readonly Record<string, unknown>[]> {
    const lines: string[] = []
    const log = await openLog({ human: false, level: 'info', write: (line) => void lines.push(line) })
    const failing = createApp({ clock: stillClock(), random: countingRandom(), rateLimits: false, log })
    failing.get('/failing/:token', async () => {
      throw thrown
    })
    await failing.inject({ url: `/failing/${'t'.repeat(43)}` })
    await failing.close()
    return lines.map((line) => JSON.parse(line))
  }

  test('holds a foreseen failure of ours in one line, by the pattern of its route', async () => {
    const lines = await linesOf(
      new GrinpayError('DATABASE_WRITE_FAILED', 'the database cannot be written: disk full', 503),
    )
    expect(lines).toMatchObject([{ level: 'warn', route: '/failing/:token', code: 'DATABASE_WRITE_FAILED' }])
    expect(JSON.stringify(lines)).not.toContain('t'.repeat(43))
  })

  test('holds a bug with its stack', async () => {
    expect(await linesOf(new Error('bug'))).toMatchObject([{ level: 'error', err: { message: 'bug' } }])
  })

  test.each([
    ['what the client did', new GrinpayError('INVALID_REQUEST', 'no', 400)],
    ['what is switched off', new GrinpayError('TOKEN_NOT_CONFIGURED', 'no', 503)],
  ])('does not hold %s', async (_, thrown) => {
    expect(await linesOf(thrown)).toEqual([])
  })
})
