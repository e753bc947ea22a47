import { describe, expect, test } from 'vitest'
import { settled } from '../../support/fake-clock.js'
import { aSlate } from '../../support/fake-wallet.js'
import { DAY, grin, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, type OpenedTill, openTill, refusalOf } from '../../support/till-parts.js'

const SLATE_ID = '0436430c-2b02-624c-2032-570501212b00'

const invoiceOf = async ({ till }: OpenedTill, over: object = {}) =>
  (await till.createInvoice({ amountNanogrin: grin(2), ...over })).invoice

/** Nothing was taken: no key index, no payment, no event. */
async function nothingTaken({ store, wallet }: OpenedTill) {
  expect(wallet.signed).toEqual([])
  expect((await store.listPayments({ limit: 1 })).items).toEqual([])
  expect((await store.listDeliveries({ limit: 1 })).items).toEqual([])
  expect(await store.takeKeyIndex()).toBe(0)
}

describe('a pasted S1', () => {
  test('is received, stored with everything, and pays the invoice', async () => {
    const opened = openTill()
    const { till, store, chain, clock } = opened
    const invoice = await invoiceOf(opened)
    await till.passes.confirm()
    await clock.advance(5 * SECOND)
    const reply = await till.pasteSlatepack(invoice.token, aSlate({ id: SLATE_ID }))
    expect(reply).toMatchObject({ slatepack: `S2 of ${SLATE_ID} with key 0`, repeated: false })
    const payment = await store.paymentById(SLATE_ID)
    expect(payment).toMatchObject({
      invoiceId: invoice.id,
      userId: null,
      amount: grin(2),
      feeFields: 23_500_000n,
      rail: 'slatepack',
      payer: null,
      settlement: 'replied',
      reply: reply.slatepack,
      keyIndex: 0,
      receivedHeight: chain.height,
      createdAt: NOON + 5 * SECOND,
      nextCheckAt: NOON + 5 * SECOND,
    })
    expect(await till.findInvoice(invoice.id)).toMatchObject({
      status: 'paid',
      paidAt: NOON + 5 * SECOND,
      paymentId: SLATE_ID,
    })
  })

  test('is announced with payment.received', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened, { orderRef: 'order-42' })
    await opened.till.pasteSlatepack(invoice.token, aSlate({ id: SLATE_ID }))
    await opened.till.passes.deliver()
    expect(opened.shop.sent.map(({ body }) => JSON.parse(body))).toEqual([
      {
        event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        event_type: 'payment.received',
        created_at: '2026-07-01T12:00:00Z',
        payment: {
          slate_id: SLATE_ID,
          amount: 2_000_000_000,
          amount_grin: '2',
          status: 'received',
          payer: null,
          confirmed_height: null,
        },
        invoice_id: invoice.id,
        order_ref: 'order-42',
        user_id: null,
      },
    ])
  })

  test('needs no webhook', async () => {
    const opened = openTill({ settings: { webhooks: [] } })
    const invoice = await invoiceOf(opened)
    await opened.till.pasteSlatepack(invoice.token, aSlate())
    expect((await opened.store.listDeliveries({ limit: 1 })).items).toEqual([])
  })

  test('leaves one log line, without token and slatepack', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    opened.log.length = 0
    const reply = await opened.till.pasteSlatepack(invoice.token, aSlate({ id: SLATE_ID }))
    const [line, ...rest] = opened.log.filter(({ text }) => !text.startsWith('webhook'))
    expect(line).toEqual({
      level: 'info',
      fields: { invoice: invoice.id, to: 'paid', payment: SLATE_ID, rail: 'slatepack' },
      text: 'invoice paid',
    })
    expect(rest).toEqual([])
    const all = JSON.stringify(opened.log)
    for (const secret of [invoice.token, reply.slatepack]) expect(all).not.toContain(secret)
  })

  test('a reply that cannot be marked is handed out all the same', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    opened.store.markReplied = () => Promise.reject(new Error('disk full'))
    expect((await opened.till.pasteSlatepack(invoice.token, aSlate())).repeated).toBe(false)
  })
})

