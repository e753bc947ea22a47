// The till's hard promises on the real store: what the fake cannot show is that its verbs hold together on disk.
import { expect, onTestFinished, test } from 'vitest'
import type { Payment } from '../../src/till/index.js'
import { aSlate } from '../support/fake-wallet.js'
import { anI2 } from '../support/grin1.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { DAY, grin, look, MINUTE, SECOND } from '../support/till-builders.js'
import { codeOf, type FakeTillOptions, openTill } from '../support/till-parts.js'

async function openReal(settings: FakeTillOptions['settings'] = {}) {
  const { store, remove } = await openTemporaryStore()
  const opened = openTill({ settings, parts: { store } })
  onTestFinished(async () => {
    await opened.till.close()
    await remove()
  })
  const make = async (over: object = {}) =>
    (await opened.till.createInvoice({ amountNanogrin: grin(2), ...over })).invoice
  const eventsOf = () => opened.shop.sent.map(({ body }) => JSON.parse(body).event_type)
  return { ...opened, store, make, eventsOf }
}

test('from invoice to confirmation: every state, every event once', async () => {
  const { till, chain, clock, make, eventsOf } = await openReal()
  const invoice = await make({ orderRef: 'order-42', memo: 'Coffee & cake' })
  expect(await till.findByToken(invoice.token)).toEqual(invoice)
  const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
  chain.mine(payment, chain.height)
  await till.passes.confirm()
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', confirmations: 1 })
  chain.height += 9
  await clock.advance(30 * SECOND)
  await Promise.all([till.passes.confirm(), till.passes.confirm()])
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'confirmed', confirmations: 10 })
  await till.passes.deliver()
  expect(eventsOf()).toEqual(['payment.received', 'payment.confirmed'])
  expect(await till.balance()).toMatchObject({ confirmed: { count: 1, amount: grin(2) } })
})

test('many payers, many invoices, all at once: one answer each, no key twice', async () => {
  const { till, wallet, make, store } = await openReal()
  const invoices = await Promise.all(Array.from({ length: 8 }, () => make()))
  const outcomes = await Promise.all(
    invoices.flatMap(({ token }) => [1, 2, 3, 4].map(() => codeOf(till.pasteSlatepack(token, aSlate())))),
  )
  expect(outcomes.filter((code) => code === 'ok')).toHaveLength(8)
  expect(outcomes.filter((code) => code === 'INVOICE_ALREADY_PAID')).toHaveLength(24)
  expect(new Set(wallet.signed).size).toBe(8)
  expect((await store.listPayments({ limit: 99 })).items).toHaveLength(8)
  expect((await store.listDeliveries({ limit: 99 })).items).toHaveLength(8)
})

test('an I2 and several S1 for each of many invoices at once: one payment each, the winner pushed or its slate closed', async () => {
  const { till, chain, wallet, make, store } = await openReal({ grin1Rail: true, unmatched: undefined })
  const invoices = await Promise.all(Array.from({ length: 6 }, () => make()))
  const outcomes = await Promise.all(
    invoices.flatMap((invoice, n) => {
      const answers = ['one', 'two'].map((note) => codeOf(till.finalize(wallet.read(JSON.parse(anI2(invoice, note))))))
      return n % 2 === 0 ? answers : [...answers, codeOf(till.pasteSlatepack(invoice.token, aSlate()))]
    }),
  )
  expect(outcomes.filter((code) => code === 'ok')).toHaveLength(6)
  const payments = (await store.listPayments({ limit: 99 })).items
  expect(new Set(payments.map(({ invoiceId }) => invoiceId)).size).toBe(6)
  expect(new Set(payments.map(({ keyIndex }) => keyIndex)).size).toBe(6)
  const byInvoice = payments.filter(({ rail }) => rail === 'grin1')
  await till.passes.push()
  expect(chain.pushed).toHaveLength(byInvoice.length)
  for (const { slateId, id } of invoices) {
    const slate = await store.invoiceSlate(slateId!)
    const payment = payments.find(({ invoiceId }) => invoiceId === id)
    expect([slate?.state, slate?.sealedSecrets]).toEqual([payment?.id === slateId ? 'finalized' : 'closed', null])
  }
})

