import { describe, expect, test } from 'vitest'
import { toHex } from '../../../src/lib/bytes.js'
import type { Payment } from '../../../src/till/index.js'
import { settled } from '../../support/fake-clock.js'
import { aSlate } from '../../support/fake-wallet.js'
import { DAY, grin, HOUR, MINUTE, SECOND } from '../../support/till-builders.js'
import { codeOf, type FakeTillOptions, openTill } from '../../support/till-parts.js'

/** A paid invoice, and what a test says about its payment. */
async function paid(options: FakeTillOptions = {}) {
  const opened = openTill(options)
  const { till, store, chain, clock, shop } = opened
  await till.passes.confirm()
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-42' })
  const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
  return {
    ...opened,
    payment,
    mine: (height = chain.height) => chain.mine(payment, height),
    drop: () => chain.drop(payment),
    /** Time and chain move on, one pass looks. */
    async pass(blocks = 0, ms = 30 * SECOND) {
      chain.height += blocks
      await clock.advance(ms)
      await till.passes.confirm()
      return { payment: await store.paymentById(payment.id), invoice: await store.invoiceById(invoice.id) }
    },
    async events() {
      await till.passes.deliver()
      return shop.sent.map(({ body }) => JSON.parse(body))
    },
  }
}

describe('counting', () => {
  test('a kernel and its output in a block count from 1, and the invoice shows the depth', async () => {
    const { mine, pass, chain } = await paid()
    mine()
    expect(await pass()).toMatchObject({
      payment: { settlement: 'mined', minedHeight: chain.height, confirmations: 1 },
      invoice: { status: 'paid', confirmations: 1 },
    })
    expect(await pass(3)).toMatchObject({ payment: { confirmations: 4 }, invoice: { confirmations: 4 } })
  })

  test('at the required depth everything is confirmed at once, and announced once', async () => {
    const { mine, pass, chain, clock, events, payment } = await paid()
    mine()
    await pass(8)
    expect((await pass(1)).invoice?.status).toBe('confirmed')
    const now = clock.now()
    const after = await pass(1)
    expect(after.payment).toMatchObject({ settlement: 'confirmed', confirmations: 10, confirmedAt: now })
    expect(after.invoice).toMatchObject({ status: 'confirmed', confirmations: 10, confirmedAt: now })
    expect((await events()).slice(1)).toEqual([
      {
        event_id: expect.any(String),
        event_type: 'payment.confirmed',
        created_at: new Date(now).toISOString().replace('.000', ''),
        payment: {
          slate_id: payment.id,
          amount: 2_000_000_000,
          amount_grin: '2',
          status: 'confirmed',
          payer: null,
          confirmed_height: chain.height - 10,
          confirmations: 10,
        },
        invoice_id: payment.invoiceId,
        order_ref: 'order-42',
        user_id: null,
      },
    ])
  })

  test('a depth of one block is enough where the operator says so', async () => {
    const { mine, pass } = await paid({ settings: { confirmations: 1 } })
    mine()
    expect((await pass()).invoice).toMatchObject({ status: 'confirmed', confirmations: 1 })
  })

  test('a block above the tip counts as one', async () => {
    const { mine, pass, chain } = await paid()
    mine(chain.height + 2)
    expect((await pass()).payment?.confirmations).toBe(1)
  })

  test('in the pool it is seen, and seen it stays until a block has it', async () => {
    const { chain, payment, pass, mine } = await paid()
    chain.pool.add(toHex(payment.excess))
    expect((await pass()).payment?.settlement).toBe('seen')
    chain.pool.clear()
    expect((await pass()).payment?.settlement).toBe('seen')
    mine()
    expect((await pass()).payment?.settlement).toBe('mined')
  })

  test('an unmatched payment is confirmed and announced too', async () => {
    const { till, wallet, chain, clock, shop } = openTill()
    const { payment } = await till.accept({ slate: wallet.slateOf({}), rail: 'nostr' })
    chain.mine(payment, chain.height - 9)
    await till.passes.confirm()
    await clock.advance(SECOND)
    await till.passes.deliver()
    expect(shop.sent.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: 'payment.received', invoice_id: null },
      { event_type: 'payment.confirmed', invoice_id: null, payment: { confirmations: 10 } },
    ])
    expect((await till.findPayment(payment.id))?.settlement).toBe('confirmed')
  })

  test('many payments are worked off in one pass', async () => {
    const { till, wallet, chain } = openTill()
    const made: Payment[] = []
    for (let i = 0; i < 120; i += 1)
      made.push((await till.accept({ slate: wallet.slateOf({}), rail: 'nostr' })).payment)
    for (const payment of made) chain.mine(payment, chain.height - 20)
    await till.passes.confirm()
    expect((await till.balance()).confirmed).toEqual({ count: 120, amount: grin(240) })
  })
})