describe('the same S1 again', () => {
  test('is answered with the stored bytes, whatever became of the invoice, and signs nothing', async () => {
    const opened = openTill()
    const { till, wallet, clock, chain, store } = opened
    const invoice = await invoiceOf(opened)
    const text = aSlate({ id: SLATE_ID })
    const first = await till.pasteSlatepack(invoice.token, text)
    for (const settle of [
      async () => undefined,
      async () => {
        const payment = await store.paymentById(SLATE_ID)
        if (payment) chain.mine(payment, chain.height - 20)
        await till.passes.confirm()
      },
    ]) {
      await settle()
      await clock.advance(MINUTE)
      const again = await till.pasteSlatepack(invoice.token, text)
      expect(again.slatepack).toBe(first.slatepack)
      expect(again.repeated).toBe(true)
    }
    expect((await till.findInvoice(invoice.id))?.status).toBe('confirmed')
    expect(wallet.signed).toEqual([0])
  })

  test('pasted twice at once signs once', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    const text = aSlate()
    const replies = await Promise.all([1, 2, 3].map(() => opened.till.pasteSlatepack(invoice.token, text)))
    expect(new Set(replies.map(({ slatepack }) => slatepack)).size).toBe(1)
    expect(replies.map(({ repeated }) => repeated).sort()).toEqual([false, true, true])
    expect(opened.wallet.signed).toEqual([0])
  })

  test('with other content is refused', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    await opened.till.pasteSlatepack(invoice.token, aSlate({ id: SLATE_ID }))
    const other = aSlate({ id: SLATE_ID, note: 'changed' })
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, other))).toBe('SLATE_ID_USED')
  })

  test('on the page of another invoice is refused', async () => {
    const opened = openTill()
    const [a, b] = [await invoiceOf(opened), await invoiceOf(opened)]
    const text = aSlate()
    await opened.till.pasteSlatepack(a.token, text)
    expect(await codeOf(opened.till.pasteSlatepack(b.token, text))).toBe('SLATE_ID_USED')
    expect((await opened.till.findInvoice(b.id))?.status).toBe('open')
  })

  test('on two pages at once pays one', async () => {
    const opened = openTill()
    const [a, b] = [await invoiceOf(opened), await invoiceOf(opened)]
    const text = aSlate()
    const codes = await Promise.all([a, b].map(({ token }) => codeOf(opened.till.pasteSlatepack(token, text))))
    expect(codes.sort()).toEqual(['SLATE_ID_USED', 'ok'])
    expect(opened.wallet.signed).toEqual([0])
  })
})

describe('several different S1 at once', () => {
  test('exactly one is answered, the losers are refused and take no key', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => refusalOf(opened.till.pasteSlatepack(invoice.token, aSlate()))),
    )
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome !== 'ok') expect(outcome.status).toBe(409)
    expect(opened.wallet.signed).toEqual([0])
    expect(await opened.store.takeKeyIndex()).toBe(1)
    expect((await opened.store.listDeliveries({ limit: 9 })).items).toHaveLength(1)
  })

  test('the store decides when another process was quicker', async () => {
    const opened = openTill()
    const { till, store } = opened
    const invoice = await invoiceOf(opened)
    const accept = store.acceptPayment
    store.acceptPayment = async (payment, event, now, cutoff) => {
      await accept({ ...payment, id: SLATE_ID }, null, now, cutoff)
      return accept(payment, event, now, cutoff)
    }
    expect(await codeOf(till.pasteSlatepack(invoice.token, aSlate()))).toBe('INVOICE_ALREADY_PAID')
    expect((await till.findInvoice(invoice.id))?.paymentId).toBe(SLATE_ID)
  })

  test('a failed signature frees the way for the next', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    opened.wallet.gate = Promise.reject(new Error('the prover died'))
    opened.wallet.gate.catch(() => undefined)
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, aSlate()))).toBe('Error: the prover died')
    opened.wallet.gate = undefined
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, aSlate()))).toBe('ok')
    expect(opened.wallet.signed).toEqual([1])
  })
})

