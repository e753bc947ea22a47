// The point of sale on a till: what is scanned, when a sale has changed, and how rates are asked for.
import { expect, test } from 'vitest'
import { payCommandOf } from '../../../../src/daemons/parts/pay/console.js'
import { createTestPos } from '../../../support/pos.js'
import { aPayment, grin } from '../../../support/till-builders.js'

const ORDER = 'pos-20260701-120000-abcdef'
const live = () => new AbortController().signal

test('the wallet scans the link without a request for a proof; every other wallet the checkout page', async () => {
  const { till, sales } = createTestPos({ uriScheme: 'nostr', publicUrl: 'https://pay.example' })
  const { id, token } = till.put({
    orderRef: ORDER,
    payLink: 'goblin:nprofile1abc?amount=2&memo=Table%204&proof=grin1xyz',
  })
  expect(await sales.codes(id)).toEqual({
    wallet: 'nostr:nprofile1abc?amount=2&memo=Table%204',
    page: `https://pay.example/pay/${token}`,
  })
})

test('only a till that plays shows the command that pays', () => {
  const nodeUrls = ['http://127.0.0.1:8421']
  expect(payCommandOf({ chain: 'mainnet', nodeUrls }, 'abc')).toBeNull()
  expect(payCommandOf({ chain: 'sandbox', nodeUrls }, 'abc')).toBe('grinpay sandbox pay abc')
  const elsewhere = payCommandOf({ chain: 'sandbox', nodeUrls: ['http://127.0.0.1:9000'] }, 'abc')
  expect(elsewhere).toBe('grinpay sandbox pay abc --node-port 9000')
})

test('a sale that moved on before anybody waited is answered at once', async () => {
  const { till, sales } = createTestPos()
  const { id } = till.put({ orderRef: ORDER, amount: grin(1) })
  const seen = await sales.find(id)
  const payment = aPayment({ settlement: 'mined' })
  till.payments.set(payment.id, payment)
  till.put({ id, status: 'paid', paymentId: payment.id })
  if (!seen) throw new Error('no sale')
  expect(await sales.changed(seen, 5000, live())).toMatchObject({ status: 'paid', progress: 'mined' })
})

test('an answer without news comes a second later at the soonest', async () => {
  const { till, sales, clock } = createTestPos()
  const { id } = till.put({ orderRef: ORDER })
  const seen = await sales.find(id)
  if (!seen) throw new Error('no sale')
  till.changed = async (invoice) => invoice // as when too many wait already
  let isAnswered = false
  const answer = sales.changed(seen, 5000, live()).then(() => {
    isAnswered = true
  })
  await clock.advance(0)
  await clock.advance(999)
  expect(isAnswered).toBe(false)
  await clock.advance(1)
  await answer
})

test('a rate that is late holds no page, and is shown once it came', async () => {
  const { sales, prices, late, clock } = createTestPos({ currencies: ['eur'] })
  const shown = async () => {
    const currencies = sales.currencies()
    await clock.advance(0)
    await clock.advance(20)
    return (await currencies)[0]?.rate
  }
  late.add('eur')
  expect(await shown()).toBeUndefined()
  late.delete('eur')
  await clock.advance(15_000)
  expect(await shown()).toBe('0.08')
  prices.set('eur', '0.09')
  expect(await shown()).toBe('0.08') // it was asked for just now
  late.add('eur')
  await clock.advance(15_000)
  expect(await shown()).toBe('0.08')
  expect(clock.sleepers()).toBe(0)
})

test('a rate that is missing is not asked for with every page', async () => {
  const { sales, prices, clock } = createTestPos({ currencies: ['eur'] })
  const rate = async () => (await sales.currencies())[0]?.rate
  prices.delete('eur')
  expect(await rate()).toBeNull()
  prices.set('eur', '0.09')
  expect(await rate()).toBeNull()
  await clock.advance(15_000)
  expect(await rate()).toBe('0.09')
})

test('checks that take long hold no page either', async () => {
  const { sales, failed, checks, clock } = createTestPos()
  failed.add('relays')
  checks.gate = new Promise(() => undefined)
  const names = sales.notReady()
  await clock.advance(0)
  await clock.advance(10)
  expect(await names).toEqual([])
  checks.gate = Promise.resolve()
  expect(await sales.notReady()).toEqual(['relays'])
})
