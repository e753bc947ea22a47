// Prices, quotes and the nudge of the invoicing service, as they look from outside (specification: names, 9).
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { createFakePayments } from '../../support/fake-payments.js'
import { nameApp } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'
import { grin } from '../../support/till-builders.js'

const ada = keyPairOf('ada')
const QUOTE = '/api/v1/quote'
const HOOK = 'the secret of both sides'
const PATHS = ['/api/v1/pay/webhook', '/api/v1/goblinpay/webhook']

const selling = (resource: 'name' | 'write', price = grin(1.5)) =>
  nameApp({
    settings: { sale: { resource, price } },
    parts: { payments: createFakePayments(), webhookSecret: new Secret(HOOK) },
  })

describe('a name with a price', () => {
  test('is refused with the invoice', async () => {
    const { claim } = await selling('name')
    const answer = await claim(ada, 'nova')
    expect(answer.statusCode).toBe(402)
    expect(answer.json()).toMatchObject({
      error: 'payment_required',
      resource: 'name',
      invoice_id: expect.any(String),
      pay_url: expect.stringMatching(/^https?:/),
      price_grin: '1.5',
      price_nanogrin: 1_500_000_000,
      currency: 'GRIN',
    })
  })

  test('has its exact price in the JSON, however large', async () => {
    const { claim } = await selling('name', nanoGrin(2n ** 53n + 1n))
    const { body } = await claim(ada, 'nova')
    expect(body).toContain('"price_nanogrin":9007199254740993,')
    expect(body).toContain('"price_grin":"9007199.254740993"')
  })
})

describe('a quote', () => {
  test('is the same refusal', async () => {
    const { ask } = await selling('write')
    const answer = await ask(ada, 'POST', QUOTE, { resource: 'write' })
    expect([answer.statusCode, answer.json().error, answer.json().resource]).toEqual([402, 'payment_required', 'write'])
  })

  test.each([
    [{ resource: 'name' }, 'resource not for sale on this authority'],
    [{ resource: 'write' }, 'resource not for sale on this authority'],
    [{}, 'invalid body'],
    ['nonsense', 'invalid body'],
  ])('for %j where nothing is sold', async (body, error) => {
    const { ask } = await nameApp()
    const answer = await ask(ada, 'POST', QUOTE, body)
    expect([answer.statusCode, answer.json().error]).toEqual([400, error])
  })

  test('of what is paid says so', async () => {
    const { ask } = await nameApp({
      change: (authority) => ({
        ...authority,
        paid: { ...authority.paid, quote: async ({ pubkey }) => ({ resource: 'write', pubkey }) },
      }),
    })
    const answer = await ask(ada, 'POST', QUOTE, {})
    expect([answer.statusCode, answer.body]).toEqual([200, `{"resource":"write","pubkey":"${ada.pubkey}","paid":true}`])
  })
})

describe('who paid for write access', () => {
  test('everybody, where it is not sold', async () => {
    const { get } = await nameApp()
    const { statusCode, body } = await get(`/api/v1/paid/${ada.pubkey.toUpperCase()}`)
    expect([statusCode, body]).toEqual([200, `{"pubkey":"${ada.pubkey}","paid":true}`])
  })

  test('not without a payment, where it is', async () => {
    const { get } = await selling('write')
    expect((await get(`/api/v1/paid/${ada.pubkey}`)).json()).toEqual({ pubkey: ada.pubkey, paid: false })
  })

  test.each(['npub1x', 'abc', `${ada.pubkey}0`])('%s is no key', async (key) => {
    const { get } = await nameApp()
    const answer = await get(`/api/v1/paid/${key}`)
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not found'])
  })
})

describe('the webhook', () => {
  const sign = (body: string, secret = HOOK) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const send = async (path: string, payload: string, headers: Record<string, string>) => {
    const { app } = await selling('name')
    const answer = await app.inject({ method: 'POST', url: path, payload, headers })
    return [answer.statusCode, answer.json().error ?? answer.body]
  }
  const FINE = [200, '{"ok":true}']

  test.each(PATHS)('%s hears a signed event under either header', async (path) => {
    const body = '{"invoice_id":"i1"}'
    expect(await send(path, body, { 'x-pay-signature': sign(body) })).toEqual(FINE)
    expect(await send(path, body, { 'x-goblinpay-signature': sign(body) })).toEqual(FINE)
  })

  test.each(PATHS)('%s refuses what is not signed, then what is no JSON', async (path) => {
    expect(await send(path, '{}', {})).toEqual([401, 'bad signature'])
    expect(await send(path, '{}', { 'x-pay-signature': sign('{}', 'other') })).toEqual([401, 'bad signature'])
    expect(await send(path, 'x', { 'x-pay-signature': sign('x') })).toEqual([400, 'invalid body'])
  })

  test.each(PATHS)('%s is not there without a secret', async (path) => {
    const { app } = await nameApp()
    const answer = await app.inject({ method: 'POST', url: path, payload: '{}' })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not found'])
  })
})
