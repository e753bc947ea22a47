// A misspelt member is refused by name: taken for an absent one it would make an invoice that lives for ever, or send to every receiver.
import { describe, expect, test } from 'vitest'
import { openEnvironment, readPayValues } from '../../../src/config/index.js'
import { createInvoiceBody } from '../../../src/till/routes/requests.js'
import { ADMIN, API, type TillAppOptions, tillApp } from '../../support/till-app.js'

async function start(options: TillAppOptions = {}) {
  const { app, till } = await tillApp(options)
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: { ...ADMIN }, payload })
  const create = (payload: object) => app.inject({ method: 'POST', url: '/invoice', headers: API, payload })
  const get = (url: string) => app.inject({ url, headers: ADMIN })
  return { till, post, create, get }
}

describe('POST /invoice', () => {
  test.each([
    ['expires_in', 'expiry_secs'],
    ['expires_at', 'expiry_secs'],
    ['expiry', 'expiry_secs'],
    ['expirySecs', 'expiry_secs'],
    ['orderRef', 'order_ref'],
    ['order-ref', 'order_ref'],
    ['order_id', 'order_ref'],
    ['amount', 'amount_grin'],
    ['amountGrin', 'amount_grin'],
    ['Memo', 'memo'],
    ['returnUrl', 'return_url'],
    ['match', 'match_mode'],
  ])('with %s is refused and names %s', async (name, known) => {
    const { create, till } = await start()
    const answer = await create({ amount_grin: 1, [name]: 600 })
    expect(answer.json()).toMatchObject({
      status: 422,
      code: 'UNKNOWN_MEMBER',
      error: `unknown member "${name}"; did you mean "${known}"?`,
      errors: [{ pointer: `/${name}`, detail: `unknown member "${name}"; did you mean "${known}"?` }],
      hint: expect.stringMatching(/^known here: amount_grin, .*return_url; PAY_UNKNOWN_FIELDS=ignore /),
    })
    expect([answer.statusCode, till.asked]).toEqual([422, []])
  })

  test('names nothing where nothing is near, all of them, and no more than twenty', async () => {
    const { create } = await start()
    expect((await create({ amount_grin: 1, zzz: 1 })).json().error).toBe('unknown member "zzz"')
    expect((await create({ amount_grin: 1, zzz: 1, orderRef: 'x' })).json().errors).toHaveLength(2)
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}`.padStart(60, 'x'), 1]))
    const { errors } = (await create(many)).json()
    expect([errors.length, errors[0].detail.length < 80]).toEqual([20, true])
  })

  test.each<[string, object]>([
    [
      'WooCommerce plugin',
      {
        order_ref: '7',
        amount_fiat: '5',
        currency: 'USD',
        memo: 'Order #7',
        match_mode: 'derived',
        expiry_secs: 86_400,
      },
    ],
    ['Medusa provider', { order_ref: 'ses_1', amount_fiat: '5', currency: 'usd', memo: 'Cart' }],
    [
      'Medusa provider with its options',
      { order_ref: 's', amount_fiat: '5', currency: 'usd', memo: 'Cart', match_mode: 'memo', expiry_secs: 900 },
    ],
    ['authority beside strfry', { order_ref: 'floonet-name:ab', amount_grin: 5, memo: 'Floonet name' }],
    ['authority in a relay', { amount_grin: 5, order_ref: 'floonet:ab', memo: 'floonet relay' }],
    ['market of names', { amount_grin: 5, match_mode: 'memo', order_ref: 'mm:ada:ab', memo: 'Name ada' }],
    ['name authority of ours', { amount_grin: 5, order_ref: 'x', memo: 'm', match_mode: 'derived', expiry_secs: 3600 }],
  ])('is answered as ever to the %s', async (_client, body) => {
    const { create } = await start()
    expect((await create(body)).statusCode).toBe(200)
  })

  test('knows every documented member', async () => {
    const { create } = await start()
    const all = Object.fromEntries(Object.keys(createInvoiceBody.shape).map((name) => [name, null]))
    expect((await create({ ...all, amount_grin: 1 })).statusCode).toBe(200)
  })

  test('leaves to its own check what is no object', async () => {
    const { create } = await start()
    expect((await create([])).json()).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })
})

describe('the admin API', () => {
  test.each([
    ['/admin/users', { rotateInterval: 5 }, 'unknown member "rotateInterval"; did you mean "rotate_interval"?'],
    ['/admin/users/x/rotate-interval', { intervall: 5 }, 'unknown member "intervall"; did you mean "interval"?'],
    ['/admin/payments/x/match', { invoice: 'y' }, 'unknown member "invoice"; did you mean "invoice_id"?'],
    ['/admin/invoices/x/cancel', { reason: 'z' }, 'unknown member "reason"'],
    ['/admin/webhooks/x/replay', { receiver: 2 }, 'unknown member "receiver"; it belongs into the address: ?receiver='],
    ['/admin/webhooks/test', { receiver: 2 }, 'unknown member "receiver"; it belongs into the address: ?receiver='],
    ['/admin/webhooks/test?reciever=2', {}, 'unknown member "reciever"; did you mean "receiver"?'],
  ])('refuses POST %s with %j', async (url, body, error) => {
    const { post } = await start()
    expect((await post(url, body)).json()).toMatchObject({ status: 422, code: 'UNKNOWN_MEMBER', error })
  })

  test.each([
    ['/admin/invoices?form=2026-07-01', '?form', 'from'],
    ['/admin/payments?state=confirmed', '?state', 'status'],
    ['/admin/webhooks?invoice=x', '?invoice', 'invoice_id'],
    ['/admin/report?by=day&form=2026-07-01', '?form', 'from'],
    ['/admin/report.csv?by=day&timezone=UTC', '?timezone', 'zone'],
  ])('refuses GET %s', async (url, pointer, meant) => {
    const { get } = await start()
    const answer = (await get(url)).json()
    expect(answer).toMatchObject({ status: 422, code: 'UNKNOWN_MEMBER', errors: [{ pointer }] })
    expect(answer.error).toContain(`"${meant}"`)
  })

  test('looks at the token first', async () => {
    const { app } = await tillApp()
    expect((await app.inject({ method: 'POST', url: '/admin/users', payload: { nope: 1 } })).statusCode).toBe(401)
  })
})

describe('PAY_UNKNOWN_FIELDS=ignore', () => {
  test('takes what an old shop sends', async () => {
    const { create, post, get, till } = await start({ unknownFields: 'ignore' })
    expect((await create({ amount_grin: 1, expires_in: 5 })).statusCode).toBe(200)
    expect(till.asked).toEqual([{ amountNanogrin: 1n }])
    expect((await post('/admin/users', { user: 'x' })).statusCode).toBe(200)
    expect((await get('/admin/invoices?form=1')).statusCode).toBe(200)
  })

  test('is one of two words', () => {
    const read = (text?: string) =>
      readPayValues(openEnvironment({ variables: text === undefined ? {} : { PAY_UNKNOWN_FIELDS: text } }))
    expect(read().values.unknownFields).toBe('refuse')
    expect(read('ignore').values.unknownFields).toBe('ignore')
    expect(read('off').problems[0]?.text).toBe('PAY_UNKNOWN_FIELDS must be refuse, ignore (got "off")')
  })
})