describe('which invoice an event names', () => {
  const PAYER = 'ab'.repeat(32)
  /** An order whose first payment was taken back by its payer, so that its invoice is open again. */
  async function takenBack() {
    const opened = openTill({ settings: { confirmations: 1 } })
    const { till, wallet } = opened
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-42' })
    const pay = async () =>
      (
        await till.accept({
          slate: wallet.slateOf({}),
          rail: 'nostr',
          recipientPubkey: invoice.recipientPubkey,
          payer: PAYER,
        })
      ).payment
    const payment = await pay()
    expect(await till.voidPayment(payment.id, PAYER)).toBe(true)
    const confirmed = async () => {
      await till.passes.deliver()
      await till.passes.deliver()
      const events = opened.shop.sent.map(({ body }) => JSON.parse(body))
      return events
        .filter(({ event_type }) => event_type === 'payment.confirmed')
        .map((event) => [event.payment.slate_id, event.invoice_id, event.order_ref])
    }
    return { ...opened, invoice, payment, pay, confirmed }
  }

  test('taken back, invoice cancelled, broadcast all the same: confirmed as a payment without an invoice, with an alarm', async () => {
    const { till, chain, invoice, payment, confirmed } = await takenBack()
    await till.cancelInvoice(invoice.id)
    chain.mine(payment, chain.height)
    await till.passes.confirm()
    expect(await confirmed()).toEqual([[payment.id, null, null]])
    expect((await till.findInvoice(invoice.id))?.status).toBe('cancelled')
    expect((await till.status()).alarms).toEqual([expect.stringContaining(`after invoice ${invoice.id} was cancelled`)])
  })

  test('money that settled no invoice is listed as unmatched, keeps its alarm, and is assigned to another invoice, which ends the alarm', async () => {
    const { till, chain, clock, invoice, payment, confirmed } = await takenBack()
    await till.cancelInvoice(invoice.id)
    chain.mine(payment, chain.height)
    await till.passes.confirm()
    expect(await till.findPayment(payment.id)).toMatchObject({ invoiceId: null, intendedInvoiceId: invoice.id })
    expect((await till.listPayments({ unmatched: true, limit: 5 })).items).toMatchObject([{ id: payment.id }])
    expect(await till.today()).toMatchObject({ unmatched: 1 })
    await clock.advance(HOUR)
    await till.passes.confirm()
    expect((await till.status()).alarms).toEqual([expect.stringContaining(`after invoice ${invoice.id} was cancelled`)])
    const { invoice: other } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-43' })
    expect(await codeOf(till.assignPayment(payment.id, other.id))).toBe('ok')
    expect((await till.status()).alarms).toEqual([])
    expect(await till.findInvoice(other.id)).toMatchObject({ status: 'confirmed', paymentId: payment.id })
    expect(await confirmed()).toEqual([
      [payment.id, null, null],
      [payment.id, other.id, 'order-43'],
    ])
    await clock.advance(HOUR)
    await till.passes.confirm()
    expect((await till.status()).alarms).toEqual([])
  })

  test('two payments of one order reach the chain: one event names it, the other none, with an alarm', async () => {
    const { till, chain, clock, invoice, payment, pay, confirmed } = await takenBack()
    const second = await pay()
    chain.mine(second, chain.height)
    await till.passes.confirm()
    chain.mine(payment, chain.height)
    await clock.advance(30 * SECOND)
    await till.passes.confirm()
    expect(await confirmed()).toEqual([
      [second.id, invoice.id, 'order-42'],
      [payment.id, null, null],
    ])
    expect((await till.status()).alarms).toEqual([expect.stringContaining('the customer paid twice')])
  })

  test('a cancellation that comes between the look and the write decides: the event names no invoice', async () => {
    const { till, store, chain, invoice, payment, confirmed } = await takenBack()
    chain.mine(payment, chain.height)
    const { confirmPayment } = store
    store.confirmPayment = async (...given) => {
      await store.cancelInvoice(invoice.id)
      return confirmPayment(...given)
    }
    await till.passes.confirm()
    expect(await confirmed()).toEqual([[payment.id, null, null]])
    expect((await till.status()).alarms).toHaveLength(1)
  })
})

