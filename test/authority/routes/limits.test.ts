// How often one client may ask (specification: names, 4).
import { describe, expect, test } from 'vitest'
import { type NameAppOptions, nameApp, silentKernels } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'

const ada = keyPairOf('ada')
const ID = 'f'.repeat(64)
const rates = { read: { max: 3, windowSeconds: 60 }, write: { max: 2, windowSeconds: 3600 } }
const transfers = { minConfirmations: 10, maxOfferSeconds: 3600, claimGraceSeconds: 3600 }

async function open(options: NameAppOptions = {}) {
  const parts = await nameApp({ rates, settings: { transfers }, parts: { kernels: silentKernels }, ...options })
  const ask = (line: string, from = '203.0.113.1', headers = {}, remoteAddress = '127.0.0.1') => {
    const [method, url = ''] = line.split(' ')
    return parts.app.inject({
      method: method as 'GET',
      url,
      headers: { 'x-real-ip': from, ...headers },
      remoteAddress,
    })
  }
  const statuses = async (lines: readonly string[], from?: string) => {
    const found: number[] = []
    for (const line of lines) found.push((await ask(line, from)).statusCode)
    return found
  }
  return { ...parts, ask, statuses }
}

const READS = [
  'GET /.well-known/nostr.json?name=ada',
  'GET /api/v1/name/ada',
  'HEAD /api/v1/profile/ada',
  `GET /api/v1/by-pubkey/${ada.pubkey}`,
  `GET /api/v1/paid/${ada.pubkey}`,
  `GET /api/v1/transfer/offer/${ID}`,
]

describe('reads', () => {
  test('count together, also those that fail', async () => {
    const { statuses } = await open()
    expect(await statuses(READS)).toEqual([200, 200, 404, 429, 429, 429])
  })

  test('above the limit are refused with the time of the next try', async () => {
    const { statuses, ask, clock } = await open()
    await statuses(READS.slice(0, 3))
    clock.at += 20_000
    const answer = await ask('GET /.well-known/nostr.json?name=ada')
    expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toEqual([429, 'rate_limited', '40'])
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    clock.at += 40_000
    expect((await ask('GET /api/v1/name/ada')).statusCode).toBe(200)
  })

  test('of one client are not those of another', async () => {
    const { statuses } = await open()
    await statuses(READS)
    expect(await statuses(READS.slice(0, 1), '203.0.113.2')).toEqual([200])
  })

  test('of one IPv6 network count together', async () => {
    const { statuses } = await open()
    await statuses(READS, '2001:db8:1:2::1')
    expect(await statuses(READS.slice(0, 1), '2001:db8:1:2:ffff::9')).toEqual([429])
    expect(await statuses(READS.slice(0, 1), '2001:db8:1:3::1')).toEqual([200])
  })
})

describe('writes', () => {
  test.each([
    ['claims', ['POST /api/v1/register']],
    ['releases', ['DELETE /api/v1/register/ada', 'DELETE /api/v1/register/eve']],
    ['quotes', ['POST /api/v1/quote']],
    ['sales', ['POST /api/v1/transfer/offer', `DELETE /api/v1/transfer/offer/${ID}`, 'POST /api/v1/transfer/claim']],
  ])('%s have a bucket of their own, counted before anything is proven', async (_, lines) => {
    const { statuses } = await open()
    const [first = '', second = first, third = first] = lines
    expect(await statuses([first, second, third])).toEqual([401, 401, 429])
    const others = [
      'POST /api/v1/register',
      'DELETE /api/v1/register/x',
      'POST /api/v1/quote',
      'POST /api/v1/transfer/claim',
    ]
    const open_ = others.filter(
      (line) =>
        !lines.some((used) => used.split('/')[3] === line.split('/')[3] && used.split(' ')[0] === line.split(' ')[0]),
    )
    expect(await statuses(open_)).toEqual(open_.map(() => 401))
    expect(await statuses(['GET /api/v1/name/ada'])).toEqual([200])
  })

  test('too large ones count too', async () => {
    const { app } = await open()
    const send = () => app.inject({ method: 'POST', url: '/api/v1/register', payload: Buffer.alloc(20_000) })
    expect([(await send()).statusCode, (await send()).statusCode, (await send()).statusCode]).toEqual([413, 413, 429])
  })
})

describe('no limit counts', () => {
  test.each([
    'GET /api/v1/health',
    'GET /',
    'POST /api/v1/pay/webhook',
    'OPTIONS /api/v1/register',
    'OPTIONS /api/v1/name/ada',
    'PUT /api/v1/register',
    'GET /api/v1/nowhere',
  ])('%s', async (line) => {
    const { statuses } = await open()
    const found = await statuses(Array.from({ length: 10 }, () => line))
    expect(new Set(found).size).toBe(1)
    expect(found).not.toContain(429)
  })
})

describe('who asks', () => {
  test('is what a trusted proxy says in X-Real-IP, and in no other header', async () => {
    const { ask } = await open()
    for (let n = 0; n < 3; n++)
      await ask('GET /api/v1/name/ada', '203.0.113.1', { 'x-forwarded-for': `198.51.100.${n}` })
    expect((await ask('GET /api/v1/name/ada', '203.0.113.1', { forwarded: 'for=198.51.100.9' })).statusCode).toBe(429)
  })

  test('is the peer when that is no proxy of ours', async () => {
    const { ask } = await open()
    const lookUp = (n: number) => ask('GET /api/v1/name/ada', `203.0.113.${n}`, {}, '198.51.100.7')
    expect(
      [await lookUp(1), await lookUp(2), await lookUp(3), await lookUp(4)].map(({ statusCode }) => statusCode),
    ).toEqual([200, 200, 200, 429])
  })
})
