// What "grinpay proxy print --daemon pay" prints, in real proxies: what reaches a till, and which client address it gets.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProxy, type RunningProxy, startTillProxy } from '../support/proxies.js'
import { type StandIn, standIn, visitorOf } from '../support/proxy-people.js'

const HOST = 'pay.acme.example'
const LIES = { 'X-Real-IP': '203.0.113.1', 'X-Forwarded-For': '203.0.113.2', Forwarded: 'for=203.0.113.3' }

describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
  let till: StandIn
  let proxy: RunningProxy | undefined
  beforeAll(async () => {
    till = await standIn('the till')
    if (findProxy(name) === undefined) return
    proxy = await startTillProxy(name, {
      publicUrl: `https://${HOST}`,
      hasTls: false,
      bind: { host: '127.0.0.1', port: till.port },
      trustedProxies: ['127.0.0.1'],
    })
  }, 60_000)
  afterAll(async () => {
    await proxy?.stop()
    await till.close()
  })
  const visitor = () => visitorOf(proxy?.port ?? 0, HOST)
  const hasProxy = findProxy(name) !== undefined

  test.runIf(hasProxy)(
    'invoices and checkout pages reach the till, which gets the true address and no other',
    async () => {
      expect(await visitor().ask('POST', '/invoice', { headers: LIES, body: '{}', from: '127.0.0.44' })).toMatchObject({
        status: 200,
        body: 'the till',
      })
      expect(await visitor().get('/pay/some-token')).toMatchObject({ status: 200 })
      expect(till.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /invoice', 'GET /pay/some-token'])
      const [first] = till.seen
      expect(first?.headers['x-forwarded-for']).toBe('127.0.0.44')
      expect(first?.headers.host).toBe(HOST)
      expect(first?.headers['x-real-ip']).toBeUndefined()
      expect(first?.headers.forwarded).toBeUndefined()
    },
  )

  test.runIf(hasProxy).each(['/admin/status', '/admin', '/%61dmin/status', '//admin/status', '/pay/../admin/status'])(
    '%s stays inside',
    async (path) => {
      const before = till.seen.length
      const answer = await visitor().get(path)
      expect(till.seen.slice(before).filter((seen) => /admin/.test(decodeURIComponent(seen.path)))).toEqual([])
      expect(answer.status).not.toBe(200)
    },
  )

  test.runIf(hasProxy)('more than 64 KiB is refused', async () => {
    const { status } = await visitor().ask('POST', '/invoice', { body: 'x'.repeat(65_537) })
    expect(status).toBe(413)
  })

  test.runIf(hasProxy)('a page that is read while the till is away is read again; what was sent is not', async () => {
    await till.close()
    const read = await visitor().get('/pay/some-token')
    expect(read).toMatchObject({ status: 502, body: expect.stringContaining('loads itself again') })
    expect(read.headers).toMatchObject({
      refresh: '5',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    const sent = await visitor().ask('POST', '/pay/some-token/slatepack', { body: 'slatepack=x' })
    expect(sent).toMatchObject({ status: 502, body: expect.stringContaining('what you typed is still there') })
    expect(sent.headers.refresh).toBeUndefined()
  })
})