describe('kernel and output belong together', () => {
  test('a kernel without our output counts, raises an alarm, and confirms with a note at the required depth', async () => {
    const { chain, payment, pass, mine, till, events } = await paid()
    mine()
    chain.outputs.clear()
    expect(await pass(3)).toMatchObject({
      payment: { settlement: 'mined', confirmations: 4, output: 'spent-or-missing' },
      invoice: { status: 'paid', confirmations: 4 },
    })
    expect((await till.status()).alarms).toEqual([
      expect.stringContaining(`payment ${payment.id}: its kernel is in block`),
    ])
    expect(await pass(6)).toMatchObject({
      payment: { settlement: 'confirmed', confirmations: 10, output: 'spent-or-missing' },
      invoice: { status: 'confirmed' },
    })
    expect((await till.status()).alarms).toEqual([])
    expect((await events()).at(-1)).toMatchObject({ event_type: 'payment.confirmed', order_ref: 'order-42' })
  })

  test('an output that is there at the next look ends alarm and note', async () => {
    const { chain, pass, mine, till } = await paid()
    mine()
    chain.outputs.clear()
    await pass(1)
    mine(chain.height - 1)
    expect((await pass(1)).payment).toMatchObject({ settlement: 'mined', output: null })
    expect((await till.status()).alarms).toEqual([])
  })

  test('our output without its kernel confirms nothing and is never abandoned', async () => {
    const { chain, pass, mine, till } = await paid()
    mine()
    chain.kernels.clear()
    expect((await pass(20, 2 * DAY)).invoice?.status).toBe('paid')
    expect((await till.status()).alarms).toHaveLength(1)
  })
})

test('a block that comes while the node is asked is no alarm: its kernel is asked about again', async () => {
  const { till, chain, mine, pass } = await paid()
  const { unspent } = chain
  chain.unspent = async (commitments) => {
    mine()
    return unspent(commitments)
  }
  expect((await pass()).payment).toMatchObject({ settlement: 'mined', confirmations: 1 })
  expect((await till.status()).alarms).toEqual([])
})

describe('reorganisations', () => {
  test('a kernel that vanishes counts back to zero, and counts again elsewhere', async () => {
    const { mine, drop, pass, chain, log } = await paid()
    mine()
    await pass(4)
    drop()
    expect(await pass()).toMatchObject({
      payment: { settlement: 'replied', minedHeight: null, confirmations: 0 },
      invoice: { status: 'paid', confirmations: 0 },
    })
    expect(log.filter(({ level }) => level === 'warn').map(({ text }) => text)).toEqual([
      'kernel vanished in a reorganisation',
    ])
    mine(chain.height)
    expect((await pass(1)).payment).toMatchObject({
      settlement: 'mined',
      minedHeight: chain.height - 1,
      confirmations: 2,
    })
  })

  test('after confirmation the state stays and the operator is alarmed until it is back', async () => {
    const { mine, drop, pass, till, log, chain } = await paid()
    mine()
    await pass(10)
    drop()
    const after = await pass(1, 10 * MINUTE)
    expect(after.invoice).toMatchObject({ status: 'confirmed', confirmations: 11 })
    expect(after.payment).toMatchObject({ settlement: 'confirmed', confirmations: 11 })
    await pass(1, 10 * MINUTE)
    expect((await till.status()).alarms).toEqual([expect.stringContaining('no longer on the chain')])
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1)
    mine(chain.height)
    await pass(1, 10 * MINUTE)
    expect((await till.status()).alarms).toEqual([])
  })

  test('a day after confirmation the watch ends', async () => {
    const { mine, pass } = await paid()
    mine()
    await pass(10)
    expect((await pass(1, 12 * HOUR)).payment?.nextCheckAt).not.toBeNull()
    expect((await pass(1, 12 * HOUR)).payment?.nextCheckAt).toBeNull()
  })
})

