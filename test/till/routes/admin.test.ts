import { describe, expect, test } from 'vitest'
import { statusView } from '../../../src/till/routes/print.js'
import * as schemas from '../../../src/till/routes/schemas.js'
import { aDelivery, createFakeTill } from '../../support/fake-till.js'
import { ADMIN, API, tillApp } from '../../support/till-app.js'
import { aPayment, grin } from '../../support/till-builders.js'

const ROUTES = [
  ['GET', '/admin/invoices'],
  ['POST', '/admin/invoices/x/cancel'],
  ['GET', '/admin/payments'],
  ['POST', '/admin/payments/x/match'],
  ['POST', '/admin/payments/x/resend'],
  ['GET', '/admin/ids'],
  ['GET', '/admin/report?by=day'],
  ['GET', '/admin/report.csv?by=day'],
  ['GET', '/admin/status'],
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', '/admin/users/x'],
  ['POST', '/admin/users/x/rotate'],
  ['POST', '/admin/users/x/rotate-interval'],
  ['GET', '/admin/webhooks'],
  ['GET', '/admin/webhooks/x'],
  ['POST', '/admin/webhooks/x/replay'],
  ['POST', '/admin/webhooks/test'],
] as const

describe.each(ROUTES)('%s %s', (method, url) => {
  test('is closed without the admin token', async () => {
    const { app } = await tillApp()
    expect((await app.inject({ method, url })).statusCode).toBe(401)
    expect((await app.inject({ method, url, headers: API })).statusCode).toBe(401)
  })
  test('is 503 while no admin token is configured', async () => {
    const { app } = await tillApp({ adminTokens: [] })
    const answer = await app.inject({ method, url, headers: ADMIN })
    expect([answer.statusCode, answer.json().error]).toEqual([503, 'admin token not configured'])
  })
})

async function start() {
  const { app, till } = await tillApp()
  const get = (url: string) => app.inject({ url, headers: ADMIN })
  const post = (url: string, payload?: object) =>
    app.inject({ method: 'POST', url, headers: ADMIN, ...(payload && { payload }) })
  return { app, till, get, post }
}

describe('ids', () => {
  test('are found by how they begin, at most six', async () => {
    const { till, get } = await start()
    for (const digit of '12345678') till.put({ id: `9b1d6${digit}`.padEnd(32, '0') })
    const found = async (query: string) => (await get(`/admin/ids?${query}`)).json()
    expect(schemas.idListSchema.parse(await found('kind=invoice&prefix=9b1d62'))).toEqual({
      ids: ['9b1d62'.padEnd(32, '0')],
    })
    expect((await found('kind=invoice&prefix=9b1d60')).ids).toEqual([])
    expect((await found('kind=payment&prefix=9b1d62')).ids).toEqual([])
  })

  test.each([
    ['kind=user&prefix=9b1d62', '?kind'],
    ['kind=invoice&prefix=9b1d6', '?prefix'],
    ['kind=invoice&prefix=%25%25%25%25%25%25', '?prefix'],
    ['kind=invoice', '?prefix'],
    [`kind=invoice&prefix=${'a'.repeat(65)}`, '?prefix'],
  ])('?%s is refused by name', async (query, pointer) => {
    const { get } = await start()
    const answer = await get(`/admin/ids?${query}`)
    expect([answer.statusCode, answer.json().errors[0].pointer]).toEqual([400, pointer])
  })

  test('the open routes know whole ids only', async () => {
    const { app, till } = await start()
    const { id } = till.put({})
    const payment = aPayment()
    till.payments.set(payment.id, payment)
    const statusOf = async (url: string) => (await app.inject({ url, headers: API })).statusCode
    expect([await statusOf(`/invoice/${id}`), await statusOf(`/payment/${payment.id}`)]).toEqual([200, 200])
    expect(await statusOf(`/invoice/${id.slice(0, 31)}`)).toBe(404)
    expect(await statusOf(`/payment/${payment.id.slice(0, 35)}`)).toBe(404)
  })
})