test('an invoice by slate, restarted between the transaction and the push: the next till pushes and confirms', async () => {
  const { till, chain, clock, wallet, make, store, eventsOf } = await openReal({ grin1Rail: true })
  const invoice = await make()
  chain.down = 'no node'
  const { payment } = await till.finalize(wallet.read(JSON.parse(anI2(invoice))))
  await till.close()
  chain.down = undefined
  const next = openTill({ settings: { grin1Rail: true }, parts: { store, chain, clock } })
  await clock.advance(30 * SECOND)
  await next.till.passes.push()
  expect(chain.pushed.length).toBeGreaterThan(1)
  chain.mine(payment, chain.height - 9)
  await next.till.passes.confirm()
  expect(await next.till.findInvoice(invoice.id)).toMatchObject({ status: 'confirmed', confirmations: 10 })
  expect(await store.claimPushes(look(clock.now() + DAY, 9))).toEqual([])
  await next.till.passes.deliver()
  await next.till.close()
  expect([...eventsOf(), ...next.shop.sent.map(({ body }) => JSON.parse(body).event_type)]).toEqual([
    'payment.received',
    'payment.confirmed',
  ])
})

test('abandoned, brought back by a late kernel, confirmed', async () => {
  const { till, chain, clock, make, eventsOf } = await openReal()
  const invoice = await make()
  const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
  await clock.advance(DAY)
  await till.passes.confirm()
  expect((await till.findInvoice(invoice.id))?.status).toBe('expired')
  chain.mine(payment, chain.height)
  await clock.advance(10 * MINUTE)
  await till.passes.confirm()
  expect((await till.findInvoice(invoice.id))?.status).toBe('paid')
  chain.height += 9
  await clock.advance(10 * MINUTE)
  await till.passes.confirm()
  expect((await till.findInvoice(invoice.id))?.status).toBe('confirmed')
  await till.passes.deliver()
  expect(eventsOf()).toEqual(['payment.received', 'payment.confirmed'])
})

test('rails: memo, amount and grace find their invoice', async () => {
  const { till, wallet, clock, make } = await openReal()
  const pay = async (over: object, amount = grin(2)): Promise<Payment> =>
    (
      await till.accept({
        slate: wallet.slateOf({ amount }),
        rail: 'nostr',
        recipientPubkey: till.identity.pubkey,
        ...over,
      })
    ).payment
  const memo = await make({ matchMode: 'memo', orderRef: 'order  42' })
  const amount = await make({ matchMode: 'amount', amountNanogrin: grin(3) })
  const derived = await make({ expirySecs: 60 })
  expect((await pay({ subject: 'order 42' })).invoiceId).toBe(memo.id)
  expect((await pay({}, grin(3))).invoiceId).toBe(amount.id)
  await clock.advance(2 * MINUTE)
  await till.passes.sweep()
  expect((await pay({ recipientPubkey: derived.recipientPubkey })).invoiceId).toBe(derived.id)
  expect((await pay({})).invoiceId).toBeNull()
})

test('a new price replaces the old one everywhere', async () => {
  const { till, rates, clock } = await openReal()
  const { invoice } = await till.createInvoice({ amountFiat: '10.00', currency: 'usd', expirySecs: 86_400 })
  await clock.advance(15 * MINUTE)
  rates.set('usd', '0.025')
  const again = await till.requote(invoice.token)
  expect(await till.findInvoice(invoice.id)).toEqual(again)
  expect(again).toMatchObject({ status: 'open', amount: grin(400), requotes: 1 })
  expect(await codeOf(till.pasteSlatepack(invoice.token, aSlate({ amount: invoice.amount })))).toBe(
    'SLATE_WRONG_AMOUNT',
  )
  expect(await codeOf(till.pasteSlatepack(invoice.token, aSlate({ amount: again.amount })))).toBe('ok')
})
