// Plain sends to the till's address, with real slates: which invoice they pay, and what happens to those that pay none.
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createS1, planSpend } from '../../../src/grin/payer/index.js'
import { formatSlateJson, parseSlateJson } from '../../../src/grin/slate/index.js'
import { readSlatepack } from '../../../src/grin/slatepack/index.js'
import { type OpenedForeign, openForeign } from '../../support/foreign.js'
import { countingRandom } from '../../support/grin.js'
import { invoiceOn } from '../../support/grin1.js'
import { aSlateId, grin, MINUTE } from '../../support/till-builders.js'

let seed = 1

/** What a stock sender posts. */
async function anS1(amount: number, id = aSlateId()) {
  const coin = { identifier: outputIdentifier(0, 1), value: 50_000_000_000n }
  const spend = planSpend([coin], nanoGrin(grin(amount)), outputIdentifier(0, 2))
  const { slate } = await createS1({ amount: grin(amount), spend, id, random: countingRandom(seed++) })
  return JSON.parse(formatSlateJson(slate))
}
const send = ({ call }: OpenedForeign, slate: unknown) => call('receive_tx', [slate, null, null])
const paymentsOf = async ({ store }: OpenedForeign) => (await store.listPayments({ limit: 99 })).items

describe('a plain send', () => {
  test.each(['derived', 'memo', 'amount'])(
    'pays the one open invoice of its amount, made in mode %s',
    async (matchMode) => {
      const opened = openForeign()
      await invoiceOn(opened, { amountNanogrin: grin(3), matchMode })
      const invoice = await invoiceOn(opened, { matchMode })
      const { result } = await send(opened, await anS1(2))
      expect(parseSlateJson(result.Ok).state).toBe('S2')
      expect(await opened.till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', slatepack: null })
      expect(await paymentsOf(opened)).toMatchObject([
        {
          invoiceId: invoice.id,
          rail: 'grin1',
          settlement: 'replied',
          payer: null,
          recipientPubkey: null,
          userId: null,
        },
      ])
    },
  )

  test('again is answered with the same S2, and many at once make one payment', async () => {
    const opened = openForeign()
    await invoiceOn(opened)
    const slate = await anS1(2)
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(opened, slate)))
    answers.push(await send(opened, slate))
    expect(new Set(answers.map(({ result }) => JSON.stringify(result))).size).toBe(1)
    expect(await paymentsOf(opened)).toHaveLength(1)
  })

  test('is handed out only when it is stored', async () => {
    const opened = openForeign()
    await invoiceOn(opened)
    const { acceptPayment } = opened.store
    let stored = false
    opened.store.acceptPayment = async (...given) => {
      const answer = await acceptPayment(...given)
      stored = true
      return answer
    }
    expect((await send(opened, await anS1(2))).result.Ok.sta).toBe('S2')
    expect(stored).toBe(true)
    opened.store.acceptPayment = () => Promise.reject(new Error('disk full'))
    await invoiceOn(opened)
    expect((await send(opened, await anS1(2))).error.code).toBe(-32603)
  })

  test('of an amount that several open invoices ask for is refused with words', async () => {
    const opened = openForeign()
    for (let n = 0; n < 2; n += 1) await invoiceOn(opened)
    const { error } = await send(opened, await anS1(2))
    expect(error.code).toBe(-32000)
    expect(error.message).toMatch(/fits no single open invoice: several open invoices ask for this amount/)
    expect(await paymentsOf(opened)).toEqual([])
  })

  test('of an amount that none asks for is refused, unless the operator takes such', async () => {
    const slate = await anS1(5)
    for (const unmatched of [undefined, 'refuse'] as const)
      expect((await send(openForeign({ settings: { unmatched } }), slate)).error.message).toMatch(
        /none asks for this amount/,
      )
    const opened = openForeign({ settings: { unmatched: 'accept' } })
    expect((await send(opened, slate)).result.Ok.sta).toBe('S2')
    expect(await paymentsOf(opened)).toMatchObject([{ invoiceId: null, rail: 'grin1' }])
  })

  test('to an invoice that ended is taken for two minutes, then refused', async () => {
    const opened = openForeign()
    await invoiceOn(opened, { expirySecs: 60 })
    await invoiceOn(opened, { expirySecs: 60, amountNanogrin: grin(3) })
    await opened.clock.advance(2 * MINUTE)
    await opened.till.passes.sweep()
    expect((await send(opened, await anS1(2))).result.Ok.sta).toBe('S2')
    await opened.clock.advance(MINUTE + 1)
    expect((await send(opened, await anS1(3))).error.code).toBe(-32000)
  })

  test('does not pay invoices made with the rail off', async () => {
    const opened = openForeign({ settings: { grin1Rail: false } })
    await invoiceOn(opened)
    expect((await send(opened, await anS1(2))).error.code).toBe(-32000)
  })

  test('under an id that was used by another slate is refused', async () => {
    const opened = openForeign()
    await invoiceOn(opened)
    const slate = await anS1(2)
    await send(opened, slate)
    await invoiceOn(opened)
    const other = await anS1(2, slate.id)
    expect((await send(opened, other)).error.message).toMatch(/another slatepack with this slate id/)
  })
})

