// An I2 for an invoice's own slate: over the Foreign API and pasted. Signing itself is tested in wallet-invoices.test.ts.
import { describe, expect, test } from 'vitest'
import { settled } from '../../support/fake-clock.js'
import { aSlate } from '../../support/fake-wallet.js'
import { anI2, invoiceOn, offerOf, openRail } from '../../support/grin1.js'
import { aSlateId, grin, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, type OpenedTill, openTill } from '../../support/till-parts.js'

const paymentsOf = async ({ store }: OpenedTill) => (await store.listPayments({ limit: 99 })).items
const foreign = (opened: OpenedTill, text: string) => opened.till.finalize(offerOf(opened, text))

describe('an honest I2', () => {
  test('over the Foreign API pays its invoice: everything is stored, announced, and the transaction is pushed', async () => {
    const opened = openRail()
    const { till, store, chain, shop } = opened
    await till.passes.confirm()
    const invoice = await invoiceOn(opened, { orderRef: 'order-42' })
    const slate = await store.invoiceSlate(invoice.slateId!)
    const { slatepack, payment, repeated } = await foreign(opened, anI2(invoice))
    expect([slatepack, repeated]).toEqual([`I3 of ${invoice.slateId}`, false])
    expect(await store.paymentById(payment.id)).toMatchObject({
      id: invoice.slateId,
      invoiceId: invoice.id,
      amount: grin(2),
      rail: 'grin1',
      payer: null,
      recipientPubkey: null,
      userId: null,
      proof: null,
      settlement: 'received',
      keyIndex: slate?.keyIndex,
      commitment: slate?.commitment,
      reply: slatepack,
      receivedHeight: chain.height,
      nextCheckAt: NOON,
    })
    expect(await store.invoiceSlate(invoice.slateId!)).toMatchObject({ state: 'finalized', sealedSecrets: null })
    expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', paymentId: payment.id, slatepack: null })
    await settled()
    expect(chain.pushed.map(({ fluff }) => fluff)).toEqual([false])
    expect(chain.pushed[0]?.transaction).toContain('"commit"')
    await till.passes.deliver()
    expect(JSON.parse(shop.sent[0]?.body ?? '')).toMatchObject({
      event_type: 'payment.received',
      invoice_id: invoice.id,
      order_ref: 'order-42',
      payment: { slate_id: invoice.slateId, amount: 2_000_000_000, payer: null },
    })
  })

  test('pasted on the page of its invoice counts as a paste', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    const { payment, slatepack } = await opened.till.pasteSlatepack(invoice.token, anI2(invoice))
    expect(payment.rail).toBe('slatepack')
    expect(slatepack).toBe(`I3 of ${invoice.slateId}`)
    expect((await opened.store.paymentById(payment.id))?.settlement).toBe('replied')
  })

  test('settles by the ordinary confirmations', async () => {
    const opened = openRail()
    const { till, chain } = opened
    const invoice = await invoiceOn(opened)
    const { payment } = await foreign(opened, anI2(invoice))
    chain.mine(payment, chain.height - 9)
    await till.passes.confirm()
    expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'confirmed', confirmations: 10 })
  })

  test('again is answered with the stored I3, whatever became of the invoice, and signs nothing', async () => {
    const opened = openRail()
    const { till, chain, wallet } = opened
    const invoice = await invoiceOn(opened)
    const first = await foreign(opened, anI2(invoice))
    wallet.broken = new Error('must not be asked')
    chain.mine(first.payment, chain.height - 20)
    await till.passes.confirm()
    for (const again of [
      await foreign(opened, anI2(invoice)),
      await till.pasteSlatepack(invoice.token, anI2(invoice)),
    ]) {
      expect(again.repeated).toBe(true)
      expect(again.slatepack).toBe(first.slatepack)
    }
    expect(await paymentsOf(opened)).toHaveLength(1)
  })

  test('is not answered before it is stored', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    opened.store.acceptPayment = () => Promise.reject(new Error('disk full'))
    await expect(foreign(opened, anI2(invoice))).rejects.toThrow('disk full')
    expect(opened.chain.pushed).toEqual([])
    expect((await opened.store.invoiceSlate(invoice.slateId!))?.state).toBe('open')
  })
})

