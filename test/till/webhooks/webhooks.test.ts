// Delivering: order within an invoice, no receiver delays another, every try recorded.
import { describe, expect, test } from 'vitest'
import type { QueuedEvent } from '../../../src/till/index.js'
import { settled } from '../../support/fake-clock.js'
import { anEvent, freshHex, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { answerOf, codeOf, openTill, refusalOf } from '../../support/till-parts.js'

const [A, B] = [freshHex(32), freshHex(32)]

async function given(...events: readonly QueuedEvent[]) {
  const opened = openTill()
  for (const event of events) await opened.store.insertEvent(event)
  return { ...opened, order: () => opened.shop.sent.map(({ headers }) => headers['x-pay-delivery']) }
}

/** An answer that comes when the test says so. */
function slowAnswer() {
  let come = () => {}
  const answer = new Promise<ReturnType<typeof answerOf>>((resolve) => {
    come = () => resolve(answerOf(200))
  })
  return { answer, come }
}

describe('a delivery', () => {
  test('goes out once, as stored, with all headers and a time limit', async () => {
    const event = anEvent({ body: '{"π":"é"}' })
    const { till, shop, store } = await given(event)
    await till.passes.deliver()
    await till.passes.deliver()
    expect(shop.sent).toEqual([
      {
        url: 'https://shop.example/hook',
        body: event.body,
        timeoutMs: 20_000,
        headers: expect.objectContaining({ 'x-pay-delivery': event.eventId, 'user-agent': 'grinpay/9.9.9' }),
      },
    ])
    expect((await store.deliveryById(event.eventId))?.delivery).toMatchObject({ state: 'delivered', lastError: null })
  })

  test('follows the schedule to the second and is given up after the twelfth failure', async () => {
    const event = anEvent()
    const { till, shop, clock, store, log } = await given(event)
    const gaps: number[] = []
    let last = NOON
    for (let tries = 0; tries < 12; tries += 1) {
      shop.answer(500)
      await till.passes.deliver()
      expect(shop.sent).toHaveLength(tries + 1)
      gaps.push((clock.now() - last) / SECOND)
      last = clock.now()
      const next = (await store.deliveryById(event.eventId))?.delivery.nextAttemptAt
      if (next === null || next === undefined) break
      await clock.advance(next - clock.now() - 1)
      await till.passes.deliver()
      expect(shop.sent).toHaveLength(tries + 1)
      await clock.advance(1)
    }
    expect(gaps).toEqual([0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600])
    const done = await store.deliveryById(event.eventId)
    expect(done?.delivery).toMatchObject({ state: 'abandoned', attempts: 12, lastError: 'HTTP 500' })
    expect(done?.attempts).toHaveLength(12)
    await clock.advance(24 * HOUR)
    await till.passes.deliver()
    expect(shop.sent).toHaveLength(12)
    expect(log.filter(({ level }) => level === 'warn').map(({ text }) => text)).toEqual([
      'webhook given up: look at it, then replay it',
    ])
    expect((await till.status()).webhooks).toMatchObject({ pending: 0, abandoned: 1, oldestSeconds: null })
  })

  test('every try is a row with what came back', async () => {
    const event = anEvent()
    const { till, shop, clock } = await given(event)
    shop.answers.push({ httpStatus: 503, error: null, answerHead: 'x'.repeat(600) })
    await till.passes.deliver()
    await clock.advance(30 * SECOND)
    shop.answers.push(answerOf(null, 'connect ECONNREFUSED'))
    await till.passes.deliver()
    expect((await till.findDelivery(event.eventId))?.attempts).toEqual([
      { number: 1, startedAt: NOON, durationMs: 0, httpStatus: 503, error: 'HTTP 503', answerHead: 'x'.repeat(512) },
      {
        number: 2,
        startedAt: NOON + 30 * SECOND,
        durationMs: 0,
        httpStatus: null,
        error: 'connect ECONNREFUSED',
        answerHead: 'answer null',
      },
    ])
  })

  test('a redirect is a failure with its remedy, and the log names the host only', async () => {
    const { till, shop, log } = await given(anEvent())
    shop.answer(301)
    await till.passes.deliver()
    expect(log).toMatchObject([
      {
        level: 'warn',
        fields: { host: 'shop.example', error: expect.stringContaining('redirects are not followed') },
        text: 'webhook failed and will not heal by itself',
      },
    ])
    expect(JSON.stringify(log)).not.toContain('/hook')
  })

  test('a sender that throws is a failed try', async () => {
    const event = anEvent()
    const { till, shop, store } = await given(event)
    shop.answers.push(Promise.reject(new Error('socket hang up')))
    await till.passes.deliver()
    expect((await store.deliveryById(event.eventId))?.delivery.lastError).toBe('socket hang up')
  })

  test('without a webhook nothing goes out and nothing is lost', async () => {
    const opened = openTill({ settings: { webhooks: [] } })
    await opened.store.insertEvent(anEvent())
    await opened.till.passes.deliver()
    expect(opened.shop.sent).toEqual([])
    expect((await opened.till.status()).webhooks.pending).toBe(1)
  })
})

describe('order', () => {
  test('within an invoice the second waits for the first, in one pass', async () => {
    const events = [anEvent({ invoiceId: A }), anEvent({ invoiceId: A }), anEvent({ invoiceId: A })]
    const { till, order } = await given(...events)
    await till.passes.deliver()
    expect(order()).toEqual(events.map(({ eventId }) => eventId))
  })

  test('a failed first holds back its invoice and no other', async () => {
    const [first, second, other] = [
      anEvent({ invoiceId: A }),
      anEvent({ invoiceId: A }),
      anEvent({ invoiceId: B, createdAt: NOON + 1 }),
    ]
    const { till, shop, order, clock } = await given(first, second, other)
    shop.answer(500)
    await clock.advance(1)
    await till.passes.deliver()
    expect(order()).toEqual([first.eventId, other.eventId])
    await clock.advance(30 * SECOND)
    await till.passes.deliver()
    expect(order().slice(2)).toEqual([first.eventId, second.eventId])
  })

  test('four run at a time, and a slow one does not hold up what comes later', async () => {
    const events = Array.from({ length: 6 }, () => anEvent({ invoiceId: freshHex(32) }))
    const { till, shop, store } = await given(...events)
    const slow = Array.from({ length: 4 }, slowAnswer)
    shop.answers.push(...slow.map(({ answer }) => answer))
    const pass = till.passes.deliver()
    await settled()
    expect(shop.sent).toHaveLength(4)
    slow[1]?.come()
    await settled()
    expect(shop.sent).toHaveLength(6)
    const late = anEvent({ invoiceId: freshHex(32) })
    await store.insertEvent(late)
    const second = till.passes.deliver()
    await settled()
    expect(shop.sent).toHaveLength(7)
    for (const { come } of slow) come()
    await Promise.all([pass, second])
    expect((await till.status()).webhooks.pending).toBe(0)
  })

  test('passes that overlap send nothing twice', async () => {
    const events = Array.from({ length: 30 }, () => anEvent({ invoiceId: freshHex(32) }))
    const { till, order } = await given(...events)
    await Promise.all([till.passes.deliver(), till.passes.deliver(), till.passes.deliver()])
    expect(order()).toHaveLength(30)
    expect(new Set(order()).size).toBe(30)
  })

  test('an answer of the store that is out of date sends nothing twice', async () => {
    const [first, second] = [anEvent({ invoiceId: A }), anEvent({ invoiceId: B })]
    const { till, store, shop, order } = await given(first, second)
    const slow = slowAnswer()
    shop.answers.push(slow.answer)
    const ask = store.claimDeliveries
    let asked = 0
    store.claimDeliveries = async (receiver, claim) => {
      const due = await ask(receiver, claim)
      asked += 1
      // The second question is answered late: meanwhile the first event is delivered.
      if (asked === 2) {
        slow.come()
        for (let turn = 0; turn < 5; turn += 1) await settled()
      }
      return due
    }
    await till.passes.deliver()
    expect(order()).toEqual([first.eventId, second.eventId])
  })

  test('a store that fails ends the pass, and a pass after the lease goes on', async () => {
    const { till, store, shop, clock } = await given(anEvent(), anEvent())
    const works = store.recordAttempt
    store.recordAttempt = () => Promise.reject(new Error('disk full'))
    expect(await codeOf(till.passes.deliver())).toBe('Error: disk full')
    expect(shop.sent).toHaveLength(2)
    store.recordAttempt = works
    await till.passes.deliver()
    expect(shop.sent).toHaveLength(2)
    await clock.advance(MINUTE)
    await till.passes.deliver()
    expect((await till.status()).webhooks.pending).toBe(0)
  })
})

describe('replay', () => {
  test('sends the same event and body again, and keeps the old tries', async () => {
    const event = anEvent()
    const { till, shop, clock } = await given(event)
    await till.passes.deliver()
    await clock.advance(MINUTE)
    const delivery = await till.replay(event.eventId)
    expect(delivery).toMatchObject({ eventId: event.eventId, state: 'pending', attempts: 0 })
    await till.passes.deliver()
    expect(shop.sent.map(({ body }) => body)).toEqual([event.body, event.body])
    expect(shop.sent.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      String(NOON / 1000),
      String(NOON / 1000 + 60),
    ])
    expect((await till.findDelivery(event.eventId))?.attempts.map(({ number }) => number)).toEqual([1, 2])
  })

  test('is refused while an attempt runs, and for what is unknown', async () => {
    const event = anEvent()
    const { till, shop } = await given(event)
    const slow = slowAnswer()
    shop.answers.push(slow.answer)
    const pass = till.passes.deliver()
    await settled()
    expect(await refusalOf(till.replay(event.eventId))).toMatchObject({ status: 409 })
    slow.come()
    await pass
    expect(await codeOf(till.replay(event.eventId))).toBe('ok')
    expect(await refusalOf(till.replay('f'.repeat(32)))).toMatchObject({ status: 404 })
  })
})