describe('slates at the wrong method', () => {
  test('an S1 at finalize_tx, an I1 and a junk slate at both', async () => {
    const opened = openForeign()
    const invoice = await invoiceOn(opened)
    const i1 = JSON.parse(formatSlateJson((await readSlatepack(invoice.slatepack!, { prefix: 'grin' })).slate))
    expect((await opened.call('finalize_tx', [await anS1(2)])).error.message).toMatch(
      /state S1; what answers an invoice/,
    )
    expect((await opened.call('finalize_tx', [i1])).error.message).toMatch(/state I1/)
    expect((await send(opened, i1)).error.message).toMatch(/our invoice slatepack \(I1\)/)
    expect((await send(opened, { ...i1, sta: 'I2' })).error.message).toMatch(/state I2; a payment starts with/)
    expect((await send(opened, { ...i1, sta: 'X9' })).error).toMatchObject({ code: -32602 })
    expect(await paymentsOf(opened)).toEqual([])
  })

  test('members of every wrong type are refused and crash nothing', async () => {
    const opened = openForeign()
    const slate = await anS1(2)
    const junk = [null, 7, -1, 1.5, 1e300, '', 'zz', true, [], {}, [[]], 'ff'.repeat(40_000)]
    for (const name of ['ver', 'id', 'sta', 'off', 'num_parts', 'amt', 'fee', 'feat', 'ttl', 'sigs', 'coms', 'proof'])
      for (const value of junk) {
        const { error, result } = await send(opened, { ...slate, [name]: value })
        expect(result ?? error.message).toBeTruthy()
        await opened.clock.advance(MINUTE)
      }
    expect(opened.crashes).toEqual([])
    expect(await paymentsOf(opened)).toEqual([])
  })
})

describe('the bare address', () => {
  test('is offered to the earliest of several invoices over one amount, while it is open', async () => {
    const opened = openForeign()
    const { till, clock } = opened
    const first = await invoiceOn(opened)
    await clock.advance(1000)
    const [second, other] = [await invoiceOn(opened), await invoiceOn(opened, { amountNanogrin: grin(7) })]
    const offered = () =>
      Promise.all([first, second, other].map(async ({ id }) => till.takesPlainSends((await till.findInvoice(id))!)))
    expect(await offered()).toEqual([true, false, true])
    await till.cancelInvoice(first.id)
    expect(await offered()).toEqual([false, true, true])
  })

  test('is not offered with the rail off', async () => {
    const opened = openForeign({ settings: { grin1Rail: false } })
    expect(await opened.till.takesPlainSends(await invoiceOn(opened))).toBe(false)
  })
})