describe('refused, and the honest one still works', () => {
  test.each<[string, string, (id: string) => string]>([
    ['an I2 with a wrong signature', 'I2_SIGNATURE', (id) => aSlate({ id, state: 'I2', note: 'wrong signature' })],
    ['an S1 under the id of the slate', 'INVOICE_SLATE_WRONG_STATE', (id) => aSlate({ id, state: 'S1' })],
    ['an I1', 'INVOICE_SLATE_WRONG_STATE', (id) => aSlate({ id, state: 'I1' })],
    ['an I3', 'INVOICE_SLATE_WRONG_STATE', (id) => aSlate({ id, state: 'I3' })],
    ['an S2', 'INVOICE_SLATE_WRONG_STATE', (id) => aSlate({ id, state: 'S2' })],
    ['an unknown slate', 'INVOICE_SLATE_UNKNOWN', () => aSlate({ id: aSlateId(), state: 'I2' })],
    ['one whose time is over', 'SLATE_EXPIRED', (id) => aSlate({ id, state: 'I2', ttl: 1_000_000n })],
  ])('%s', async (_, code, text) => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    expect(await codeOf(foreign(opened, text(invoice.slateId!)))).toBe(code)
    expect(await paymentsOf(opened)).toEqual([])
    expect(opened.chain.pushed).toEqual([])
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('ok')
  })

  test('with a time limit while no node tells the time', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    opened.chain.down = 'no node'
    const limited = aSlate({ id: invoice.slateId!, state: 'I2', ttl: 1_000_050n })
    expect(await codeOf(foreign(opened, limited))).toBe('SLATE_TIME_UNKNOWN')
    await opened.clock.advance(MINUTE)
    opened.chain.down = undefined
    expect(await codeOf(foreign(opened, limited))).toBe('ok')
  })

  test('on the page of another invoice, before and after it was finalized', async () => {
    const opened = openRail()
    const [mine, other] = [await invoiceOn(opened), await invoiceOn(opened)]
    expect(await codeOf(opened.till.pasteSlatepack(other.token, anI2(mine)))).toBe('INVOICE_SLATE_ELSEWHERE')
    expect(await codeOf(foreign(opened, anI2(mine)))).toBe('ok')
    expect(await codeOf(opened.till.pasteSlatepack(other.token, anI2(mine)))).toBe('INVOICE_SLATE_ELSEWHERE')
    expect(await codeOf(opened.till.pasteSlatepack(other.token, anI2(other)))).toBe('ok')
  })

  test('on the page of an invoice that has no slate', async () => {
    const opened = openTill()
    const invoice = await invoiceOn(opened)
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, aSlate({ state: 'I2' })))).toBe('SLATE_WRONG_STATE')
  })
})

describe('one invoice, one payment', () => {
  test('a different I2 for a finalized slate is refused', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    await foreign(opened, anI2(invoice))
    expect(await codeOf(foreign(opened, anI2(invoice, 'second')))).toBe('INVOICE_SLATE_USED')
    expect(await codeOf(opened.till.pasteSlatepack(invoice.token, anI2(invoice, 'third')))).toBe('INVOICE_SLATE_USED')
    expect(await paymentsOf(opened)).toHaveLength(1)
  })

  test('of many different I2 at once exactly one wins, over whatever way', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0
          ? codeOf(foreign(opened, anI2(invoice, `payer ${n}`)))
          : codeOf(opened.till.pasteSlatepack(invoice.token, anI2(invoice, `payer ${n}`))),
      ),
    )
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'INVOICE_SLATE_USED')).toHaveLength(7)
    await settled()
    expect(opened.chain.pushed).toHaveLength(1)
  })

  test('of an S1 and an I2 at once exactly one wins', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    const codes = await Promise.all([
      codeOf(opened.till.pasteSlatepack(invoice.token, aSlate())),
      codeOf(foreign(opened, anI2(invoice))),
      codeOf(opened.till.accept({ slate: offerOf(opened, aSlate()), rail: 'grin1' })),
    ])
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(await paymentsOf(opened)).toHaveLength(1)
  })

  test('where the store says another process was first, nothing leaves', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    const { acceptPayment } = opened.store
    opened.store.acceptPayment = async (...given) => {
      opened.store.db.run("UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE id = ?", [
        invoice.slateId,
      ])
      return acceptPayment(...given)
    }
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('INVOICE_SLATE_CLOSED')
    expect(opened.chain.pushed).toEqual([])
  })

  test('an S1 that took the invoice closes its slate', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    await opened.till.pasteSlatepack(invoice.token, aSlate())
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('INVOICE_ALREADY_PAID')
  })
})