describe('payments that never come', () => {
  test('after the settle time the payment is abandoned and the invoice expired', async () => {
    const { pass } = await paid()
    expect((await pass(1, DAY - MINUTE)).invoice?.status).toBe('paid')
    expect(await pass(1, MINUTE)).toMatchObject({
      payment: { settlement: 'abandoned' },
      invoice: { status: 'expired' },
    })
  })

  test('one that waits in the pool is not abandoned', async () => {
    const { pass, chain, payment } = await paid()
    chain.pool.add(toHex(payment.excess))
    expect((await pass(1, 2 * DAY)).payment?.settlement).toBe('seen')
    expect((await pass(1, MINUTE)).payment?.settlement).toBe('seen')
  })

  test('a late kernel brings the invoice back and confirms it', async () => {
    const { pass, mine, chain, events } = await paid()
    await pass(0, DAY)
    mine()
    expect(await pass(0, 10 * MINUTE)).toMatchObject({
      payment: { settlement: 'mined' },
      invoice: { status: 'paid', confirmations: 1 },
    })
    expect((await pass(9)).invoice?.status).toBe('confirmed')
    expect((await events()).map(({ event_type }) => event_type)).toEqual(['payment.received', 'payment.confirmed'])
    expect(chain.height).toBe(1_000_009)
  })

  test('seven days after that the watch ends', async () => {
    const { pass } = await paid()
    await pass(0, DAY)
    expect((await pass(0, 7 * DAY - MINUTE)).payment?.nextCheckAt).not.toBeNull()
    expect((await pass(0, 10 * MINUTE)).payment?.nextCheckAt).toBeNull()
  })

  test('its page stays closed for other payers, and it takes no new price', async () => {
    const { pass, till, payment } = await paid()
    await pass(0, DAY)
    const invoice = await till.findInvoice(payment.invoiceId ?? '')
    expect(await codeOf(till.pasteSlatepack(invoice?.token ?? '', aSlate()))).toBe('INVOICE_EXPIRED')
    expect(await codeOf(till.requote(invoice?.token ?? ''))).toBe('REQUOTE_REFUSED')
  })
})

describe('asking the node', () => {
  test('young payments every pass, older ones more rarely', async () => {
    const { pass, clock } = await paid()
    const waits = async (ms: number) => {
      const { payment } = await pass(0, ms)
      return ((payment?.nextCheckAt ?? 0) - clock.now()) / SECOND
    }
    expect(await waits(30 * SECOND)).toBe(24)
    expect(await waits(HOUR)).toBe(60)
    expect(await waits(DAY)).toBe(600)
  })

  test('a faster chain is asked more often', async () => {
    const { pass, clock } = await paid({ parts: { confirmEverySeconds: 1 } })
    const { payment } = await pass(0, SECOND)
    expect((payment?.nextCheckAt ?? 0) - clock.now()).toBe(800)
  })

  test('kernels are searched from a day below the height at receipt', async () => {
    const { pass, chain } = await paid()
    await pass(50)
    expect(chain.searchedFrom).toEqual([1_000_000 - 1440])
  })

  test('without a height at receipt the age stands in for it', async () => {
    const { till, chain, clock } = openTill()
    chain.down = 'connection refused'
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(2) })
    await till.pasteSlatepack(invoice.token, aSlate())
    await clock.advance(2 * HOUR)
    chain.down = undefined
    await till.passes.confirm()
    expect(chain.searchedFrom).toEqual([1_000_000 - 120 - 1440])
  })

  test('a node that fails, wherever, changes nothing', async () => {
    for (const broken of ['tip', 'poolExcesses', 'kernelHeight', 'unspent'] as const) {
      const { mine, pass, chain, till, log } = await paid()
      mine()
      const before = await pass(4)
      const works = chain[broken]
      Object.assign(chain, { [broken]: () => Promise.reject(new Error('connection refused')) })
      expect(await pass(6)).toEqual(before)
      expect(log.at(-1)).toMatchObject({ level: 'warn', fields: { cause: 'connection refused' } })
      Object.assign(chain, { [broken]: works })
      expect((await pass(0)).invoice?.status).toBe('confirmed')
      expect((await till.status()).node).toEqual({ ok: true, height: chain.height, detail: `at block ${chain.height}` })
    }
  })

  test('the status tells of a missing node within seconds', async () => {
    const { till, chain, clock } = openTill()
    expect((await till.status()).node).toMatchObject({ ok: true, height: 1_000_000 })
    chain.down = 'connection refused'
    await clock.advance(6 * SECOND)
    expect((await till.status()).node).toEqual({ ok: false, height: 1_000_000, detail: 'connection refused' })
  })
})