describe('refused before anything is taken', () => {
  test.each([
    ['no slatepack', 'hello', 'SLATEPACK_BAD_HEADER', 422],
    ['an I2', aSlate({ state: 'I2' }), 'SLATE_WRONG_STATE', 422],
    ['an S2', aSlate({ state: 'S2' }), 'SLATE_WRONG_STATE', 422],
    ['too little', aSlate({ amount: grin(1.5) }), 'SLATE_WRONG_AMOUNT', 422],
    ['too much', aSlate({ amount: grin(2.000000001) }), 'SLATE_WRONG_AMOUNT', 422],
    [
      'a broken rule',
      aSlate({ refusal: { code: 'S1_FEE_TOO_LOW', text: 'the fee is too low' } }),
      'S1_FEE_TOO_LOW',
      422,
    ],
    ['a time that is over', aSlate({ ttl: 1_000_000n }), 'SLATE_EXPIRED', 422],
  ])('%s', async (_, text, code, status) => {
    const opened = openTill()
    const invoice = await invoiceOf(opened)
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, text))).toBe(code)
    expect(await refusalOf(opened.till.pasteSlatepack(invoice.token, text))).toMatchObject({ status })
    expect((await opened.till.findInvoice(invoice.id))?.status).toBe('open')
    await nothingTaken(opened)
  })

  test('the texts tell the payer what to fix', async () => {
    const opened = openTill()
    const invoice = await invoiceOf(opened, { amountNanogrin: grin(1.5) })
    const text = async (slate: string) => {
      const refusal = await refusalOf(opened.till.pasteSlatepack(invoice.token, slate))
      return refusal === 'ok' ? 'ok' : refusal.text
    }
    expect(await text(aSlate())).toBe('this slatepack is for 2 GRIN, the invoice is 1.5')
    expect(await text(aSlate({ state: 'I2' }))).toBe('this slatepack is in state I2; a payment starts with state S1')
  })

  test('an unknown token is 404', async () => {
    const { till } = openTill()
    expect(await refusalOf(till.pasteSlatepack('x'.repeat(43), aSlate()))).toEqual({ status: 404, text: 'not found' })
  })

  test.each([
    ['paid', 409, async ({ till }: OpenedTill, token: string) => void (await till.pasteSlatepack(token, aSlate()))],
    ['expired', 410, async ({ clock }: OpenedTill) => clock.advance(DAY)],
    [
      'cancelled',
      410,
      async ({ till }: OpenedTill, token: string) =>
        void (await till.cancelInvoice((await till.findByToken(token))?.id ?? '')),
    ],
  ])('a %s page answers %i, also to nonsense', async (_, status, close) => {
    const opened = openTill()
    const { token } = await invoiceOf(opened, { expirySecs: 86_400 })
    await close(opened, token)
    const before = [...opened.wallet.signed]
    expect(await refusalOf(opened.till.pasteSlatepack(token, aSlate()))).toMatchObject({ status })
    expect(await refusalOf(opened.till.pasteSlatepack(token, 'nonsense'))).toMatchObject({ status })
    expect(opened.wallet.signed).toEqual(before)
  })

  test('a price that changed meanwhile is the refusal, not the payment', async () => {
    const opened = openTill()
    const { till, store, wallet } = opened
    const { invoice } = await till.createInvoice({ amountFiat: '10.00', currency: 'usd', expirySecs: 86_400 })
    let release = () => {}
    wallet.gate = new Promise((resolve) => {
      release = resolve
    })
    const paste = till.pasteSlatepack(invoice.token, aSlate({ amount: invoice.amount }))
    await settled()
    const { payLink, qrSvg, fiat, expiresAt } = invoice
    await store.requote(invoice.id, 0, { amount: grin(400), payLink, qrSvg, fiat, expiresAt })
    release()
    expect(await codeOf(paste)).toBe('SLATE_WRONG_AMOUNT')
    expect((await till.findInvoice(invoice.id))?.status).toBe('open')
  })

  test('an invoice cancelled while the proof was made takes nothing', async () => {
    const opened = openTill()
    const { till, wallet, store } = opened
    const invoice = await invoiceOf(opened)
    let release = () => {}
    wallet.gate = new Promise((resolve) => {
      release = resolve
    })
    const paste = till.pasteSlatepack(invoice.token, aSlate())
    await settled()
    await till.cancelInvoice(invoice.id)
    release()
    expect(await codeOf(paste)).toBe('INVOICE_CANCELLED')
    expect((await store.listPayments({ limit: 1 })).items).toEqual([])
  })

  test('a paste in time counts though its proof takes long', async () => {
    const opened = openTill()
    const { till, wallet, clock } = opened
    const invoice = await invoiceOf(opened, { expirySecs: 60 })
    await clock.advance(59 * SECOND)
    let release = () => {}
    wallet.gate = new Promise((resolve) => {
      release = resolve
    })
    const paste = till.pasteSlatepack(invoice.token, aSlate())
    await settled()
    await clock.advance(5 * SECOND)
    await till.passes.sweep()
    release()
    expect((await paste).repeated).toBe(false)
    expect((await till.findInvoice(invoice.id))?.status).toBe('paid')
  })
})

describe('without a node', () => {
  test('a slate without a time limit is taken; the height is what was last known, or 0', async () => {
    const opened = openTill()
    const { till, chain, store } = opened
    chain.down = 'connection refused'
    const first = await invoiceOf(opened)
    await till.pasteSlatepack(first.token, aSlate({ id: SLATE_ID }))
    expect((await store.paymentById(SLATE_ID))?.receivedHeight).toBe(0)
    chain.down = undefined
    await till.passes.confirm()
    chain.down = 'connection refused'
    await till.passes.confirm()
    const second = await invoiceOf(opened)
    const { payment } = await till.pasteSlatepack(second.token, aSlate())
    expect(payment.receivedHeight).toBe(1_000_000)
  })

  test('a slate with a time limit is put off, and taken when a node answers', async () => {
    const opened = openTill()
    const { till, chain, clock } = opened
    const invoice = await invoiceOf(opened)
    const text = aSlate({ ttl: 1_000_001n })
    chain.down = 'connection refused'
    expect(await refusalOf(till.pasteSlatepack(invoice.token, text))).toMatchObject({ status: 503 })
    await nothingTaken(opened)
    chain.down = undefined
    await clock.advance(MINUTE)
    expect(await codeOf(till.pasteSlatepack(invoice.token, text))).toBe('ok')
  })
})
