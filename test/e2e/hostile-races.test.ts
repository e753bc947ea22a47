// Several at once, and the same again: against the daemon as `serve pay` composes it. The first one is served; the
// others leave no trace, and a repeat gets the bytes that were stored.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { armorSlate } from '../../src/grin/slatepack/index.js'
import { armoredS1, honestS1 } from '../support/hostile-slatepacks.js'
import { type HostileTill, openHostileTill } from '../support/hostile-till.js'
import { codeIn, type RawAnswer } from '../support/raw-http.js'

let till: HostileTill

beforeAll(async () => {
  till = await openHostileTill()
})
beforeEach(() => till.log.forget())
afterAll(() => till.close())

const bodyOf = (answer: RawAnswer): Record<string, unknown> => JSON.parse(answer.body)
const outcomes = (answers: readonly RawAnswer[]) =>
  answers.map((answer) => `${answer.status} ${codeIn(answer) ?? ''}`.trim()).sort()
/** What the database and the counter hold. */
const held = () => ({ keys: till.nextKeyIndex(), payments: till.count('payment'), invoices: till.count('invoice') })
const quietly = async (): Promise<string> => {
  await till.daemon.till.passes.deliver()
  return till.fingerprint()
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** The same, once the looks at the chain that a new block brings are over. */
async function settled(): Promise<string> {
  for (let last = ''; ; await pause(1000)) {
    const now = await quietly()
    if (now === last) return now
    last = now
  }
}

describe('slatepacks for one invoice', () => {
  test('of eight different ones at once exactly one is answered, and no other takes a key index', async () => {
    const invoice = await till.invoice()
    const before = held()
    const packs = Array.from({ length: 8 }, () => armoredS1(invoice))
    const answers = await Promise.all(packs.map((pack) => till.paste(invoice.token, pack)))
    expect(outcomes(answers)).toEqual(['200', ...Array(7).fill('409 INVOICE_ALREADY_PAID')])
    expect(held()).toEqual({ keys: before.keys + 1, payments: before.payments + 1, invoices: before.invoices })
    till.expectCleanLog()
  })

  test('the same one eight times at once gets the same bytes eight times', async () => {
    const invoice = await till.invoice()
    const before = held()
    const pack = armoredS1(invoice)
    const answers = await Promise.all(Array.from({ length: 8 }, () => till.paste(invoice.token, pack)))
    expect(outcomes(answers)).toEqual(Array(8).fill('200'))
    expect(new Set(answers.map((answer) => bodyOf(answer).slatepack)).size).toBe(1)
    expect(answers.filter((answer) => bodyOf(answer).repeated === false)).toHaveLength(1)
    expect(held()).toEqual({ keys: before.keys + 1, payments: before.payments + 1, invoices: before.invoices })
  })

  test('one slate id with eight contents at once: one is answered, the others are refused', async () => {
    const invoice = await till.invoice()
    const before = held()
    const { id } = honestS1(invoice)
    const packs = Array.from({ length: 8 }, () => armoredS1(invoice, { id }))
    const answers = await Promise.all(packs.map((pack) => till.paste(invoice.token, pack)))
    expect(outcomes(answers)).toEqual(['200', ...Array(7).fill('422 SLATE_ID_USED')])
    expect(held().keys).toBe(before.keys + 1)
  })

  test('one slatepack for eight invoices at once pays one of them', async () => {
    const invoices = []
    for (let made = 0; made < 8; made++) invoices.push(await till.invoice())
    const before = held()
    const pack = armoredS1({ amount: 1_000_000_000n })
    const answers = await Promise.all(invoices.map(({ token }) => till.paste(token, pack)))
    expect(outcomes(answers)).toEqual(['200', ...Array(7).fill('422 SLATE_ID_USED')])
    expect(held().keys).toBe(before.keys + 1)
  })

  test('in another spelling the same slate gets the same reply', async () => {
    const invoice = await till.invoice()
    const slate = honestS1(invoice)
    const first = await till.paste(invoice.token, armorSlate(slate, { prefix: 'tgrin' }))
    const before = await quietly()
    const spelt = `> quoted mail\n> ${armorSlate(slate, { prefix: 'tgrin' }).replaceAll(' ', '\n> ')} bye`
    const again = await till.paste(invoice.token, spelt)
    expect([again.status, bodyOf(again).slatepack]).toEqual([200, bodyOf(first).slatepack])
    expect(await quietly()).toBe(before)
  })

  test('our own reply, pasted back, is refused for what it is', async () => {
    const invoice = await till.invoice()
    const reply = bodyOf(await till.paste(invoice.token, armoredS1(invoice)))
    const other = await till.invoice(2_000_000_000n)
    const before = await quietly()
    for (const { token } of [invoice, other])
      expect(outcomes([await till.paste(token, String(reply.slatepack))])).toEqual(['422 SLATE_OUR_REPLY'])
    expect(await quietly()).toBe(before)
  })
})

describe('after the end of an invoice', () => {
  const cancel = (id: string) =>
    till.send({
      method: 'POST',
      path: `/admin/invoices/${id}/cancel`,
      headers: [`Authorization: Bearer ${till.admin}`],
    })

  test('cancelled: a slatepack is 410, and leaves no trace', async () => {
    const invoice = await till.invoice()
    expect((await cancel(invoice.id)).status).toBe(200)
    const before = await quietly()
    for (const pack of [armoredS1(invoice), 'noise', ''])
      expect(outcomes([await till.paste(invoice.token, pack)])).toEqual(['410 INVOICE_CANCELLED'])
    expect(await quietly()).toBe(before)
  })

  test('paid: cancelling is 409, another slatepack 409, the same one its reply', async () => {
    const invoice = await till.invoice()
    const pack = armoredS1(invoice)
    const first = await till.paste(invoice.token, pack)
    const before = await quietly()
    expect(outcomes([await cancel(invoice.id), await till.paste(invoice.token, armoredS1(invoice))])).toEqual([
      '409 INVOICE_ALREADY_PAID',
      '409 INVOICE_NOT_OPEN',
    ])
    const again = await till.paste(invoice.token, pack)
    expect([again.status, bodyOf(again).slatepack]).toEqual([200, bodyOf(first).slatepack])
    expect(await quietly()).toBe(before)
  })

  test('confirmed: another slatepack is 409, the same one still gets its reply', async () => {
    const invoice = await till.invoice(3_000_000_000n)
    await till.payer.fund(2)
    const payment = till.payer.begin(invoice.amount)
    const reply = await till.payer.paste(invoice.payUrl, payment)
    await till.payer.push(await till.payer.finish(payment, reply))
    till.node.mine(5)
    await pause(600) // the height of a moment ago is believed for half a second
    await till.daemon.till.passes.confirm()
    expect((await till.daemon.till.findInvoice(invoice.id))?.status).toBe('confirmed')
    const before = await settled()
    expect(outcomes([await till.paste(invoice.token, armoredS1(invoice))])).toEqual(['409 INVOICE_ALREADY_PAID'])
    const again = await till.paste(invoice.token, payment.s1)
    expect([again.status, bodyOf(again).slatepack]).toEqual([200, reply])
    expect(await quietly()).toBe(before)
  })

  test('cancelling and paying at once: one of the two happens, and the other is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const invoice = await till.invoice()
      const keys = till.nextKeyIndex()
      const [cancelled, paid] = await Promise.all([cancel(invoice.id), till.paste(invoice.token, armoredS1(invoice))])
      const status = (await till.daemon.till.findInvoice(invoice.id))?.status
      expect([cancelled.status, paid.status, status]).toEqual(
        cancelled.status === 200 ? [200, 410, 'cancelled'] : [409, 200, 'paid'],
      )
      expect(till.nextKeyIndex() - keys).toBeLessThanOrEqual(1)
    }
  })
})

