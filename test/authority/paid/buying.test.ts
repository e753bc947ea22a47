// A name for an invoice (specification: names, 9): who is quoted what, and when the payment counts.
import { describe, expect, test } from 'vitest'
import {
  answerTo,
  bytesOf,
  INTERVAL_SECONDS,
  NAME_SALE,
  openSale,
  signatureOf,
  WRITE_SALE,
} from '../../support/name-sale.js'
import { grin, HOUR, SECOND } from '../../support/till-builders.js'

const INTERVAL = INTERVAL_SECONDS * SECOND

describe('without a sale', () => {
  test('names are free, everybody may write, nothing can be quoted', async () => {
    const { claim, paid, quote, payments, aKey } = openSale({ sale: undefined })
    const key = aKey()
    expect((await claim(key, 'alice')).code).toBe('ok')
    expect(await paid.isWritePaid(key.toUpperCase())).toEqual({ pubkey: key, paid: true })
    expect((await quote(key, { resource: 'name' })).code).toBe('NOT_FOR_SALE')
    expect((await quote(key, {})).code).toBe('INVALID_BODY')
    expect(paid.loops).toEqual([])
    expect(payments.orders).toEqual([])
  })
})

describe('the first claim', () => {
  test('is answered with an invoice for this key, and what to pay', async () => {
    const { claim, payments, aKey } = openSale()
    const key = aKey()
    expect(await claim(key, 'alice')).toEqual({
      status: 402,
      code: 'PAYMENT_REQUIRED',
      members: {
        resource: 'name',
        invoice_id: 'inv1',
        pay_url: 'https://pay.example/pay/inv1',
        price_grin: '1.5',
        price_nanogrin: 1_500_000_000n,
        currency: 'GRIN',
        invoice_status: 'open',
      },
    })
    expect(payments.orders).toEqual([
      { orderRef: `nameauth-name:${key}:1`, amount: grin(1.5), memo: 'Name (names.example)' },
    ])
  })

  test('makes no invoice for a name that cannot be had', async () => {
    const { claim, payments, aKey } = openSale()
    expect((await claim(aKey(), 'admin')).status).toBe(403)
    expect((await claim(aKey(), 'x')).status).toBe(400)
    expect(payments.orders).toEqual([])
  })

  test('is refused with 503 while the service is away, and nothing is stored', async () => {
    const { claim, payments, store, log, aKey } = openSale()
    const key = aKey()
    payments.down = 'connection refused'
    expect(await claim(key, 'alice')).toMatchObject({ status: 503, code: 'PAYMENT_BACKEND_UNAVAILABLE' })
    expect(await store.grant(key, 'name')).toBeUndefined()
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { pubkey: key, cause: 'connection refused' } }),
    )
    payments.down = undefined
    expect((await claim(key, 'alice')).status).toBe(402)
  })

  test('many at once for one key share one invoice; other keys do not wait for them', async () => {
    const { claim, payments, aKey } = openSale()
    const [key, other] = [aKey(), aKey()]
    let release = () => {}
    payments.gate = new Promise((resolve) => {
      release = resolve
    })
    const claims = Array.from({ length: 50 }, (_, i) => claim(key, `alice${i}`))
    const foreign = claim(other, 'bob')
    await new Promise(setImmediate)
    expect(payments.busiest).toBe(2)
    release()
    const answers = await Promise.all(claims)
    expect(new Set(answers.map(({ members }) => members.invoice_id)).size).toBe(1)
    expect((await foreign).members.invoice_id).not.toBe(answers[0]?.members.invoice_id)
    expect(payments.orders).toHaveLength(2)
  })

  test('a crash before the grant was stored does not make a second invoice', async () => {
    const { open, payments, aKey } = openSale()
    const key = aKey()
    const crashing = open(NAME_SALE, { saveGrant: () => Promise.reject(new Error('power cut')) })
    await expect(crashing.claim(key, 'alice')).rejects.toThrow('power cut')
    const { members } = await open().claim(key, 'alice')
    expect(members.invoice_id).toBe('inv1')
    expect(payments.states.size).toBe(1)
  })

  test('an invoice that ended before it was stored is not handed out', async () => {
    const { open, payments, aKey } = openSale()
    const key = aKey()
    const crashing = open(NAME_SALE, { saveGrant: () => Promise.reject(new Error('power cut')) })
    await expect(crashing.claim(key, 'alice')).rejects.toThrow('power cut')
    payments.set('inv1', 'expired')
    expect((await open().claim(key, 'alice')).members).toMatchObject({ invoice_id: 'inv2', invoice_status: 'open' })
    expect(payments.orders.at(-1)?.orderRef).toBe(`nameauth-name:${key}:2`)
  })

  test('an invoice of another key is not handed out either', async () => {
    const payments = {
      createInvoice: async () => ({ invoiceId: 'same', payUrl: 'https://p/', status: 'open' }),
      readInvoice: async () => ({ status: 'confirmed' }),
    }
    const { claim, aKey } = openSale({ payments })
    expect((await claim(aKey(), 'alice')).status).toBe(402)
    expect((await claim(aKey(), 'bob')).status).toBe(503)
  })

  test('an invoice that bought a name buys no second one, whatever the service says of it', async () => {
    const payments = {
      createInvoice: async () => ({ invoiceId: 'same', payUrl: 'https://p/', status: 'open' }),
      readInvoice: async () => ({ status: 'confirmed' }),
    }
    const { claim, aKey, clock, store } = openSale({ payments })
    const [ada, bob] = [aKey(), aKey()]
    await claim(ada, 'alice')
    await clock.advance(10_000)
    expect((await claim(ada, 'alice')).code).toBe('ok')
    for (const [key, name] of [
      [bob, 'bob'],
      [ada, 'ada'],
    ] as const) {
      expect((await claim(key, name)).status).toBe(503)
      await clock.advance(10_000)
      expect((await claim(key, name)).status).toBe(503)
    }
    expect(await store.nameOfKey(bob)).toBeUndefined()
    expect((await store.nameOfKey(ada))?.name).toBe('alice')
  })
})

