// Several receivers: each gets every event, and none waits for another.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { webhooksCheck } from '../../../src/daemons/parts/pay/checks.js'
import { createSendWebhook } from '../../../src/http/send-webhook.js'
import { Secret } from '../../../src/lib/secret.js'
import { tillLoops } from '../../../src/till/index.js'
import { paySignature } from '../../../src/till/webhooks/events.js'
import { settled } from '../../support/fake-clock.js'
import { anEvent, freshHex, HOUR, MINUTE, SECOND } from '../../support/till-builders.js'
import { answerOf, codeOf, openTill, refusalOf } from '../../support/till-parts.js'

const SHOP = { receiver: 1, url: 'https://shop.example/hook', compat: true }
const NAMES = { receiver: 2, url: 'https://names.example/hook', compat: true }
const secretOf = (receiver: number) => new Secret(`whsec_${String(receiver).repeat(32)}`)

type Reply = ReturnType<typeof answerOf>
/** A till with both receivers; `answer` decides what comes back from which address. */
function twoReceivers(answer: (url: string) => Reply | Promise<Reply>) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = []
  const opened = openTill({
    settings: { webhooks: [SHOP, NAMES] },
    parts: {
      webhookSecrets: (receiver) => [secretOf(receiver)],
      send: async (request) => {
        sent.push(request)
        return answer(request.url)
      },
    },
  })
  const hosts = () => sent.map(({ url }) => new URL(url).hostname)
  return { ...opened, sent, hosts }
}

test('every receiver gets the same id and bytes, signed with its own secret', async () => {
  const { till, store, sent } = twoReceivers(() => answerOf(200))
  const event = anEvent({ receivers: [1, 2] })
  await store.insertEvent(event)
  await till.passes.deliver()
  expect(
    sent.map(({ url, body, headers }) => [url, body, headers['x-pay-delivery'], headers['x-pay-signature']]),
  ).toEqual(
    [SHOP, NAMES].map(({ receiver, url }) => [
      url,
      event.body,
      event.eventId,
      paySignature(secretOf(receiver), event.body),
    ]),
  )
})

test('nothing is sent while no secret is in force, and the attempt says so', async () => {
  const sent: string[] = []
  const { till, store } = openTill({
    settings: { webhooks: [SHOP, NAMES] },
    parts: {
      webhookSecrets: (receiver) => (receiver === 2 ? [] : [secretOf(receiver)]),
      send: async ({ url }) => {
        sent.push(url)
        return answerOf(200)
      },
    },
  })
  const event = anEvent({ receivers: [1, 2] })
  await store.insertEvent(event)
  await till.passes.deliver()
  expect(sent).toEqual([SHOP.url])
  expect(await store.deliveriesOf(event.eventId)).toMatchObject([
    { receiver: 1, state: 'delivered' },
    { receiver: 2, state: 'pending', lastError: 'PAY_WEBHOOK_2_SECRET has no secret in force: nothing was sent' },
  ])
})

test('one that is down holds up no event of the other, also within an invoice', async () => {
  const { till, store, clock, hosts } = twoReceivers((url) => answerOf(url === SHOP.url ? 200 : 500))
  const invoiceId = freshHex(32)
  const events = [1, 2, 3].map(() => anEvent({ invoiceId, receivers: [1, 2] }))
  for (const event of events) await store.insertEvent(event)
  await till.passes.deliver()
  expect(hosts().filter((host) => host === 'shop.example')).toHaveLength(3)
  expect(hosts().filter((host) => host === 'names.example')).toHaveLength(1)
  await clock.advance(30 * SECOND)
  await till.passes.deliver()
  expect(hosts().filter((host) => host === 'shop.example')).toHaveLength(3)
  const states = await Promise.all(events.map(({ eventId }) => store.deliveriesOf(eventId)))
  expect(states.map((all) => all.map(({ state }) => state))).toEqual([
    ['delivered', 'pending'],
    ['delivered', 'pending'],
    ['delivered', 'pending'],
  ])
})

test('one that hangs takes no place from the other: a pass of the other ends meanwhile', async () => {
  let come = () => {}
  const hanging = new Promise<Reply>((resolve) => {
    come = () => resolve(answerOf(200))
  })
  const { till, store, hosts } = twoReceivers((url) => (url === NAMES.url ? hanging : answerOf(200)))
  for (let at = 0; at < 8; at += 1) await store.insertEvent(anEvent({ receivers: [1, 2] }))
  const pass = till.passes.deliver(2)
  await settled()
  await till.passes.deliver(1)
  expect(hosts().filter((host) => host === 'shop.example')).toHaveLength(8)
  expect(hosts().filter((host) => host === 'names.example')).toHaveLength(4)
  come()
  await pass
  expect(hosts().filter((host) => host === 'names.example')).toHaveLength(8)
})