describe('closing', () => {
  test('waits for what runs and starts nothing more', async () => {
    const events = Array.from({ length: 6 }, () => anEvent({ invoiceId: freshHex(32) }))
    const { till, shop } = await given(...events)
    const slow = Array.from({ length: 4 }, slowAnswer)
    shop.answers.push(...slow.map(({ answer }) => answer))
    const pass = till.passes.deliver()
    await settled()
    const closed = till.close()
    for (const { come } of slow) come()
    await Promise.all([pass, closed])
    await till.close()
    await till.passes.deliver()
    expect(shop.sent).toHaveLength(4)
    expect((await till.status()).webhooks.pending).toBe(2)
  })

  test('does not wait for an endpoint that a failure stopped', async () => {
    const { till, store } = await given(anEvent())
    store.claimDeliveries = () => Promise.reject(new Error('disk full'))
    expect(await codeOf(till.passes.deliver())).toBe('Error: disk full')
    expect(await codeOf(till.close())).toBe('ok')
  })
})

describe('the test event', () => {
  test('is a signed test.ping, sent once and kept', async () => {
    const { till, shop, store, clock } = openTill()
    shop.answer(500)
    const { eventId, attempt } = await till.testWebhook()
    expect(attempt).toMatchObject({ number: 1, httpStatus: 500, error: 'HTTP 500', answerHead: 'answer 500' })
    expect(shop.sent).toHaveLength(1)
    expect(shop.sent[0]?.headers).toMatchObject({ 'x-pay-event': 'test.ping', 'webhook-id': eventId })
    expect(JSON.parse(shop.sent[0]?.body ?? '')).toEqual({
      event_id: eventId,
      event_type: 'test.ping',
      created_at: '2026-07-01T12:00:00Z',
      payment: null,
      invoice_id: null,
      order_ref: null,
      user_id: null,
    })
    await clock.advance(HOUR)
    await till.passes.deliver()
    expect(shop.sent).toHaveLength(1)
    expect((await store.deliveryById(eventId))?.attempts).toHaveLength(1)
  })

  test('a pass meanwhile does not send it a second time', async () => {
    const { till, shop } = openTill()
    const slow = slowAnswer()
    shop.answers.push(slow.answer)
    const ping = till.testWebhook()
    await settled()
    await till.passes.deliver()
    slow.come()
    await ping
    expect(shop.sent).toHaveLength(1)
  })

  test('needs a webhook', async () => {
    const { till } = openTill({ settings: { webhooks: [] } })
    expect(await codeOf(till.testWebhook())).toBe('WEBHOOK_NOT_CONFIGURED')
  })
})