describe('an invoice whose time is over', () => {
  const short = { expirySecs: 600 }

  test('takes an I2 on its way for the grace of every rail, but no paste', async () => {
    const opened = openRail()
    const [first, second] = [await invoiceOn(opened, short), await invoiceOn(opened, short)]
    await opened.clock.advance(10 * MINUTE + 30 * SECOND)
    expect(await codeOf(opened.till.pasteSlatepack(first.token, anI2(first)))).toBe('INVOICE_EXPIRED')
    await opened.till.passes.sweep()
    expect(await codeOf(foreign(opened, anI2(second)))).toBe('ok')
  })

  test('is refused before anything is signed, and its secrets are wiped', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened, short)
    await opened.clock.advance(13 * MINUTE)
    opened.wallet.broken = new Error('must not be asked')
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('INVOICE_EXPIRED')
    await opened.till.passes.sweep()
    expect(await opened.store.invoiceSlate(invoice.slateId!)).toMatchObject({ state: 'closed', sealedSecrets: null })
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('INVOICE_EXPIRED')
  })

  test('a cancelled one is refused, and closed by the next sweep', async () => {
    const opened = openRail()
    const invoice = await invoiceOn(opened)
    await opened.till.cancelInvoice(invoice.id)
    expect(await codeOf(foreign(opened, anI2(invoice)))).toBe('INVOICE_CANCELLED')
    await opened.till.passes.sweep()
    expect((await opened.store.invoiceSlate(invoice.slateId!))?.sealedSecrets).toBeNull()
  })
})

describe('the slate of an invoice', () => {
  test('is issued with it, over a key of its own', async () => {
    const opened = openRail()
    const [first, second] = [await invoiceOn(opened), await invoiceOn(opened)]
    expect(first).toMatchObject({ offeredRail: 'grin1', slatepack: `I1 ${first.slateId}` })
    const slates = [await opened.store.invoiceSlate(first.slateId!), await opened.store.invoiceSlate(second.slateId!)]
    expect(slates.map((slate) => slate?.keyIndex)).toEqual([0, 1])
    expect(slates[0]).toMatchObject({ state: 'open', amount: grin(2), invoiceId: first.id, createdAt: NOON })
  })

  test('is not issued with the rail off', async () => {
    const opened = openTill()
    expect(await invoiceOn(opened)).toMatchObject({ offeredRail: null, slateId: null, slatepack: null })
    expect(await opened.store.takeKeyIndex()).toBe(0)
  })

  test('that cannot be made is logged, and the invoice is there all the same', async () => {
    const opened = openRail()
    opened.wallet.broken = new Error('no thread is free')
    expect(await invoiceOn(opened)).toMatchObject({
      status: 'open',
      offeredRail: 'grin1',
      slateId: null,
      slatepack: null,
    })
    expect(opened.log.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { cause: 'no thread is free' } },
    ])
  })

  test('is not made twice for a repeated request', async () => {
    const opened = openRail()
    const key = { key: 'k', digest: 'd' }
    const first = await opened.till.createInvoice({ amountNanogrin: grin(2) }, key)
    const again = await opened.till.createInvoice({ amountNanogrin: grin(2) }, key)
    expect(again).toEqual({ invoice: first.invoice, replayed: true })
    expect(await opened.store.takeKeyIndex()).toBe(1)
  })

  test('is replaced with a new price: the old one is refused, the new one works', async () => {
    const opened = openRail()
    const { till, clock, rates, store } = opened
    const fiat = { amountNanogrin: undefined, amountFiat: '10', currency: 'usd', expirySecs: 24 * 3600 }
    const before = await invoiceOn(opened, fiat)
    await clock.advance(HOUR)
    rates.set('usd', '0.04')
    const after = await till.requote(before.token)
    expect(after.slateId).not.toBe(before.slateId)
    expect(after).toMatchObject({ status: 'open', slatepack: `I1 ${after.slateId}`, amount: grin(250) })
    expect(await store.invoiceSlate(before.slateId!)).toMatchObject({ state: 'closed', sealedSecrets: null })
    expect(await codeOf(foreign(opened, anI2(before)))).toBe('INVOICE_SLATE_CLOSED')
    const { payment } = await foreign(opened, anI2(after))
    expect(payment.amount).toBe(grin(250))
  })
})

test('no log line holds a token, a slatepack or a secret', async () => {
  const opened = openRail()
  const invoice = await invoiceOn(opened)
  const { slatepack } = await foreign(opened, anI2(invoice))
  const all = JSON.stringify(opened.log)
  for (const secret of [invoice.token, invoice.slatepack ?? '', slatepack]) expect(all).not.toContain(secret)
})