test('each receiver has its own loop', () => {
  const { till } = twoReceivers(() => answerOf(200))
  const names = tillLoops(till).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('deliver'))).toEqual([
    'deliver webhooks',
    'deliver webhooks to receiver 2',
  ])
})

test('a replay goes to all receivers, or to the one that is named', async () => {
  const { till, store, hosts } = twoReceivers(() => answerOf(200))
  const event = anEvent({ receivers: [1, 2] })
  await store.insertEvent(event)
  await till.passes.deliver()
  expect(await till.replay(event.eventId, 2)).toMatchObject({ receiver: 2, state: 'pending', attempts: 0 })
  await till.passes.deliver()
  expect(hosts().slice(2)).toEqual(['names.example'])
  expect(await till.replay(event.eventId)).toMatchObject({ receiver: 1, state: 'pending' })
  await till.passes.deliver()
  expect(hosts().slice(3).sort()).toEqual(['names.example', 'shop.example'])
})

test('a replay says which receiver is missing', async () => {
  const { till, store } = twoReceivers(() => answerOf(200))
  const [old, gone] = [anEvent({ receivers: [1] }), anEvent({ receivers: [5] })]
  for (const event of [old, gone]) await store.insertEvent(event)
  expect(await refusalOf(till.replay(old.eventId, 2))).toEqual({
    status: 404,
    text: `no webhook event ${old.eventId} for receiver 2`,
  })
  expect(await refusalOf(till.replay(gone.eventId))).toEqual({
    status: 409,
    text: 'webhook receiver 5 is not configured',
  })
})

test('a test goes to the receiver that is named, else to the first', async () => {
  const { till, hosts } = twoReceivers(() => answerOf(200))
  expect(await till.testWebhook(2)).toMatchObject({ receiver: 2, attempt: { error: null } })
  expect(await till.testWebhook()).toMatchObject({ receiver: 1 })
  expect(hosts()).toEqual(['names.example', 'shop.example'])
  expect(await codeOf(till.testWebhook(3))).toBe('WEBHOOK_NOT_CONFIGURED')
})

test('the attempt at a redirecting receiver names the setting of that receiver', async () => {
  const { till, store } = twoReceivers((url) => answerOf(url === SHOP.url ? 200 : 301))
  const event = anEvent({ receivers: [1, 2] })
  await store.insertEvent(event)
  await till.passes.deliver()
  expect((await store.deliveryById(event.eventId, 2))?.delivery.lastError).toContain('set PAY_WEBHOOK_2_URL to')
})

test('one that takes nothing for five minutes is an alarm, also after a restart, and the till stays ready', async () => {
  const { till, store, clock } = twoReceivers(() => answerOf(500))
  await store.insertEvent(anEvent({ receivers: [1, 2] }))
  await till.passes.deliver()
  await clock.advance(5 * MINUTE)
  expect([(await till.status()).alarms, (await webhooksCheck(till)).ok]).toEqual([[], true])
  await clock.advance(SECOND)
  const alarms = [
    'webhook receiver 1: shop.example has taken no delivery for more than 5 minutes, 1 waits; grinpay webhook list --receiver 1 --failed tells why',
    'webhook receiver 2: names.example has taken no delivery for more than 5 minutes, 1 waits; grinpay webhook list --receiver 2 --failed tells why',
  ]
  expect((await till.status()).alarms).toEqual(alarms)
  expect(await webhooksCheck(till)).toMatchObject({ ok: false, informative: true })

  const again = openTill({ settings: { webhooks: [SHOP, NAMES] }, parts: { store, clock } })
  expect((await again.till.status()).alarms).toEqual(alarms)
})

