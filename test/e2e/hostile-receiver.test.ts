// The till's real dispatcher, store and sender against receivers that behave badly. Only the clock is moved by hand, and waiting
// for a silent receiver is shortened.
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createSendWebhook } from '../../src/http/index.js'
import { HOLDING_ATTEMPTS } from '../../src/lib/due-times.js'
import { Secret } from '../../src/lib/secret.js'
import { createTill, type Till, type TillParts, type TillStore } from '../../src/till/index.js'
import { type Behaviour, type Hit, startReceiver } from '../support/hostile-receiver.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { anEvent, freshHex, NOON, tillSettings, WORKER } from '../support/till-builders.js'

const SECRET = `whsec_${'5f'.repeat(32)}`
const PATIENCE_MS = 10_000
/** Where waiting in vain is the point; long enough for a request to arrive on a busy machine. */
const SHORT = { patienceMs: 500 }
/** Seconds from one failure to the next try: twelve tries in all (specification: invoicing, 8.3). */
const WAITS = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600]

const cleanUp: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

interface Options {
  readonly tls?: boolean
  readonly patienceMs?: number
}

interface World {
  readonly till: Till
  readonly store: TillStore
  readonly hits: readonly Hit[]
  /** Ends every connection that hangs. */
  drop(): void
  /** Moves the clock and does what is due. */
  elapse(ms: number): Promise<void>
}

async function worldOf(behave: (hit: Hit) => Behaviour, options: Options = {}): Promise<World> {
  const receiver = await startReceiver(behave, options)
  const { store, remove } = await openTemporaryStore()
  cleanUp.push(remove, receiver.close)
  const time = { now: NOON }
  const send = createSendWebhook()
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const unused = () => Promise.reject(new Error('not needed for webhooks'))
  const parts: TillParts = {
    store,
    workerId: WORKER,
    chain: {
      tip: unused,
      newestBlockTime: () => undefined,
      kernelHeight: unused,
      unspent: unused,
      witnesses: unused,
      isDisputed: () => false,
      poolExcesses: unused,
      push: unused,
    },
    rates: { rate: unused, known: unused, alarms: () => [] },
    send: (request) => send({ ...request, timeoutMs: options.patienceMs ?? PATIENCE_MS }),
    wallet: {
      address: 'tgrin1test',
      open: unused,
      read: () => unused() as never,
      issue: unused,
      fault: () => undefined,
    },
    identity: new Secret(new Uint8Array(32).fill(7)),
    clock: { now: () => time.now, monotonic: () => time.now, sleep: async () => {} },
    random: { bytes: (length) => new Uint8Array(Buffer.from(freshHex(length * 2), 'hex')) },
    settings: settingsWith(receiver.url),
    log: quiet,
    webhookSecrets: () => [new Secret(SECRET)],
    version: '0.0.0-test',
    hasSpareKey: async () => true,
  }
  const till = createTill(parts)
  const elapse = (ms: number) => {
    time.now += ms
    return till.passes.deliver()
  }
  return { till, store, hits: receiver.hits, drop: receiver.drop, elapse }
}

const settingsWith = (url: string) =>
  tillSettings({
    publicUrl: 'http://127.0.0.1:8080',
    chain: 'sandbox',
    relays: [],
    webhooks: [{ receiver: 1, url, compat: true }],
  })

const EVENT_BODY = JSON.stringify({ event_id: 'e', memo: 'zürich ₿ \\u0041', nested: { b: 1, a: [2, 3] } })

