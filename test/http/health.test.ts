import { describe, expect, test } from 'vitest'
import { createReadiness, type ReadinessCheck } from '../../src/http/index.js'
import { ADMIN, stillClock, tillApp, VERSION } from '../support/till-app.js'

const store: ReadinessCheck = { name: 'store', ok: true, detail: 'writable' }
const node: ReadinessCheck = { name: 'node', ok: false, detail: 'connect ECONNREFUSED 10.0.0.7:3413' }

describe('/health', () => {
  test('says that the process answers, and nothing else', async () => {
    const { app } = await tillApp({ checks: [node] })
    const answer = await app.inject({ url: '/health' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', version: VERSION }])
    expect((await app.inject({ method: 'HEAD', url: '/health' })).statusCode).toBe(200)
  })

  test('shows everything to the operator with deep=1, and to no other client', async () => {
    const { app } = await tillApp({ checks: [node] })
    const deep = await app.inject({ url: '/health?deep=1', headers: ADMIN })
    expect(deep.json().checks).toEqual([
      { name: 'node', status: 'failed', since: '2026-07-01T12:00:00Z', detail: node.detail },
    ])
    expect((await app.inject({ url: '/health?deep=1' })).statusCode).toBe(401)
  })
})

describe('/ready', () => {
  test('is 200 when all checks are', async () => {
    const { app } = await tillApp({ checks: [store] })
    const answer = await app.inject({ url: '/ready' })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ready: true, checks: [{ name: 'store', status: 'ok', since: '2026-07-01T12:00:00Z' }] },
    ])
  })

  test('is 503 with the failed names; hosts and causes are for the operator', async () => {
    const { app } = await tillApp({ checks: [store, node] })
    const answer = await app.inject({ url: '/ready' })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ ready: false, error: 'not ready: node', code: 'NOT_READY' })
    expect(answer.body).not.toContain('ECONNREFUSED')
    expect((await app.inject({ url: '/ready', headers: ADMIN })).body).toContain('ECONNREFUSED')
  })
})

describe('readiness', () => {
  test('remembers since when a part says what it says', async () => {
    const clock = stillClock()
    let ok = true
    const readiness = createReadiness({ clock, checks: async () => [{ name: 'node', ok, detail: '' }] })
    const since = async () => ((await readiness.findings())[0]?.since ?? 0) - clock.at
    expect(await since()).toBe(0)
    clock.at += 10_000
    expect(await since()).toBe(-10_000)
    ok = false
    clock.at += 10_000
    expect(await since()).toBe(0)
  })

  test('asks the parts once for a crowd', async () => {
    let asked = 0
    const clock = stillClock()
    const readiness = createReadiness({ clock, checks: async () => [{ name: `n${++asked}`, ok: true, detail: '' }] })
    await Promise.all([readiness.findings(), readiness.findings()])
    clock.at += 1_999
    await readiness.findings()
    expect(asked).toBe(1)
    clock.at += 1
    await readiness.findings()
    expect(asked).toBe(2)
  })

  test('asks again when the clock was set back', async () => {
    let asked = 0
    const clock = stillClock()
    const readiness = createReadiness({ clock, checks: async () => [{ name: `n${++asked}`, ok: true, detail: '' }] })
    await readiness.findings()
    clock.at -= 3_600_000
    await readiness.findings()
    expect(asked).toBe(2)
  })

  test('a part that throws makes it unready', async () => {
    const checks = () => Promise.reject(new Error('no disk'))
    expect(await createReadiness({ clock: stillClock(), checks }).findings()).toMatchObject([
      { ok: false, detail: 'no disk' },
    ])
  })

  test('a part that never answers makes it unready', async () => {
    const clock = { now: () => 0, sleep: async () => {} }
    const readiness = createReadiness({ clock, checks: () => new Promise<never>(() => {}) })
    expect(await readiness.findings()).toMatchObject([{ ok: false, detail: 'no answer in 5 s' }])
  })
})