describe('one that takes nothing for more than an hour', () => {
  /** Both receivers have an event that waits; after that only those of `up` answer well. */
  async function anHourOn(up: readonly string[]) {
    const opened = twoReceivers((url) => answerOf(up.includes(url) ? 200 : 500))
    await opened.store.insertEvent(anEvent({ receivers: [1, 2] }))
    for (let at = 0; at < 61; at += 1) {
      await opened.till.passes.deliver()
      await opened.clock.advance(MINUTE)
    }
    return { ...opened, check: await webhooksCheck(opened.till), status: await opened.till.status() }
  }

  test('alone is an alarm with its number and host, and the till stays ready', async () => {
    const { check, status } = await anHourOn([SHOP.url])
    expect(check).toMatchObject({ ok: false, informative: true, detail: expect.stringContaining('receiver 2') })
    expect(status.alarms).toEqual([
      'webhook receiver 2: names.example has taken no delivery for more than an hour, 1 waits; grinpay webhook list --receiver 2 --failed tells why',
    ])
    expect(status.webhooks).toMatchObject({ pending: 1, oldestSeconds: 3660 })
    expect(status.webhooks.receivers).toMatchObject([
      { receiver: 1, pending: 0, oldestSeconds: null },
      { receiver: 2, pending: 1, oldestSeconds: 3660 },
    ])
  })

  test('beside all others makes the till unready', async () => {
    const { check, status } = await anHourOn([])
    expect([check.ok, check.informative]).toEqual([false, undefined])
    expect(status.alarms).toHaveLength(2)
  })

  test('is over with the first delivery', async () => {
    const up: string[] = [SHOP.url]
    const { till, clock } = await anHourOn(up)
    up.push(NAMES.url)
    await clock.advance(10 * MINUTE)
    await till.passes.deliver()
    expect((await till.status()).alarms).toEqual([])
  })

  test('is not one that refuses a single event and takes the others', async () => {
    let refused = ''
    const { till, store, clock } = openTill({
      settings: { webhooks: [SHOP] },
      parts: { send: async ({ body }) => answerOf(body === refused ? 400 : 200) },
    })
    const event = anEvent({ receivers: [1], body: '{"refused":true}' })
    refused = event.body
    await store.insertEvent(event)
    for (let at = 0; at < 13; at += 1) {
      await store.insertEvent(anEvent({ receivers: [1] }))
      await till.passes.deliver()
      await clock.advance(10 * MINUTE)
    }
    expect((await till.status()).webhooks).toMatchObject({ pending: 1 })
    expect((await till.status()).alarms).toEqual([])
    expect((await webhooksCheck(till)).ok).toBe(true)
  })

  test('is not one that an old event is sent to again: the hour begins with the replay', async () => {
    let status = 200
    const { till, store, clock } = twoReceivers(() => answerOf(status))
    const event = anEvent({ receivers: [1, 2] })
    await store.insertEvent(event)
    await till.passes.deliver()
    await clock.advance(48 * HOUR)
    status = 500
    await till.replay(event.eventId)
    await till.passes.deliver()
    expect((await till.status()).alarms).toEqual([])
    expect((await webhooksCheck(till)).ok).toBe(true)
    for (let at = 0; at < 61; at += 1) {
      await clock.advance(MINUTE)
      await till.passes.deliver()
    }
    expect((await till.status()).alarms).toHaveLength(2)
    expect((await webhooksCheck(till)).ok).toBe(false)
  })

  test('within the hour is an alarm, and the till stays ready', async () => {
    const { till, store, clock } = twoReceivers(() => answerOf(500))
    await store.insertEvent(anEvent({ receivers: [1, 2] }))
    await till.passes.deliver()
    await clock.advance(59 * MINUTE)
    expect(await webhooksCheck(till)).toMatchObject({ ok: false, informative: true })
    expect((await till.status()).alarms).toHaveLength(2)
  })
})

test('what waits for a receiver that is not in the settings is an alarm that names the setting, and the till is ready', async () => {
  const { till, store, clock, shop } = openTill({ settings: { webhooks: [] } })
  await store.insertEvent(anEvent({ receivers: [1, 2] }))
  await clock.advance(2 * HOUR)
  await till.passes.deliver()
  expect(shop.sent).toEqual([])
  expect((await till.status()).alarms).toEqual([
    'webhook receiver 1: 1 delivery waits for it, but PAY_WEBHOOK_URL is not set; it is sent once that is set again',
    'webhook receiver 2: 1 delivery waits for it, but PAY_WEBHOOK_2_URL is not set; it is sent once that is set again',
  ])
  expect(await webhooksCheck(till)).toMatchObject({ ok: true })
})

test('a real receiver gets its event while the other refuses connections', async () => {
  const got: string[] = []
  const server = createServer((request, response) => {
    got.push(String(request.headers['x-pay-delivery']))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const [up, down] = [server, closed].map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}/`)
  await new Promise<void>((resolve) => closed.close(() => resolve()))
  const { till, store } = openTill({
    settings: {
      webhooks: [
        { ...SHOP, url: down ?? '' },
        { ...NAMES, url: up ?? '' },
      ],
    },
    parts: { send: createSendWebhook() },
  })
  const event = anEvent({ receivers: [1, 2] })
  await store.insertEvent(event)
  await till.passes.deliver()
  expect(got).toEqual([event.eventId])
  expect(await store.deliveriesOf(event.eventId)).toMatchObject([
    { receiver: 1, state: 'pending', attempts: 1, lastError: expect.stringContaining('refused') },
    { receiver: 2, state: 'delivered', lastError: null },
  ])
})
