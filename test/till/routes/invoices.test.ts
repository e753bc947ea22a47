import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { invoiceSchema } from '../../../src/till/routes/schemas.js'
import { createFakeTill } from '../../support/fake-till.js'
import { ADMIN_TOKEN, API, tillApp } from '../../support/till-app.js'
import { anInvoice, grin, MINUTE, NOON } from '../../support/till-builders.js'

type Headers = Record<string, string>

async function start() {
  const { app, till } = await tillApp()
  const create = (payload: string | object, headers: Headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/invoice',
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...API, ...headers },
    })
  return { app, till, create }
}

describe('the token is looked at before the body', () => {
  const broken = { method: 'POST' as const, url: '/invoice', payload: '{', headers: { 'content-type': 'text/plain' } }

  test('503 when none is configured, whatever is sent', async () => {
    const { app } = await tillApp({ apiTokens: [] })
    const answer = await app.inject({ ...broken, headers: { ...broken.headers, ...API } })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'api token not configured', code: 'TOKEN_NOT_CONFIGURED' })
  })

  test.each([undefined, 'Bearer wrong', `Bearer ${ADMIN_TOKEN}`, 'Basic eA=='])('401 for %j', async (authorization) => {
    const { app } = await start()
    const answer = await app.inject({
      ...broken,
      headers: { ...broken.headers, ...(authorization && { authorization }) },
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.json()).toMatchObject({ error: 'unauthorized', code: 'UNAUTHORIZED' })
  })

  test('then the body: 415, 400', async () => {
    const { create } = await start()
    expect((await create('{', { 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await create('{')).statusCode).toBe(400)
  })
})

describe('creating', () => {
  test('answers 200 with every member of the contract and nothing else', async () => {
    const { create, till } = await start()
    const answer = await create({ amount_grin: 1_500_000_000, order_ref: '10412', memo: 'Coffee', expiry_secs: 86_400 })
    expect(answer.statusCode).toBe(200)
    expect(invoiceSchema.parse(answer.json())).toMatchObject({
      amount: '1.5 GRIN',
      amount_nanogrin: 1_500_000_000,
      status: 'open',
      confirmations: 0,
      confirmations_required: 10,
      order_ref: '10412',
      memo: 'Coffee',
      fiat: null,
      return_url: null,
      paid_at: null,
    })
    const { pay_url, token, npub, nprofile } = answer.json()
    expect(pay_url).toBe(`https://till.example/pay/${token}`)
    expect(npub).toMatch(/^npub1/)
    expect(nprofile).toMatch(/^nprofile1/)
    expect(till.asked).toEqual([
      { amountNanogrin: 1_500_000_000n, orderRef: '10412', memo: 'Coffee', expirySecs: 86_400 },
    ])
  })

  test('an address to go back to is kept and answered', async () => {
    const { create } = await start()
    const sent = { amount_grin: 1, return_url: 'https://shop.example/orders/1001' }
    expect((await create(sent)).json()).toMatchObject({ return_url: 'https://shop.example/orders/1001' })
  })

  test('null members are absent members', async () => {
    const { create, till } = await start()
    const sent = { amount_fiat: '12.50', currency: 'USD', memo: null, match_mode: null, amount_grin: null }
    expect((await create(sent)).statusCode).toBe(200)
    expect(till.asked).toEqual([{ amountFiat: '12.50', currency: 'USD' }])
  })

  test.each([
    '0',
    '-1',
    '1.0',
    '1e3',
    '1.5',
    '9007199254740992',
    '9007199254740993',
    '18446744073709551615',
    '"5"',
    'true',
    '[]',
    '{}',
  ])('amount_grin %s is refused by name', async (value) => {
    const { create, till } = await start()
    const answer = await create(`{"amount_grin":${value}}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'amount_grin must be a whole number from 1 to 9007199254740991 (nanogrin)',
      code: 'INVALID_REQUEST',
      errors: [{ pointer: '/amount_grin' }],
    })
    expect(till.asked).toEqual([])
  })

  test('the largest exact amount is taken to the last digit', async () => {
    const { create, till } = await start()
    expect((await create('{"amount_grin":9007199254740991}')).statusCode).toBe(200)
    expect(till.asked[0]?.amountNanogrin).toBe(9_007_199_254_740_991n)
  })

  test.each([
    [{ amount_grin: 1, match_mode: 'Memo' }, 'match_mode must be memo, derived, or amount'],
    [{ amount_grin: 1, match_mode: 5 }, 'match_mode must be memo, derived, or amount'],
    [{ amount_grin: 1, expiry_secs: 59 }, 'expiry_secs must be a whole number from 60 to 31536000'],
    [{ amount_grin: 1, expiry_secs: 31_536_001 }, 'expiry_secs must be a whole number from 60 to 31536000'],
    [{ amount_grin: 1, order_ref: 7 }, 'order_ref: Invalid input: expected string, received number'],
    [{ amount_fiat: true, currency: 'usd' }, 'amount_fiat: Invalid input: expected string, received boolean'],
    [{ memo: 'x' }, 'provide amount_grin, or amount_fiat + currency'],
    [[], 'the body must be a JSON object'],
  ])('%j is refused', async (body, error) => {
    const { create } = await start()
    const answer = await create(body)
    expect([answer.statusCode, answer.json().error]).toEqual([400, error])
  })

  test.each(['12.5', '5', '3.3000000000000003', '0.10', '1e3', '-0', '9007199254740993'])(
    'amount_fiat may be the number %s, which arrives as it was sent',
    async (number) => {
      const { create, till } = await start()
      expect((await create(`{"amount_fiat":${number},"currency":"usd"}`)).statusCode).toBe(200)
      expect(till.asked).toEqual([{ amountFiat: number, currency: 'usd' }])
    },
  )

  test.each([
    ['{"amount_grin":1,"order_ref":1001.0}', 'order_ref: Invalid input: expected string, received number'],
    ['{"amount_grin":1,"memo":1e3}', 'memo: Invalid input: expected string, received number'],
    ['1.5', 'the body must be a JSON object'],
  ])('%s is refused, and a number is called a number', async (body, error) => {
    const { create, till } = await start()
    const answer = await create(body)
    expect([answer.statusCode, answer.json().error, till.asked]).toEqual([400, error, []])
  })

  test('all wrong members are named at once', async () => {
    const { create } = await start()
    const { errors } = (await create({ amount_grin: 0, expiry_secs: 1, memo: 4 })).json()
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/amount_grin', '/memo', '/expiry_secs'])
  })

  test('a body is needed', async () => {
    const { app } = await start()
    const answer = await app.inject({ method: 'POST', url: '/invoice', headers: API })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'the body must be a JSON object'])
  })
})

describe('with an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order-10412' }

  test('the same request gets the same invoice, marked', async () => {
    const { create, till } = await start()
    const first = await create('{"amount_grin":5,"memo":"a"}', key)
    const second = await create('{ "memo":"a", "amount_grin":5 }', key)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
    expect(till.asked.length).toBe(1)
  })

  test('another body is 422', async () => {
    const { create } = await start()
    await create({ amount_grin: 5 }, key)
    expect((await create({ amount_grin: 6 }, key)).json()).toMatchObject({ status: 422, code: 'IDEMPOTENCY_MISMATCH' })
  })

  test('while the first one runs, the second has to wait', async () => {
    const { create, till } = await start()
    let open = () => {}
    till.gate = new Promise((resolve) => (open = resolve))
    const answers = Promise.all([create({ amount_grin: 5 }, key), create({ amount_grin: 5 }, key)])
    const second = await create({ amount_grin: 5 }, key)
    expect(second.json()).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_FLIGHT' })
    expect(second.headers['retry-after']).toBe('1')
    open()
    expect((await answers).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test.each(['a b', 'x'.repeat(129)])('%.5j… is refused', async (bad) => {
    const { create } = await start()
    expect((await create({ amount_grin: 5 }, { 'idempotency-key': bad })).json()).toMatchObject({
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
    })
  })
})

describe('reading', () => {
  test('shows the invoice as it stands', async () => {
    const { app, till } = await start()
    const fiat = { amount: '12.50', currency: 'USD', rate: '0.083333', source: 'coingecko' }
    const { id } = till.put({
      fiat: { ...fiat, sentAs: 'usd' },
      amount: grin(150),
      status: 'paid',
      confirmations: 3,
      expiresAt: NOON + MINUTE,
      paidAt: NOON,
    })
    expect((await app.inject({ url: `/invoice/${id}`, headers: API })).json()).toMatchObject({
      amount: '12.50 usd (~150 GRIN)',
      amount_nanogrin: 150_000_000_000,
      fiat,
      status: 'paid',
      confirmations: 3,
      expires_at: '2026-07-01T12:01:00Z',
      paid_at: '2026-07-01T12:00:00Z',
    })
  })

  test.each(['nope', 'x'.repeat(90), '%00'])('an unknown id (%.8s) is 404 "not found"', async (id) => {
    const { app } = await start()
    const answer = await app.inject({ url: `/invoice/${id}`, headers: API })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not found'])
  })

  test('a bare till and one below a path print their own links', async () => {
    const till = createFakeTill({ publicUrl: 'https://shop.example/pay' })
    const { app } = await tillApp({ till })
    const { id, token } = till.put(anInvoice())
    const answer = await app.inject({ url: `/invoice/${id}`, headers: API })
    expect(answer.json().pay_url).toBe(`https://shop.example/pay/pay/${token}`)
  })

  test('an amount beyond 2^53 keeps all its digits', async () => {
    const { app, till } = await start()
    const { id } = till.put({ amount: nanoGrin(2n ** 64n - 1n) })
    const answer = await app.inject({ url: `/invoice/${id}`, headers: API })
    expect(answer.body).toContain('"amount_nanogrin":18446744073709551615,')
  })
})
