import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { checkoutStatusSchema, paymentSchema, receiptSchema } from '../../../src/till/routes/schemas.js'
import { ADMIN, API, tillApp } from '../../support/till-app.js'
import { aPayment, grin, NOON } from '../../support/till-builders.js'

async function start(over = {}) {
  const { app, till } = await tillApp()
  const payment = aPayment({ payer: 'a'.repeat(64), settlement: 'mined', minedHeight: 7, confirmations: 2, ...over })
  till.payments.set(payment.id, payment)
  return { app, till, payment }
}

describe('a payment', () => {
  test('is shown to every client that knows its id, without the payer', async () => {
    const { app, payment } = await start()
    const shown = paymentSchema.parse((await app.inject({ url: `/payment/${payment.id}` })).json())
    expect(shown).toEqual({
      payment_id: payment.id,
      amount: 2_000_000_000,
      status: 'mined',
      confirmed_height: 7,
      confirmed_at: null,
      created_at: '2026-07-01T12:00:00Z',
      confirmations: 2,
      confirmations_required: 10,
      output: null,
    })
  })

  test('shows the payer to the operator only', async () => {
    const { app, payment } = await start()
    const url = `/payment/${payment.id}`
    expect((await app.inject({ url, headers: ADMIN })).json().payer).toBe('a'.repeat(64))
    expect((await app.inject({ url, headers: API })).json()).not.toHaveProperty('payer')
  })

  test('of more than 2^53 nanogrin keeps all its digits', async () => {
    const { app, payment } = await start({ amount: nanoGrin(9_007_199_254_740_993n) })
    expect((await app.inject({ url: `/payment/${payment.id}` })).body).toContain('"amount":9007199254740993,')
  })

  test('has a receipt', async () => {
    const { app, payment } = await start()
    const receipt = receiptSchema.parse((await app.inject({ url: `/payment/${payment.id}/receipt` })).json())
    expect(Object.keys(receipt.receipt)[1]).toBe('payment_id')
  })

  test.each(['/payment/nope', '/payment/nope/receipt'])('that is not there (%s) is 404', async (url) => {
    const { app } = await start()
    const answer = await app.inject({ url })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'payment not found'])
  })
})

describe('the status of a checkout', () => {
  test('names no payment', async () => {
    const { app, till } = await start()
    const { token } = till.put({
      amount: grin(1.5),
      status: 'paid',
      paymentId: 'secret',
      paidAt: NOON,
      confirmations: 4,
    })
    const answer = await app.inject({ url: `/pay/${token}/status` })
    expect(checkoutStatusSchema.parse(answer.json())).toMatchObject({
      status: 'paid',
      expected_amount: 1_500_000_000,
      confirmations: 4,
      confirmations_required: 10,
    })
    expect(answer.body).not.toContain('secret')
  })

  test('of an unknown token is a JSON 404', async () => {
    const { app } = await start()
    const answer = await app.inject({ url: '/pay/nope/status' })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not found'])
  })

  test('may be read by scripts of the listed shops only', async () => {
    const { app, till } = await tillApp({ statusOrigins: ['https://shop.example'] })
    const { token } = till.put({})
    const read = (origin: string) => app.inject({ url: `/pay/${token}/status`, headers: { origin } })
    expect((await read('https://shop.example')).headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      vary: 'Origin',
    })
    expect((await read('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
    const page = await app.inject({ url: `/pay/${token}`, headers: { origin: 'https://shop.example' } })
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('answers a preflight of the listed shops, and of no others', async () => {
    const { app, till } = await tillApp({ statusOrigins: ['https://shop.example'] })
    const url = `/pay/${till.put({}).token}/status`
    const ask = (origin: string) =>
      app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'GET' } })
    const listed = await ask('https://shop.example')
    expect([listed.statusCode, listed.body]).toEqual([204, ''])
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, HEAD',
      vary: 'Origin',
    })
    const other = await ask('https://evil.example')
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
    expect(other.headers['access-control-allow-methods']).toBeUndefined()
    expect(other.headers.vary).toBe('Origin')
    const { app: closed } = await tillApp()
    expect((await closed.inject({ method: 'OPTIONS', url })).statusCode).toBe(405)
  })

  test('may be read by no other origin when none is listed', async () => {
    const { app, till } = await start()
    const { token } = till.put({})
    const answer = await app.inject({ url: `/pay/${token}/status`, headers: { origin: 'https://shop.example' } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
