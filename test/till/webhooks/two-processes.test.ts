// Two processes on one store: each event leaves once, in the order of its invoice, and what a dead one had comes back.
import { expect, test } from 'vitest'
import type { SendWebhook } from '../../../src/till/index.js'
import { settled } from '../../support/fake-clock.js'
import { anEvent, freshHex, MINUTE, OTHER_WORKER, SECOND, WORKER } from '../../support/till-builders.js'
import { answerOf, codeOf, openTill } from '../../support/till-parts.js'

type Answer = ReturnType<SendWebhook>

/** `answer` is what the shop says to each of the two. */
function openTwo(answer: (from: string) => Answer) {
  const sent: { readonly from: string; readonly event: string | undefined }[] = []
  const sendFrom =
    (from: string): SendWebhook =>
    ({ headers }) => {
      sent.push({ from, event: headers['x-pay-delivery'] })
      return answer(from)
    }
  const one = openTill({ parts: { send: sendFrom(WORKER) } })
  const { store, clock } = one
  const two = openTill({ parts: { send: sendFrom(OTHER_WORKER), store, clock, workerId: OTHER_WORKER } })
  return { one: one.till, two: two.till, store, clock, sent }
}

const silence: Answer = new Promise(() => {})

test('two that deliver at once send each event once, those of an invoice one after the other', async () => {
  let asked = 0
  const { one, two, store, sent } = openTwo(async () => {
    asked += 1
    for (let turns = asked % 5; turns > 0; turns -= 1) await settled()
    return answerOf(200)
  })
  const invoices = Array.from({ length: 10 }, () => freshHex(32))
  const events = Array.from({ length: 60 }, (_, at) => anEvent({ invoiceId: invoices[at % 10] ?? '' }))
  for (const event of events) await store.insertEvent(event)
  // A process that finds nothing does not know when the other one is done.
  for (let round = 0; round < 20; round += 1) await Promise.all([one.passes.deliver(), two.passes.deliver()])
  const order = sent.map(({ event }) => event)
  expect(order.toSorted()).toEqual(events.map(({ eventId }) => eventId).toSorted())
  expect(new Set(sent.map(({ from }) => from)).size).toBe(2)
  for (const invoice of invoices) {
    const own = events.filter(({ invoiceId }) => invoiceId === invoice).map(({ eventId }) => eventId)
    expect(order.filter((event) => own.includes(event ?? ''))).toEqual(own)
  }
})

test('what a process had when it died is sent by the other one after a minute, and its invoice waits that long', async () => {
  const { one, two, store, clock, sent } = openTwo((from) =>
    from === WORKER ? silence : Promise.resolve(answerOf(200)),
  )
  const invoiceId = freshHex(32)
  const [first, second] = [anEvent({ invoiceId }), anEvent({ invoiceId })]
  for (const event of [first, second]) await store.insertEvent(event)
  void one.passes.deliver()
  await settled()
  await clock.advance(MINUTE - 1)
  await two.passes.deliver()
  expect(sent).toEqual([{ from: WORKER, event: first.eventId }])
  await clock.advance(1)
  await two.passes.deliver()
  const later = [first, second].map(({ eventId: event }) => ({ from: OTHER_WORKER, event }))
  expect(sent.slice(1)).toEqual(later)
})

test('a try that outlasts its lease is not repeated by the process that makes it', async () => {
  const { one, store, clock, sent } = openTwo(() => silence)
  await store.insertEvent(anEvent())
  void one.passes.deliver()
  await settled()
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await clock.advance(MINUTE)
    void one.passes.deliver()
    await settled()
  }
  expect(sent).toHaveLength(1)
})

test('nothing is replayed by one while the other sends it, and the test event of one is not sent by the other', async () => {
  const answers: ((answer: Awaited<Answer>) => void)[] = []
  const { one, two, store, clock, sent } = openTwo(() => new Promise((resolve) => void answers.push(resolve)))
  const event = anEvent()
  await store.insertEvent(event)
  const pass = one.passes.deliver()
  await settled()
  expect(await codeOf(two.replay(event.eventId))).toBe('DELIVERY_IN_FLIGHT')
  answers[0]?.(answerOf(200))
  await pass
  const ping = one.testWebhook()
  await settled()
  await clock.advance(SECOND)
  await two.passes.deliver()
  expect(sent.map(({ from }) => from)).toEqual([WORKER, WORKER])
  answers[1]?.(answerOf(200))
  expect((await ping).attempt.error).toBeNull()
})