const signatureOf = (body: string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
const eventIdOf = ({ headers }: Hit) => headers['x-pay-delivery']

describe('a receiver that never accepts', () => {
  test.each<[string, Behaviour, string, Options?]>([
    ['answers 500', { status: 500, body: 'boom' }, 'HTTP 500'],
    ['never answers', 'hang', 'no answer within 0.5 s', SHORT],
    ['closes the connection', 'reset', 'the connection was closed before an answer came'],
    [
      'redirects',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      'HTTP 302: redirects are not followed',
    ],
    ['does not speak HTTP', 'garbage', 'the answer is not HTTP'],
    ['has a self-signed certificate', { status: 200 }, 'the certificate is self-signed', { tls: true }],
  ])('%s: twelve tries at the exact times, then given up', async (_, behaviour, why, options) => {
    const { store, elapse, hits } = await worldOf(() => behaviour, options)
    const event = anEvent({ body: EVENT_BODY })
    await store.insertEvent(event)

    await elapse(0)
    for (const [index, seconds] of WAITS.entries()) {
      await elapse(seconds * 1000 - 1)
      const early = await store.deliveryById(event.eventId)
      expect(early?.attempts).toHaveLength(index + 1)
      expect(early?.delivery).toMatchObject({ state: 'pending', lastError: expect.stringContaining(why) })
      await elapse(1)
    }
    await elapse(100 * 86_400_000)

    const found = await store.deliveryById(event.eventId)
    expect(found?.delivery).toMatchObject({ state: 'abandoned', attempts: 12, nextAttemptAt: null })
    const starts = found?.attempts.map(({ startedAt }) => (startedAt - NOON) / 1000)
    expect(starts).toEqual([0, 30, 90, 210, 450, 930, 1890, 3810, 7410, 11010, 14610, 18210])
    expect(new Set(hits.map(({ body }) => body))).toEqual(new Set(options?.tls ? [] : [EVENT_BODY]))
    expect(hits).toHaveLength(options?.tls ? 0 : 12)
  })
})

test('every try carries the same event id, body and signature, and a time of its own', async () => {
  const { store, elapse, hits } = await worldOf(() => ({ status: 503 }))
  const event = anEvent({ body: EVENT_BODY })
  await store.insertEvent(event)
  for (const seconds of [0, ...WAITS]) await elapse(seconds * 1000)
  expect(new Set(hits.map(eventIdOf))).toEqual(new Set([event.eventId]))
  expect(new Set(hits.map(({ headers }) => headers['x-pay-signature']))).toEqual(new Set([signatureOf(EVENT_BODY)]))
  expect(new Set(hits.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(12)
})

test('a replay after the end sends the same bytes and starts counting anew', async () => {
  let accepts = false
  const { till, store, elapse, hits } = await worldOf(() => ({ status: accepts ? 204 : 500 }))
  const event = anEvent({ body: EVENT_BODY })
  await store.insertEvent(event)
  for (const seconds of [0, ...WAITS]) await elapse(seconds * 1000)

  await till.replay(event.eventId)
  await elapse(0)
  expect((await store.deliveryById(event.eventId))?.delivery).toMatchObject({ state: 'pending', attempts: 1 })
  accepts = true
  await elapse(30_000)
  const found = await store.deliveryById(event.eventId)
  expect(found?.delivery).toMatchObject({ state: 'delivered', lastError: null })
  expect(found?.attempts).toHaveLength(14)
  expect(hits.map((hit) => [eventIdOf(hit), hit.body])).toEqual(Array(14).fill([event.eventId, EVENT_BODY]))
})

test.each<Behaviour>(['flood', 'drip', 'break-off'])(
  'a 200 whose body misbehaves (%s) is a delivery',
  async (behaviour) => {
    // The one that drips takes all the patience there is.
    const { store, elapse, hits } = await worldOf(() => behaviour, { patienceMs: 1000 })
    const event = anEvent()
    await store.insertEvent(event)
    await elapse(0)
    const found = await store.deliveryById(event.eventId)
    expect(found?.delivery).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(found?.attempts[0]?.answerHead.length).toBeLessThanOrEqual(512)
    expect(hits).toHaveLength(1)
  },
)

test('events of other invoices arrive while one hangs', async () => {
  const stuck = 'a'.repeat(32)
  const { store, elapse, drop } = await worldOf(({ body }) => (body.includes(stuck) ? 'hang' : { status: 200 }), {
    patienceMs: 60_000,
  })
  await store.insertEvent(anEvent({ invoiceId: stuck, body: `{"invoice_id":"${stuck}"}` }))
  const others = Array.from({ length: 12 }, () => anEvent({ invoiceId: freshHex(32) }))
  for (const event of others) await store.insertEvent(event)

  let ended = false
  const pass = elapse(0).then(() => {
    ended = true
  })
  const delivered = async () => (await store.listDeliveries({ state: 'delivered', limit: 20 })).items.length
  await expect.poll(delivered, { interval: 5, timeout: 20_000 }).toBe(12)
  expect(ended).toBe(false)
  drop()
  await pass
  expect(await delivered()).toBe(12)
})

test('more hanging receivers than lanes delay the others by their patience, not by their back-off', async () => {
  const { store, elapse } = await worldOf(({ body }) => (body === '"hang"' ? 'hang' : { status: 200 }), {
    patienceMs: 500,
  })
  for (let number = 0; number < 9; number++)
    await store.insertEvent(anEvent({ invoiceId: freshHex(32), body: '"hang"' }))
  const last = anEvent({ invoiceId: freshHex(32) })
  await store.insertEvent(last)
  await elapse(0)
  expect((await store.deliveryById(last.eventId))?.delivery.state).toBe('delivered')
})

test('a later event of an invoice waits for two attempts at the earlier one, not until that is given up', async () => {
  const invoiceId = 'b'.repeat(32)
  const { store, elapse, hits } = await worldOf(({ body }) => ({ status: body === '"first"' ? 500 : 200 }))
  await store.insertEvent(anEvent({ invoiceId, body: '"first"' }))
  await store.insertEvent(anEvent({ invoiceId, body: '"second"' }))
  for (const seconds of [0, ...WAITS]) await elapse(seconds * 1000)
  expect(hits.map(({ body }) => body)).toEqual([
    ...Array(HOLDING_ATTEMPTS).fill('"first"'),
    '"second"',
    ...Array(12 - HOLDING_ATTEMPTS).fill('"first"'),
  ])
})

test('a delivered event is never sent again by itself', async () => {
  const { store, elapse, hits } = await worldOf(() => ({ status: 200 }))
  await store.insertEvent(anEvent())
  for (const days of [0, 1, 30]) await elapse(days * 86_400_000)
  expect(hits).toHaveLength(1)
})