describe('invoices', () => {
  test('are listed with a cursor', async () => {
    const { till, get } = await start()
    for (let i = 0; i < 3; i++) till.put({ orderRef: 'a' })
    const answer = (await get('/admin/invoices?status=open&order_ref=a&limit=2')).json()
    expect(schemas.invoiceListSchema.parse(answer)).toMatchObject({ next_cursor: 'more' })
    expect(answer.invoices.length).toBe(2)
  })

  test.each([
    ['status=paidd', '?status'],
    ['limit=0', '?limit'],
    ['limit=201', '?limit'],
    ['limit=1e2', '?limit'],
    ['limit=1&limit=2', '?limit'],
    ['from=yesterday', '?from'],
    ['to=2026-13-01', '?to'],
    ['cursor=', '?cursor'],
  ])('?%s is refused by name', async (query, pointer) => {
    const { get } = await start()
    const answer = await get(`/admin/invoices?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors[0].pointer).toBe(pointer)
  })

  test.each(['2026-07-01', '2026-07-01T12:00:00Z', '2026-07-01T14:00:00%2B02:00'])(
    '?from=%s is a time',
    async (from) => {
      const { get } = await start()
      expect((await get(`/admin/invoices?from=${from}`)).statusCode).toBe(200)
    },
  )

  test('are cancelled once', async () => {
    const { till, post } = await start()
    const { id } = till.put({})
    expect((await post(`/admin/invoices/${id}/cancel`)).json()).toMatchObject({ status: 'cancelled' })
    expect((await post(`/admin/invoices/${id}/cancel`)).json()).toMatchObject({ status: 409, code: 'INVOICE_NOT_OPEN' })
    expect((await post('/admin/invoices/nope/cancel')).statusCode).toBe(404)
  })
})

describe('payments', () => {
  test('are listed with invoice, user and payer', async () => {
    const { till, get } = await start()
    const payment = aPayment()
    till.payments.set(payment.id, payment)
    const answer = (await get('/admin/payments?unmatched=true')).json()
    expect(schemas.paymentListSchema.parse(answer)).toMatchObject({
      payments: [{ payment_id: payment.id, invoice_id: null, user_id: null, payer: null, rail: 'slatepack' }],
      next_cursor: null,
    })
  })

  test('are attached to an invoice', async () => {
    const { till, post } = await start()
    const payment = aPayment()
    till.payments.set(payment.id, payment)
    const { id } = till.put({ amount: grin(2) })
    const answer = await post(`/admin/payments/${payment.id}/match`, { invoice_id: id })
    expect(schemas.paymentRecordSchema.parse(answer.json()).invoice_id).toBe(id)
    expect((await post(`/admin/payments/${payment.id}/match`, {})).json().errors[0].pointer).toBe('/invoice_id')
  })

  test('over Nostr have their reply sent again; of the others the checkout page has it', async () => {
    const { till, post } = await start()
    const [overNostr, pasted] = [aPayment({ rail: 'nostr' }), aPayment()]
    for (const payment of [overNostr, pasted]) till.payments.set(payment.id, payment)
    const answer = await post(`/admin/payments/${overNostr.id}/resend`)
    expect(schemas.paymentRecordSchema.parse(answer.json()).payment_id).toBe(overNostr.id)
    expect((await post(`/admin/payments/${pasted.id}/resend`)).json()).toMatchObject({
      status: 409,
      code: 'REPLY_NOT_BY_NOSTR',
    })
    expect((await post('/admin/payments/nope/resend')).statusCode).toBe(404)
  })
})

describe('webhooks', () => {
  test('are listed, shown with every try, and replayed', async () => {
    const { till, get, post } = await start()
    const delivery = aDelivery({ body: '{"a":1}' })
    till.deliveries.set(delivery.eventId, delivery)
    schemas.deliveryListSchema.parse((await get('/admin/webhooks?failed=1')).json())
    const shown = schemas.deliveryDetailSchema.parse((await get(`/admin/webhooks/${delivery.eventId}`)).json())
    expect(shown).toMatchObject({ body: '{"a":1}', delivered: false, next_attempt_at: '2026-07-01T13:00:00Z' })
    const replayed = await post(`/admin/webhooks/${delivery.eventId}/replay`)
    expect(schemas.deliverySchema.parse(replayed.json())).toMatchObject({ attempts: 0, state: 'pending' })
    expect((await get('/admin/webhooks/nope')).json()).toMatchObject({ status: 404, code: 'DELIVERY_NOT_FOUND' })
  })

  test('are tested', async () => {
    const { post } = await start()
    const answer = await post('/admin/webhooks/test')
    expect(schemas.webhookTestSchema.parse(answer.json()).attempt).toMatchObject({ http_status: 200, duration_ms: 12 })
  })
})

describe('users', () => {
  test('are made, read, rotated and listed', async () => {
    const { get, post } = await start()
    const made = schemas.endpubSchema.parse((await post('/admin/users', { user_id: 'ann' })).json())
    expect((await get('/admin/users/ann')).json()).toEqual(made)
    expect((await post('/admin/users/ann/rotate')).json()).toMatchObject({ user_id: 'ann', epoch: 1 })
    expect((await post('/admin/users/ann/rotate-interval', { interval: null })).json()).toEqual({
      user_id: 'ann',
      updated: true,
    })
    const list = (await get('/admin/users')).json()
    expect(schemas.userListSchema.parse(list)).toMatchObject({ users: [{ balance: 3 }] })
  })

  test('get an id of their own without a body', async () => {
    const { post } = await start()
    expect((await post('/admin/users')).json().user_id).toMatch(/^[0-9a-f]{32}$/)
  })

  test('exist once', async () => {
    const { post } = await start()
    await post('/admin/users', { user_id: 'ann' })
    expect((await post('/admin/users', { user_id: 'ann' })).statusCode).toBe(409)
  })

  test.each(['', 'a b', 'x'.repeat(65), '../x', 'é'])('cannot be called %.8j', async (user_id) => {
    const { post } = await start()
    expect((await post('/admin/users', { user_id })).json().errors[0].pointer).toBe('/user_id')
  })

  test('that are not there are 404', async () => {
    const { get, post } = await start()
    expect((await get('/admin/users/bob')).json().error).toBe('user not found')
    expect((await post('/admin/users/bob/rotate')).statusCode).toBe(404)
    expect((await post('/admin/users/bob/rotate-interval', { interval: 5 })).statusCode).toBe(404)
  })
})

test('the status sums up the till, with exact amounts', async () => {
  const { get } = await start()
  const answer = await get('/admin/status')
  expect(answer.body).toContain('"amount":1152921504606846976,')
  expect(schemas.statusSchema.parse(answer.json())).toMatchObject({
    chain: 'mainnet',
    public_url: 'https://till.example',
    letters: { pending: 1, oldest_seconds: 7 },
    relays: [{ url: 'wss://relay.example', state: 'connected', since: '2026-07-01T12:00:00Z', round_trip_ms: 41 }],
    inbox: { outcomes: { received: 3 } },
    node: { ok: true, height: 1_000_000 },
    balance: { confirmed: { count: 1, amount_grin: '1152921504.606846976' } },
  })
})

test('a sum that outgrows 64 bits, as payments that are not confirmed may, is printed exactly', async () => {
  const till = createFakeTill()
  const received = { count: 2, amount: 2n ** 65n }
  const sums = { balance: { received }, today: await till.today() }
  const { balance } = statusView(await till.status(), sums, { version: '1', chain: 'mainnet', publicUrl: '' })
  expect(balance.received).toEqual({ ...received, amount_grin: '36893488147.419103232' })
})