describe('attaching an unmatched payment', () => {
  const given = async () => {
    const opened = openTill()
    const { till, wallet } = opened
    const { payment } = await till.accept({ slate: wallet.slateOf({}), rail: 'nostr' })
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-42', expirySecs: 3600 })
    return { ...opened, payment, invoice }
  }

  test('pays the invoice and says so', async () => {
    const { till, payment, invoice, shop } = await given()
    expect((await till.assignPayment(payment.id, invoice.id)).invoiceId).toBe(invoice.id)
    expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', paymentId: payment.id })
    await till.passes.deliver()
    expect(JSON.parse(shop.sent.at(-1)?.body ?? '')).toMatchObject({
      event_type: 'payment.received',
      invoice_id: invoice.id,
      order_ref: 'order-42',
    })
  })

  test('a confirmed payment confirms an expired invoice', async () => {
    const { till, payment, invoice, shop, chain, clock } = await given()
    chain.mine(payment, chain.height - 20)
    await clock.advance(HOUR)
    await till.passes.sweep()
    await till.passes.confirm()
    await till.assignPayment(payment.id, invoice.id)
    expect((await till.findInvoice(invoice.id))?.status).toBe('confirmed')
    await till.passes.deliver()
    expect(JSON.parse(shop.sent.at(-1)?.body ?? '')).toMatchObject({
      event_type: 'payment.confirmed',
      invoice_id: invoice.id,
      payment: { confirmed_height: chain.height - 20, confirmations: 21 },
    })
  })

  test('while a pass wants to confirm it, both come through and the event names the invoice', async () => {
    const { till, payment, invoice, store, chain, shop } = await given()
    chain.mine(payment, chain.height - 20)
    const read = store.invoiceById
    let pass: Promise<void> | undefined
    store.invoiceById = async (id) => {
      pass ??= till.passes.confirm()
      await settled()
      return read(id)
    }
    expect(await codeOf(till.assignPayment(payment.id, invoice.id))).toBe('ok')
    await pass
    expect((await till.findInvoice(invoice.id))?.status).toBe('confirmed')
    await till.passes.deliver()
    const events = shop.sent.map(({ body }) => JSON.parse(body))
    expect(events.map(({ event_type, invoice_id }) => [event_type, invoice_id])).toEqual([
      ['payment.received', null],
      ['payment.received', invoice.id],
      ['payment.confirmed', invoice.id],
    ])
  })

  test('each refusal has its own words', async () => {
    const { till, payment, invoice } = await given()
    const { invoice: dear } = await till.createInvoice({ amountNanogrin: grin(3) })
    expect(await codeOf(till.assignPayment('0436430c-2b02-624c-2032-570501212b00', invoice.id))).toBe(
      'PAYMENT_NOT_FOUND',
    )
    expect(await codeOf(till.assignPayment(payment.id, 'f'.repeat(32)))).toBe('INVOICE_NOT_FOUND')
    expect(await codeOf(till.assignPayment(payment.id, dear.id))).toBe('ASSIGN_REFUSED')
    await till.assignPayment(payment.id, invoice.id)
    expect(await codeOf(till.assignPayment(payment.id, invoice.id))).toBe('ASSIGN_REFUSED')
  })
})
