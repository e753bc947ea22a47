// Webhooks and the loop (specification: names, 9): both only make the authority look again at what the service says.
import { describe, expect, test } from 'vitest'
import { answerTo, bytesOf, INTERVAL_SECONDS, openSale, signatureOf } from '../../support/name-sale.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../support/till-builders.js'

const INTERVAL = INTERVAL_SECONDS * SECOND

async function pending(keys = 1) {
  const sale = openSale()
  const all = Array.from({ length: keys }, sale.aKey)
  for (const key of all) await sale.claim(key, 'alice')
  const [key = ''] = all
  return { ...sale, keys: all, key, statusOf: async (of = key) => (await sale.store.grant(of, 'name'))?.status }
}

describe('the webhook receiver', () => {
  const body = bytesOf({ invoice_id: 'inv1' })

  test('does not exist without a secret', async () => {
    const { paid } = openSale({ withSecret: false })
    expect(await answerTo(paid.webhook(body, signatureOf(body)))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  const good = signatureOf(body)
  test.each([
    ['no signature', undefined],
    ['an empty one', ''],
    ['another secret', signatureOf(body, 'other')],
    ['another body', signatureOf(bytesOf({ invoice_id: 'inv2' }))],
    ['bare hex', good.slice('sha256='.length)],
    ['another algorithm', good.replace('sha256', 'sha512')],
    ['half of it', good.slice(0, 40)],
    ['more than it', `${good}00`],
    ['two in one', `${good}, ${good}`],
  ])('refuses %s and does not ask the till', async (_, signature) => {
    const { paid, payments } = await pending()
    expect(await answerTo(paid.webhook(body, signature))).toMatchObject({ status: 401, code: 'BAD_SIGNATURE' })
    expect(payments.reads).toEqual([])
  })

  test('reads the signature in any letter case', async () => {
    const { paid } = await pending()
    expect((await answerTo(paid.webhook(body, good.toUpperCase().replace('SHA256', 'sha256')))).code).toBe('ok')
  })

  test('signed rubbish is an invalid body; every signed JSON is taken', async () => {
    const { paid, payments } = await pending()
    const send = (text: string) => {
      const bytes = new TextEncoder().encode(text)
      return answerTo(paid.webhook(bytes, signatureOf(bytes)))
    }
    expect((await send('{')).code).toBe('INVALID_BODY')
    expect((await send('')).code).toBe('INVALID_BODY')
    for (const text of ['null', '[]', '1', '{}', '{"invoice_id":7}', '{"invoice_id":null}', '{"invoice_id":"unknown"}'])
      expect((await send(text)).code).toBe('ok')
    expect(payments.reads).toEqual([])
  })

  test('believes the service and not the event', async () => {
    const { nudge, payments, statusOf } = await pending()
    payments.set('inv1', 'paid')
    expect((await nudge('inv1')).code).toBe('ok')
    expect(await statusOf()).toBe('pending')
    payments.set('inv1', 'confirmed')
    await nudge('inv1')
    expect(await statusOf()).toBe('paid')
    expect(payments.reads).toHaveLength(2)
  })

  test('asks at once, whatever the interval says, and not about what is paid already', async () => {
    const { nudge, claim, payments, key } = await pending()
    await claim(key, 'alice')
    payments.set('inv1', 'confirmed')
    await nudge('inv1')
    for (let i = 0; i < 5; i += 1) await nudge('inv1')
    expect(payments.reads).toHaveLength(2)
    expect((await claim(key, 'alice')).code).toBe('ok')
    expect(payments.reads).toHaveLength(2)
  })

  test('answers while the service is away; the grant stays', async () => {
    const { nudge, payments, statusOf } = await pending()
    payments.down = 'connection refused'
    expect((await nudge('inv1')).code).toBe('ok')
    expect(await statusOf()).toBe('pending')
  })

  test('a thousand nudges at once are two polls: one, and one more for what came meanwhile', async () => {
    const { nudge, payments } = await pending()
    await Promise.all(Array.from({ length: 1000 }, () => nudge('inv1')))
    expect(payments.busiest).toBe(1)
    expect(payments.reads.length).toBeLessThanOrEqual(2)
  })

  test('a nudge that comes while an older look is under way still leads to a newer one', async () => {
    const { nudge, payments, statusOf } = await pending()
    let release = () => {}
    payments.gate = new Promise((resolve) => {
      release = resolve
    })
    const read = payments.readInvoice
    let first = true
    payments.readInvoice = async (id) => {
      if (!first) return read(id)
      first = false
      await payments.gate
      return { status: 'paid' }
    }
    const early = nudge('inv1')
    await new Promise(setImmediate)
    payments.set('inv1', 'confirmed')
    const late = nudge('inv1')
    release()
    await Promise.all([early, late])
    expect(await statusOf()).toBe('paid')
  })

  test('a flood about many invoices is bounded, and what is left comes later', async () => {
    const { nudge, payments, clock } = await pending(200)
    const flood = async () => {
      for (let i = 1; i <= 200; i += 1) await nudge(`inv${i}`)
    }
    await flood()
    await flood()
    expect(payments.reads).toHaveLength(60)
    await clock.advance(10 * SECOND)
    await flood()
    expect(payments.reads).toHaveLength(100)
  })
})

describe('the loop', () => {
  test('makes grants paid before their keys come back', async () => {
    const { pass, payments, statusOf, clock } = await pending()
    payments.set('inv1', 'confirmed')
    await pass()
    expect(await statusOf()).toBe('paid')
    await clock.advance(HOUR)
    await pass()
    expect(payments.reads).toHaveLength(1)
  })

  test('asks about one grant once per interval, and rarer the older it is', async () => {
    const { pass, payments, clock } = await pending()
    const readsWithin = async (ms: number) => {
      const before = payments.reads.length
      for (let passed = 0; passed < ms; passed += INTERVAL) {
        await clock.advance(INTERVAL)
        await pass()
      }
      return payments.reads.length - before
    }
    expect(await readsWithin(MINUTE)).toBe(12)
    await clock.advance(HOUR)
    expect(await readsWithin(10 * MINUTE)).toBeLessThanOrEqual(6)
    await clock.advance(DAY)
    expect(await readsWithin(10 * MINUTE)).toBe(0)
  })

  test('asks about a few per pass, and leaves none out', async () => {
    const { pass, payments, clock } = await pending(50)
    for (let i = 0; i < 3; i += 1) {
      await pass()
      expect(payments.reads.length).toBeLessThanOrEqual(20 * (i + 1))
      await clock.advance(1)
    }
    expect(new Set(payments.reads).size).toBe(50)
  })

  test('stops at the first silence of the service', async () => {
    const { pass, payments } = await pending(10)
    payments.down = 'connection refused'
    await pass()
    expect(payments.reads).toHaveLength(1)
  })

  test('leaves invoices that ended alone, and makes none', async () => {
    const { pass, payments, clock } = await pending()
    payments.set('inv1', 'expired')
    for (let i = 0; i < 5; i += 1) {
      await pass()
      await clock.advance(MINUTE)
    }
    expect(payments.reads).toHaveLength(1)
    expect(payments.orders).toHaveLength(1)
  })
})