describe('the same create request', () => {
  const create = (key: string, body = '{"amount_grin":1000}') =>
    till.json('/invoice', body, [`Authorization: Bearer ${till.api}`, `Idempotency-Key: ${key}`])

  test('twenty times at once with one key makes one invoice', async () => {
    const before = till.count('invoice')
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('twenty')))
    const made = new Set(answers.filter(({ status }) => status === 200).map((answer) => bodyOf(answer).invoice_id))
    expect(made.size).toBe(1)
    expect(
      answers
        .filter(({ status }) => status !== 200)
        .map((answer) => [answer.status, codeIn(answer), answer.headers['retry-after']]),
    ).toEqual(answers.filter(({ status }) => status !== 200).map(() => [409, 'IDEMPOTENCY_IN_FLIGHT', '1']))
    expect(till.count('invoice')).toBe(before + 1)
    const later = await create('twenty')
    expect([later.status, later.headers['idempotent-replayed'], made.has(bodyOf(later).invoice_id)]).toEqual([
      200,
      'true',
      true,
    ])
  })

  test('with one key and two bodies at once makes one invoice', async () => {
    const before = till.count('invoice')
    const answers = await Promise.all([create('two'), create('two', '{"amount_grin":2000}')])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(till.count('invoice')).toBe(before + 1)
    expect(outcomes([await create('two'), await create('two', '{"amount_grin":2000}')])).toEqual([
      '200',
      '422 IDEMPOTENCY_MISMATCH',
    ])
  })

  test('is the same in another order of members and with other spaces, and not with another number', async () => {
    const first = bodyOf(await create('order', '{"amount_grin":1000,"memo":"a"}'))
    const again = bodyOf(await create('order', ' { "memo" : "\\u0061", "amount_grin" : 1000 } '))
    expect(again.invoice_id).toBe(first.invoice_id)
    expect(outcomes([await create('order', '{"amount_grin":1001,"memo":"a"}')])).toEqual(['422 IDEMPOTENCY_MISMATCH'])
  })

  test.each([
    ['nothing', ''],
    ['129 characters', 'x'.repeat(129)],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['letters beyond ASCII', 'sch\xf6n'],
    ['two of them', 'a\r\nIdempotency-Key: b'],
  ])('a key of %s is refused', async (_, key) => {
    const before = await quietly()
    expect(outcomes([await create(key)])).toEqual(['400 INVALID_IDEMPOTENCY_KEY'])
    expect(await quietly()).toBe(before)
  })

  test.each([
    '__proto__',
    'constructor',
    "' OR '1'='1".replaceAll(' ', ''),
    '../../etc/passwd',
    '%00',
    'x'.repeat(128),
  ])('a key of %s is a key like any other', async (key) => {
    const first = await create(key)
    const again = await create(key)
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
    expect(bodyOf(again).invoice_id).toBe(bodyOf(first).invoice_id)
    till.expectCleanLog()
  })

  test('that was refused leaves its key free', async () => {
    expect(outcomes([await create('later', '{"amount_grin":0}')])).toEqual(['400 INVALID_REQUEST'])
    expect((await create('later')).headers['idempotent-replayed']).toBeUndefined()
  })
})
