// The page at the root, and what a process of its own has beside the API.
import { describe, expect, test } from 'vitest'
import { createFakePayments } from '../../support/fake-payments.js'
import { NAME_VERSION, nameApp } from '../../support/name-app.js'
import { grin } from '../../support/till-builders.js'

describe('the page at the root', () => {
  test('says what this is: the names and the first relay', async () => {
    const { get } = await nameApp()
    const { statusCode, headers, body } = await get('/')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('you@names.acme.example')
    expect(body).toContain('wss://relay.acme.example')
    expect(body).toContain('Nostr client')
  })

  test('has no script, no frame, nothing from elsewhere', async () => {
    const { get } = await nameApp()
    const { headers, body } = await get('/')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
    expect(body).not.toMatch(/<script|javascript:|https?:\/\//)
  })

  test('says nothing of money, also where names are sold', async () => {
    const { get } = await nameApp({
      settings: { sale: { resource: 'name', price: grin(5) } },
      parts: { payments: createFakePayments() },
    })
    expect((await get('/')).body).not.toMatch(/grin\b|pay|price|cost|buy|sell|sale/i)
  })

  test('shows hostile settings as text', async () => {
    const { get } = await nameApp({ settings: { domain: '<b>"x"</b>', relays: [] } })
    const { body } = await get('/')
    expect(body).not.toContain('<b>"x"')
    expect(body).not.toContain('Relay:')
  })

  test('finds its style sheet and mark', async () => {
    const { get } = await nameApp()
    const { body } = await get('/')
    for (const [, file = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) expect((await get(file)).statusCode).toBe(200)
  })

  test('is left out inside a relay', async () => {
    const { get } = await nameApp({ landing: false })
    expect((await get('/')).statusCode).toBe(404)
    expect((await get('/api/v1/health')).statusCode).toBe(200)
  })
})

describe('health', () => {
  test('of the API is two letters', async () => {
    const { get } = await nameApp()
    const { statusCode, headers, body } = await get('/api/v1/health')
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/plain; charset=utf-8', 'ok'])
  })

  test('of the process is there when it has one to itself', async () => {
    const { get } = await nameApp({ checks: [{ name: 'database', ok: true, detail: 'writable' }] })
    expect((await get('/health')).json()).toEqual({ status: 'ok', version: NAME_VERSION })
    expect((await get('/ready')).json()).toMatchObject({ ready: true, checks: [{ name: 'database', status: 'ok' }] })
  })

  test('tells what is wrong by name alone', async () => {
    const { get } = await nameApp({ checks: [{ name: 'database', ok: false, detail: 'no space left on /dev/sda1' }] })
    const answer = await get('/ready')
    expect([answer.statusCode, answer.json().error]).toEqual([503, 'not ready: database'])
    expect(answer.body).not.toContain('sda1')
  })

  test('is not there inside a relay', async () => {
    const { get } = await nameApp()
    expect((await get('/health')).statusCode).toBe(404)
    expect((await get('/ready')).statusCode).toBe(404)
  })
})
