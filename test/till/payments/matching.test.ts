// Payments over a rail: whose they are, and what happens to unmatched ones.
import { describe, expect, test } from 'vitest'
import type { Invoice, MatchMode, RailOffer } from '../../../src/till/index.js'
import { aSlateId, grin, MINUTE, SECOND } from '../../support/till-builders.js'
import { codeOf, type FakeTillOptions, openTill, refusalOf } from '../../support/till-parts.js'

type Offer = Partial<Omit<RailOffer, 'slate'>> & { readonly amount?: ReturnType<typeof grin>; readonly id?: string }

function given(options: FakeTillOptions = {}) {
  const opened = openTill(options)
  const { till, wallet } = opened
  return {
    ...opened,
    main: till.identity.pubkey,
    invoice: async (matchMode: MatchMode, over: object = {}): Promise<Invoice> =>
      (await till.createInvoice({ amountNanogrin: grin(2), matchMode, ...over })).invoice,
    async pay({ amount = grin(2), id, ...offer }: Offer = {}) {
      const slate = wallet.slateOf({ amount, ...(id && { id }) })
      return till.accept({ slate, rail: 'nostr', payer: 'aa'.repeat(32), ...offer })
    },
  }
}

describe('by key', () => {
  test('a payment to an invoice’s own key is that invoice’s', async () => {
    const { invoice, pay, till } = given()
    const wanted = await invoice('derived')
    await invoice('derived')
    const reply = await pay({ recipientPubkey: wanted.recipientPubkey, subject: 'whatever' })
    expect(reply.payment).toMatchObject({
      invoiceId: wanted.id,
      rail: 'nostr',
      payer: 'aa'.repeat(32),
      recipientPubkey: wanted.recipientPubkey,
      settlement: 'received',
    })
    await till.markReplied(reply.payment.id)
    expect((await till.findPayment(reply.payment.id))?.settlement).toBe('replied')
  })

  test('the key of an invoice that is not open any more is refused, whatever else would match', async () => {
    const { invoice, pay, till } = given()
    const done = await invoice('derived')
    await invoice('amount')
    await till.cancelInvoice(done.id)
    expect(await codeOf(pay({ recipientPubkey: done.recipientPubkey }))).toBe('INVOICE_CANCELLED')
    expect(await codeOf(pay({ recipientPubkey: 'ee'.repeat(32) }))).toBe('NO_INVOICE_MATCHES')
  })

  test('a late payment counts for two minutes after the end, also when the sweep was there', async () => {
    for (const [late, code] of [
      [2 * MINUTE - 1, 'ok'],
      [2 * MINUTE, 'INVOICE_EXPIRED'],
    ] as const) {
      const { invoice, pay, till, clock } = given()
      const wanted = await invoice('derived', { expirySecs: 60 })
      await clock.advance(60 * SECOND)
      await till.passes.sweep()
      await clock.advance(late)
      expect(await codeOf(pay({ recipientPubkey: wanted.recipientPubkey }))).toBe(code)
      expect((await till.findInvoice(wanted.id))?.status).toBe(code === 'ok' ? 'paid' : 'expired')
    }
  })
})

describe('by subject', () => {
  test('order_ref and subject are compared in their clean form', async () => {
    const { invoice, pay, main } = given()
    const wanted = await invoice('memo', { orderRef: 'order  42\u200b' })
    const { payment } = await pay({ recipientPubkey: main, subject: ' order 42\n' })
    expect(payment.invoiceId).toBe(wanted.id)
  })

  test('without an order_ref the head of the id is the reference', async () => {
    const { invoice, pay, main } = given()
    const wanted = await invoice('memo', { memo: 'Tea' })
    expect((await pay({ recipientPubkey: main, subject: wanted.id.slice(0, 12) })).payment.invoiceId).toBe(wanted.id)
  })

  test('else the memo, when it and the exact amount mean one invoice', async () => {
    const { invoice, pay, main } = given()
    const wanted = await invoice('memo', { orderRef: 'r1', memo: 'Coffee & cake' })
    await invoice('memo', { orderRef: 'r2', memo: 'Coffee & cake', amountNanogrin: grin(3) })
    expect((await pay({ recipientPubkey: main, subject: 'Coffee & cake' })).payment.invoiceId).toBe(wanted.id)
  })

  test.each([
    ['reference', { orderRef: 'same' }, 'same'],
    ['memo and amount', { memo: 'same' }, 'same'],
  ])('two invoices with one %s are a doubt: unmatched', async (_, over, subject) => {
    const { invoice, pay, main, till } = given()
    const both = [await invoice('memo', over), await invoice('memo', over)]
    expect((await pay({ recipientPubkey: main, subject })).payment.invoiceId).toBeNull()
    for (const { id } of both) expect((await till.findInvoice(id))?.status).toBe('open')
  })

  test('a reference with another amount is refused with the amount, and the invoice stays open', async () => {
    const { invoice, pay, main, till, wallet } = given()
    const wanted = await invoice('memo', { orderRef: 'order-42' })
    expect(await refusalOf(pay({ recipientPubkey: main, subject: 'order-42', amount: grin(1) }))).toEqual({
      status: 422,
      text: 'this slatepack is for 1 GRIN, the invoice is 2',
    })
    expect((await till.findInvoice(wanted.id))?.status).toBe('open')
    expect(wallet.signed).toEqual([])
  })
})

