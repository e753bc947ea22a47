// The authority and the real till over HTTP: from the first claim to the name, with nothing between them but what a network carries.
import { afterEach, describe, expect, test } from 'vitest'
import { createPaymentService } from '../../../src/client/index.js'
import { createApp, createReadiness } from '../../../src/http/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { tillHttp } from '../../../src/till/index.js'
import { aSlate } from '../../support/fake-wallet.js'
import { answerTo, NAME_SALE, openSale } from '../../support/name-sale.js'
import { API_TOKEN, countingRandom } from '../../support/till-app.js'
import { grin, HOUR, MINUTE } from '../../support/till-builders.js'
import { openTill } from '../../support/till-parts.js'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A till on a port, and a customer who pays its invoices until they are confirmed. */
async function openShop() {
  const opened = openTill()
  const { till, chain, clock, shop } = opened
  const app = createApp({ clock, random: countingRandom(), rateLimits: false })
  const readiness = createReadiness({ checks: async () => [], clock })
  const tokens = { apiTokens: [new Secret(API_TOKEN)], adminTokens: [] }
  await app.register(tillHttp, { till, version: '0', readiness, clock, ...tokens })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  closers.push(() => app.close())
  await till.passes.confirm()

  async function pay(invoiceId: string) {
    const invoice = await till.findInvoice(invoiceId)
    const slate = aSlate({ amount: invoice?.amount ?? grin(0) })
    const { payment } = await till.pasteSlatepack(invoice?.token ?? '', slate)
    chain.mine(payment, chain.height)
  }

  return {
    ...opened,
    pay,
    baseUrl,
    payments: createPaymentService({ baseUrl, token: new Secret(API_TOKEN) }),
    async blocks(count: number) {
      chain.height += count
      await clock.advance(MINUTE)
      await till.passes.confirm()
    },
    /** What the till sent to its webhook since the last time. */
    async events() {
      await till.passes.deliver()
      return shop.sent.splice(0)
    },
  }
}

test('a claim is quoted, paid, waits for its confirmations, and gets the name', async () => {
  const { payments, pay, blocks, till } = await openShop()
  const { claim, clock, aKey } = openSale({ payments })
  const key = aKey()
  const first = await claim(key, 'alice')
  expect(first).toMatchObject({ status: 402, members: { price_nanogrin: 1_500_000_000n, invoice_status: 'open' } })
  const invoiceId = String(first.members.invoice_id)
  const { payLink, qrSvg } = (await till.findInvoice(invoiceId)) ?? {}
  expect(first.members).toMatchObject({ pay_link: payLink, qr_svg: qrSvg })
  expect(first.members.nprofile).toMatch(/^nprofile1/)
  expect(await till.findInvoice(invoiceId)).toMatchObject({
    amount: NAME_SALE.price,
    orderRef: `nameauth-name:${key}:1`,
    memo: 'Name (names.example)',
    matchMode: 'derived',
  })
  await pay(invoiceId)
  await clock.advance(MINUTE)
  const paid = { invoice_status: 'paid', confirmations: 0, confirmations_required: 10 }
  expect(await claim(key, 'alice')).toMatchObject({
    status: 402,
    members: { ...paid, pay_link: payLink, qr_svg: qrSvg },
  })
  await blocks(8)
  await clock.advance(MINUTE)
  expect(await claim(key, 'alice')).toMatchObject({ status: 402, members: { ...paid, confirmations: 9 } })
  await blocks(1)
  await clock.advance(MINUTE)
  expect((await claim(key, 'alice')).code).toBe('ok')
})

test('the webhook of the till opens the door at once', async () => {
  const { payments, pay, blocks, events } = await openShop()
  const { claim, paid, store, aKey } = openSale({ payments, secret: `whsec_${'c3'.repeat(32)}` })
  const key = aKey()
  const { members } = await claim(key, 'alice')
  await claim(key, 'alice')
  await pay(String(members.invoice_id))
  await blocks(10)
  const sent = await events()
  expect(sent.map(({ headers }) => headers['x-pay-event'])).toEqual(['payment.received', 'payment.confirmed'])
  for (const { body, headers } of sent) {
    const signatures = [headers['x-pay-signature'], headers['x-goblinpay-signature']]
    for (const signature of signatures)
      expect((await answerTo(paid.webhook(new TextEncoder().encode(body), signature))).code).toBe('ok')
  }
  expect((await store.grant(key, 'name'))?.status).toBe('paid')
  expect((await claim(key, 'alice')).code).toBe('ok')
})

describe('an invoice', () => {
  test('that expired at the till is replaced, and the till knows both', async () => {
    const { payments, clock: tillClock, till } = await openShop()
    const { claim, clock, aKey } = openSale({ payments })
    const key = aKey()
    const { members } = await claim(key, 'alice')
    await tillClock.advance(HOUR)
    await clock.advance(HOUR)
    const next = await claim(key, 'alice')
    expect(next.members.invoice_id).not.toBe(members.invoice_id)
    const { items } = await till.listInvoices({ limit: 10 })
    expect(items.map(({ status, orderRef }) => `${status} ${orderRef?.split(':')[2]}`).sort()).toEqual([
      'expired 1',
      'open 2',
    ])
  })

  test('is not made twice when the authority dies before it wrote the grant down', async () => {
    const { payments, till } = await openShop()
    const { open, aKey } = openSale({ payments })
    const key = aKey()
    const crashing = open(NAME_SALE, { saveGrant: () => Promise.reject(new Error('power cut')) })
    await expect(crashing.claim(key, 'alice')).rejects.toThrow('power cut')
    const { members } = await open().claim(key, 'alice')
    const { items } = await till.listInvoices({ limit: 10 })
    expect(items.map(({ id }) => id)).toEqual([members.invoice_id])
  })
})

test('a wrong token, or a server that is no till: payment backend unavailable', async () => {
  const { till, baseUrl } = await openShop()
  const token = new Secret('wrong')
  for (const path of ['', '/mounted/elsewhere']) {
    const { claim, aKey } = openSale({ payments: createPaymentService({ baseUrl: baseUrl + path, token }) })
    expect((await claim(aKey(), 'alice')).status).toBe(503)
  }
  expect((await till.listInvoices({ limit: 1 })).items).toEqual([])
})