describe('a pending grant', () => {
  async function pending() {
    const sale = openSale()
    const key = sale.aKey()
    await sale.claim(key, 'alice')
    return { ...sale, key }
  }

  test.each(['open', 'paid', 'Confirmed', 'settled', '__proto__'])('is not settled by "%s"', async (status) => {
    const { claim, payments, key } = await pending()
    payments.set('inv1', status, { confirmations: 1, confirmationsRequired: 10 })
    expect(await claim(key, 'alice')).toMatchObject({
      status: 402,
      members: { invoice_id: 'inv1', invoice_status: status, confirmations: 1, confirmations_required: 10 },
    })
    expect(payments.orders).toHaveLength(1)
  })

  test('is settled by "confirmed", worth one claim, and then a new payment is due', async () => {
    const { claim, payments, store, key } = await pending()
    payments.set('inv1', 'confirmed')
    expect((await claim(key, 'alice')).code).toBe('ok')
    expect(await store.grant(key, 'name')).toBeUndefined()
    expect((await claim(key, 'alice')).code).toBe('ok')
    expect(await claim(key, 'bob')).toMatchObject({ status: 402, members: { invoice_id: 'inv2' } })
    expect((await store.nameOfKey(key))?.name).toBe('alice')
    expect(payments.orders.map(({ orderRef }) => orderRef.split(':')[2])).toEqual(['1', '2'])
  })

  test('paid for one name may be spent on another', async () => {
    const { claim, payments, key, aKey, store } = await pending()
    payments.set('inv1', 'confirmed')
    const rival = aKey()
    await claim(rival, 'alice')
    payments.set('inv2', 'confirmed')
    expect((await claim(rival, 'alice')).code).toBe('ok')
    expect((await claim(key, 'alice')).code).toBe('NAME_TAKEN')
    expect((await claim(key, 'carol')).code).toBe('ok')
    expect((await store.nameOfKey(key))?.name).toBe('carol')
  })

  test('one payment never buys two names, however many claims come at once', async () => {
    const { claim, payments, key } = await pending()
    payments.set('inv1', 'confirmed')
    const answers = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((name) => claim(key, name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402])
    expect(payments.orders).toHaveLength(2)
  })

  test('is asked about at most once per interval', async () => {
    const { claim, payments, clock, key } = await pending()
    for (let i = 0; i < 5; i += 1) expect((await claim(key, 'alice')).status).toBe(402)
    expect(payments.reads).toEqual(['inv1'])
    payments.set('inv1', 'confirmed')
    await clock.advance(INTERVAL - 1)
    expect((await claim(key, 'alice')).members.invoice_id).toBe('inv1')
    expect(payments.reads).toHaveLength(1)
    await clock.advance(1)
    expect((await claim(key, 'alice')).code).toBe('ok')
  })

  test('is asked about again when the clock was set back', async () => {
    const { claim, payments, clock, key } = await pending()
    await claim(key, 'alice')
    payments.set('inv1', 'confirmed')
    await clock.advance(-HOUR)
    expect((await claim(key, 'alice')).code).toBe('ok')
  })

  test('is answered with its stored invoice while the service is away', async () => {
    const { claim, payments, clock, key } = await pending()
    payments.down = 'connection refused'
    expect(await claim(key, 'alice')).toMatchObject({ status: 402, members: { invoice_id: 'inv1' } })
    payments.down = undefined
    payments.set('inv1', 'confirmed')
    await clock.advance(INTERVAL)
    expect((await claim(key, 'alice')).code).toBe('ok')
  })

  test.each(['expired', 'cancelled', 'gone'])('whose invoice is %s gets a new one in its place', async (how) => {
    const { claim, payments, clock, store, key } = await pending()
    if (how === 'gone') payments.states.delete('inv1')
    else payments.set('inv1', how)
    expect(await claim(key, 'alice')).toMatchObject({
      status: 402,
      members: { invoice_id: 'inv2', invoice_status: 'open' },
    })
    expect((await store.grant(key, 'name'))?.serial).toBe(2)
    await clock.advance(INTERVAL)
    payments.set('inv2', 'confirmed')
    expect((await claim(key, 'alice')).code).toBe('ok')
  })

  test('whose invoice expired answers 503 while the service makes no new one, and 402 as soon as it does', async () => {
    const { claim, payments, key } = await pending()
    payments.set('inv1', 'expired')
    payments.isFull = true
    for (let i = 0; i < 2; i += 1) expect((await claim(key, 'alice')).status).toBe(503)
    payments.isFull = false
    expect((await claim(key, 'alice')).members.invoice_id).toBe('inv2')
    expect(payments.reads).toHaveLength(1)
  })

  test('keeps its price and invoice when the price changes; the next one has the new price', async () => {
    const { open, payments, clock, key } = await pending()
    const dearer = open({ resource: 'name', price: grin(9) })
    expect((await dearer.claim(key, 'alice')).members).toMatchObject({ invoice_id: 'inv1', price_grin: '1.5' })
    payments.set('inv1', 'expired')
    await clock.advance(INTERVAL)
    expect((await dearer.claim(key, 'alice')).members).toMatchObject({ invoice_id: 'inv2', price_grin: '9' })
  })

  test('two processes with one database hand out the same invoice', async () => {
    const { open, payments, aKey } = openSale()
    const key = aKey()
    const answers = await Promise.all([open(), open(), open()].map((process) => process.claim(key, 'alice')))
    expect(new Set(answers.map(({ members }) => members.invoice_id)).size).toBe(1)
    expect(payments.states.size).toBe(1)
  })

  test('a database that fails is no failure of the service', async () => {
    const { open, payments, key } = await pending()
    payments.set('inv1', 'confirmed')
    const broken = open(NAME_SALE, { settleGrant: () => Promise.reject(new Error('disk full')) })
    await expect(broken.claim(key, 'alice')).rejects.toThrow('disk full')
  })
})

