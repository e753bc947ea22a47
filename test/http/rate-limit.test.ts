import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../src/http/index.js'
import { createLimits } from '../../src/http/rate-limit.js'
import { countingRandom, stillClock } from '../support/till-app.js'

let app: FastifyInstance
let clock: ReturnType<typeof stillClock>
let release: () => void
/** Resolves when three slow pastes run. */
let threeRun: Promise<void>

async function start(rateLimits: boolean) {
  clock = stillClock()
  app = createApp({ clock, random: countingRandom(), rateLimits, trustedProxies: ['127.0.0.1'] })
  app.get('/page', { onRequest: app.limits.pages }, async () => ({}))
  app.post('/paste', { onRequest: app.limits.paste }, async () => ({}))
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  let started = 0
  threeRun = new Promise((resolve) => {
    app.post('/slow', { onRequest: app.limits.paste }, async () => {
      started += 1
      if (started === 3) resolve()
      await slow
      return {}
    })
  })
  await app.ready()
}
beforeEach(() => start(true))
afterEach(() => app.close())

const ask = (url: string, from = '203.0.113.1', method: 'GET' | 'POST' = 'POST') =>
  app.inject({ method, url, headers: { 'x-forwarded-for': from } })
const statuses = async (times: number, url: string, from?: string, method?: 'GET' | 'POST') => {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await ask(url, from, method)).statusCode)
  return seen
}

describe('a client', () => {
  test('may paste ten times a minute', async () => {
    expect(await statuses(10, '/paste')).toEqual(Array(10).fill(200))
    const refused = await ask('/paste')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ error: 'rate limited', code: 'RATE_LIMITED' })
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-limit': '10', 'ratelimit-remaining': '0' })
  })

  test('may paste again in the next minute, and Retry-After says when that is', async () => {
    clock.at += 45_000
    await statuses(10, '/paste')
    expect((await ask('/paste')).headers['retry-after']).toBe('15')
    clock.at += 15_000
    expect((await ask('/paste')).statusCode).toBe(200)
  })

  test('does not use up what belongs to another, nor its own pages', async () => {
    await statuses(11, '/paste')
    expect((await ask('/paste', '203.0.113.2')).statusCode).toBe(200)
    expect((await ask('/page', '203.0.113.1', 'GET')).statusCode).toBe(200)
  })

  test('may open 120 pages a minute', async () => {
    const seen = await statuses(121, '/page', '203.0.113.3', 'GET')
    expect(seen.lastIndexOf(200)).toBe(119)
    expect(seen[120]).toBe(429)
  })

  test('is a whole /64 of IPv6', async () => {
    await statuses(10, '/paste', '2001:db8:1:2::1')
    expect((await ask('/paste', '2001:db8:1:2:ffff::9')).statusCode).toBe(429)
    expect((await ask('/paste', '2001:db8:1:3::1')).statusCode).toBe(200)
  })

  test('may have three pastes running, and another when one has ended', async () => {
    const running = [1, 2, 3].map(async () => await ask('/slow'))
    await threeRun
    const fourth = await ask('/slow')
    expect([fourth.statusCode, fourth.headers['retry-after']]).toEqual([429, '1'])
    expect((await ask('/paste', '203.0.113.2')).statusCode).toBe(200)
    release()
    expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await ask('/paste')).statusCode).toBe(200)
  })
})

test('switched off, nothing is counted', async () => {
  await app.close()
  await start(false)
  expect(new Set(await statuses(30, '/paste'))).toEqual(new Set([200]))
})

test('a flood of addresses uses up no other client’s requests', () => {
  const time = { monotonic: () => 0 }
  const limits = createLimits({ clock: time, addressOf: ({ headers }) => String(headers.from), enabled: true })
  const reply = { header: () => reply }
  const isRefused = (from: string): boolean => {
    let refusal: Error | undefined
    const request = { raw: { headers: { from }, socket: {} } }
    limits.pages(request as never, reply as never, (error) => {
      refusal = error
    })
    return refusal !== undefined
  }
  for (let address = 0; address < 25_000; address++) isRefused(`flood ${address}`)
  expect(Array.from({ length: 120 }, () => isRefused('customer')).some(Boolean)).toBe(false)
  expect(isRefused('customer')).toBe(true)
})
