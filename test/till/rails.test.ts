// A payment rail is one object in the table: here one that no release knows receives, confirms and reports a payment, on the real store.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PaymentRail } from '../../src/till/rail.js'
import { createRails, PAYMENT_RAILS } from '../../src/till/rails.js'
import { aSlate } from '../support/fake-wallet.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { grin, SECOND } from '../support/till-builders.js'
import { codeOf, openTill } from '../support/till-parts.js'

/** Pigeons bring slates; their payments are matched like all others, and a message to the payer follows. */
const pigeonRail: PaymentRail = {
  name: 'pigeon',
  unmatched: 'refuse',
  messagesOnReceipt: ({ rail }) => (rail === 'pigeon' ? [{ kind: 'thanks', layout: 'plain' }] : []),
}

async function openWith(paymentRails: readonly PaymentRail[]) {
  const { store, remove } = await openTemporaryStore()
  const opened = openTill({ settings: { matchMode: 'memo', unmatched: undefined }, parts: { store, paymentRails } })
  onTestFinished(async () => {
    await opened.till.close()
    await remove()
  })
  return { ...opened, store }
}

test('a rail that is one line in the table receives, confirms and reports a payment', async () => {
  const { till, store, wallet, chain, clock, shop, log } = await openWith([...PAYMENT_RAILS, pigeonRail])
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-7' })
  const offer = { slate: await wallet.open(aSlate()), rail: 'pigeon', subject: 'order-7' }

  const { payment, slatepack } = await till.accept(offer)
  expect(await till.accept(offer)).toEqual({ payment, slatepack, repeated: true })
  await till.markReplied(payment.id)
  expect(await till.findPayment(payment.id)).toMatchObject({
    rail: 'pigeon',
    invoiceId: invoice.id,
    settlement: 'replied',
  })
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', paymentId: payment.id })
  expect(await store.letterOf(payment.id, 'thanks')).toMatchObject({ state: 'pending' })
  expect(await store.letterOf(payment.id, 'reply')).toBeUndefined()

  chain.mine(payment, chain.height)
  chain.height += 9
  await clock.advance(30 * SECOND)
  await till.passes.confirm()
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'confirmed', confirmations: 10 })
  expect((await till.listPayments({ settlement: 'confirmed', limit: 9 })).items).toMatchObject([{ rail: 'pigeon' }])

  await till.passes.deliver()
  expect(shop.sent.map(({ body }) => JSON.parse(body).event_type)).toEqual(['payment.received', 'payment.confirmed'])
  expect(log).toContainEqual({
    level: 'info',
    fields: { invoice: invoice.id, to: 'paid', payment: payment.id, rail: 'pigeon' },
    text: 'invoice paid',
  })
})

test('its word on payments without an invoice counts', async () => {
  const { till, wallet } = await openWith([...PAYMENT_RAILS, pigeonRail])
  const slate = await wallet.open(aSlate())
  expect(await codeOf(till.accept({ slate, rail: 'pigeon' }))).toBe('NO_INVOICE_MATCHES')
  expect(await codeOf(till.accept({ slate, rail: 'nostr' }))).toBe('ok')
})

test('a rail that is not in the table takes nothing', async () => {
  const { till, store, wallet } = await openWith(PAYMENT_RAILS)
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-7' })
  const offer = { slate: await wallet.open(aSlate()), rail: 'pigeon', subject: 'order-7' }
  await expect(till.accept(offer)).rejects.toThrow('there is no payment rail "pigeon"')
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'open' })
  expect((await store.listPayments({ limit: 9 })).items).toEqual([])
})

test('every rail has a name of its own', () => {
  const names = PAYMENT_RAILS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const rail of PAYMENT_RAILS) expect(createRails(PAYMENT_RAILS).named(rail.name)).toBe(rail)
})

test('the core imports no rail', () => {
  const rooms = ['invoices', 'payments', 'confirmation', 'invoice-slates', 'webhooks', 'wallet'] as const
  const files = rooms.flatMap((room) => readdirSync(join('src/till', room)).map((file) => join('src/till', room, file)))
  const knowing = files.filter((file) => /from '\.\.\/(nostr|grin1|slatepack)\//.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(20)
  expect(knowing).toEqual([])
})