describe('a quote', () => {
  test('tells what to pay, then that it is paid; the claim spends it', async () => {
    const { claim, quote, paid, payments, aKey } = openSale()
    const key = aKey()
    expect(await quote(key, { resource: 'name' })).toMatchObject({ status: 402, members: { invoice_id: 'inv1' } })
    payments.set('inv1', 'confirmed')
    const answer = await paid.quote({ pubkey: key }, bytesOf({ resource: 'name', more: 1 }))
    expect(answer).toEqual({ resource: 'name', pubkey: key })
    expect((await claim(key, 'alice')).code).toBe('ok')
  })

  test.each([null, [], 'name', { resource: 1 }, {}])('of %j is an invalid body', async (body) => {
    expect((await openSale().quote('a'.repeat(64), body)).code).toBe('INVALID_BODY')
  })

  test('of what is not sold is refused', async () => {
    const { quote, payments, aKey } = openSale()
    for (const resource of ['write', 'toString', ''])
      expect((await quote(aKey(), { resource })).code).toBe('NOT_FOR_SALE')
    expect(payments.orders).toEqual([])
  })
})

describe('write access for sale', () => {
  test('names are free, and the payment is never used up', async () => {
    const { claim, quote, paid, payments, clock, aKey } = openSale({ sale: WRITE_SALE })
    const key = aKey()
    expect((await claim(key, 'alice')).code).toBe('ok')
    expect(await paid.isWritePaid(key)).toEqual({ pubkey: key, paid: false })
    expect(payments.orders).toEqual([])
    expect(await quote(key, { resource: 'write' })).toMatchObject({ status: 402, members: { resource: 'write' } })
    expect(payments.orders[0]).toMatchObject({
      orderRef: `nameauth-write:${key}:1`,
      memo: 'Write access (names.example)',
    })
    expect((await quote(key, { resource: 'name' })).code).toBe('NOT_FOR_SALE')
    payments.set('inv1', 'confirmed')
    expect(await paid.isWritePaid(key)).toEqual({ pubkey: key, paid: true })
    await clock.advance(HOUR)
    expect((await claim(key, 'bob')).code).toBe('ok')
    expect((await quote(key, { resource: 'write' })).code).toBe('ok')
    expect(payments.orders).toHaveLength(1)
  })

  test('asking for the status obeys the interval', async () => {
    const { quote, paid, payments, aKey } = openSale({ sale: WRITE_SALE })
    const key = aKey()
    await quote(key, { resource: 'write' })
    for (let i = 0; i < 5; i += 1) expect(await paid.isWritePaid(key)).toMatchObject({ paid: false })
    expect(payments.reads).toHaveLength(1)
  })

  test.each(['', 'npub1xyz', 'a'.repeat(63), 'g'.repeat(64)])('%j is no key', async (text) => {
    expect(await openSale({ sale: WRITE_SALE }).paid.isWritePaid(text)).toBeUndefined()
  })
})

test('a sale of names says that everybody may write', async () => {
  const { paid, aKey } = openSale()
  const key = aKey()
  expect(await paid.isWritePaid(key)).toEqual({ pubkey: key, paid: true })
})

test('a webhook without a secret in the settings is refused', async () => {
  const { paid } = openSale({ withSecret: false })
  const body = bytesOf({})
  expect((await answerTo(paid.webhook(body, signatureOf(body)))).code).toBe('NOT_FOUND')
})