describe('by amount', () => {
  test('the only invoice of this amount is meant', async () => {
    const { invoice, pay, main } = given()
    const wanted = await invoice('amount')
    await invoice('amount', { amountNanogrin: grin(3) })
    await invoice('derived')
    expect((await pay({ recipientPubkey: main, subject: 'thanks' })).payment.invoiceId).toBe(wanted.id)
  })

  test('two open invoices of one amount are a doubt, a paid one is none', async () => {
    const { invoice, pay, main } = given()
    const [first, second] = [await invoice('amount'), await invoice('amount')]
    expect((await pay({ recipientPubkey: main })).payment.invoiceId).toBeNull()
    const { till, pay: payB, invoice: invoiceB, main: mainB } = given()
    const [a, b] = [await invoiceB('amount'), await invoiceB('amount')]
    await till.cancelInvoice(a.id)
    expect((await payB({ recipientPubkey: mainB })).payment.invoiceId).toBe(b.id)
    expect(first.id).not.toBe(second.id)
  })

  test('the mode at creation counts, not the default of today', async () => {
    const { invoice, pay, main } = given({ settings: { matchMode: 'amount' } })
    await invoice('derived')
    expect((await pay({ recipientPubkey: main })).payment.invoiceId).toBeNull()
  })

  test('with jitter two equal orders are distinguished', async () => {
    const { invoice, pay, main } = given({ settings: { amountJitter: true } })
    const [, second] = [await invoice('amount'), await invoice('amount')]
    expect((await pay({ recipientPubkey: main, amount: second.amount })).payment.invoiceId).toBe(second.id)
  })
})

describe('unmatched payments', () => {
  test('are taken, announced without an invoice, and credited to the user of the key', async () => {
    const { pay, till, shop, store } = given()
    const user = await till.createUser('alice', null)
    await till.rotateUser('alice')
    const { payment } = await pay({ recipientPubkey: user.pubkey })
    expect(payment).toMatchObject({ invoiceId: null, userId: 'alice', recipientPubkey: user.pubkey })
    await till.passes.deliver()
    expect(shop.sent.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: 'payment.received', invoice_id: null, order_ref: null, user_id: 'alice' },
    ])
    expect((await store.listUsers(1)).items[0]?.balance).toBe(grin(2))
  })

  test('are refused when the operator wants it so', async () => {
    const { pay, main, wallet } = given({ settings: { unmatched: 'refuse' } })
    expect(await codeOf(pay({ recipientPubkey: main }))).toBe('NO_INVOICE_MATCHES')
    expect(wallet.signed).toEqual([])
  })
})

describe('a flood of unmatched payments', () => {
  test('waits after three hundred an hour and key; other keys, invoices and repeats are not touched', async () => {
    const { pay, main, till, wallet, clock, invoice, store } = given()
    const ids = Array.from({ length: 305 }, (_, n) => `0436430c-2b02-624c-2032-570501212${100 + n}`)
    const codes: string[] = []
    for (const id of ids) codes.push(await codeOf(pay({ recipientPubkey: main, id })))
    expect(codes).toEqual([...Array(300).fill('ok'), ...Array(5).fill('TOO_MANY_UNMATCHED')])
    expect(wallet.signed).toHaveLength(300)
    const user = await till.createUser('alice', null)
    expect(await codeOf(pay({ recipientPubkey: user.pubkey }))).toBe('ok')
    expect(await codeOf(pay({ recipientPubkey: main, id: ids[0] ?? '' }))).toBe('ok')
    await invoice('memo', { orderRef: 'order 7' })
    expect(await codeOf(pay({ recipientPubkey: main, subject: 'order 7' }))).toBe('ok')
    await clock.advance(60 * MINUTE)
    expect(await codeOf(pay({ recipientPubkey: main, id: ids[304] ?? '' }))).toBe('ok')
    expect((await store.listPayments({ limit: 1000 })).items).toHaveLength(303)
  })

  test('counts what came before a restart, and through another process on the same store', async () => {
    const { pay, main, store, clock } = given()
    for (let n = 0; n < 300; n += 1) await pay({ recipientPubkey: main, id: aSlateId() })
    const other = given({ parts: { store, clock } })
    expect(await codeOf(other.pay({ recipientPubkey: main, id: aSlateId() }))).toBe('TOO_MANY_UNMATCHED')
  })
})

describe('repeats and races over rails', () => {
  test('the same S1 is answered with the stored reply', async () => {
    const { pay, main, wallet } = given()
    const id = '0436430c-2b02-624c-2032-570501212b00'
    const [first, second] = await Promise.all([pay({ recipientPubkey: main, id }), pay({ recipientPubkey: main, id })])
    expect(second?.slatepack).toBe(first?.slatepack)
    expect([first?.repeated, second?.repeated]).toEqual([false, true])
    expect(wallet.signed).toEqual([0])
  })

  test('two payers of one invoice: one is answered, the other is refused', async () => {
    const { invoice, pay, wallet } = given()
    const { recipientPubkey } = await invoice('derived')
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(pay({ recipientPubkey }))))
    expect(codes.sort()).toEqual(['INVOICE_ALREADY_PAID', 'INVOICE_ALREADY_PAID', 'ok'])
    expect(wallet.signed).toEqual([0])
  })

  test('a page and a rail race for one invoice: one wins', async () => {
    const { invoice, pay, till, wallet } = given()
    const wanted = await invoice('derived')
    const slate = JSON.stringify({ id: '0436430c-2b02-624c-2032-570501212b01' })
    const codes = await Promise.all([
      codeOf(pay({ recipientPubkey: wanted.recipientPubkey })),
      codeOf(till.pasteSlatepack(wanted.token, slate)),
    ])
    expect(codes.sort()).toEqual(['INVOICE_ALREADY_PAID', 'ok'])
    expect(wallet.signed).toEqual([0])
  })

  test('a slate in another state is refused on every rail', async () => {
    const { till, wallet } = given()
    const slate = wallet.slateOf({ state: 'I2' })
    expect(await codeOf(till.accept({ slate, rail: 'nostr' }))).toBe('SLATE_WRONG_STATE')
  })
})
