// Two instances of a till share its work: webhooks and messages over Nostr. Each row goes to one of them, and comes back when that one dies.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEASE_MS } from '../../src/lib/due-times.js'
import type { SharedTillStore } from '../../src/storage/postgres/till/store.js'
import { systemRandom } from '../../src/system/index.js'
import type { Delivery, WorkClaim } from '../../src/till/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'
import { anEvent, aPayment, DAY, freshHex, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

interface Instance {
  readonly store: SharedTillStore
  readonly by: string
}

async function twoInstances(): Promise<readonly [Instance, Instance]> {
  const place = await freshTillPlace(cluster.url())
  const open = async () => ({ store: await tillOn(place), by: systemRandom.uuid() })
  return [await open(), await open()]
}

const claimOf = ({ by }: Instance, over: Partial<WorkClaim> = {}): WorkClaim => ({
  now: NOON,
  leaseMs: LEASE_MS,
  limit: 7,
  by,
  ...over,
})

const attempt = (by: string) => ({ startedAt: NOON, durationMs: 1, httpStatus: 200, error: null, answerHead: '', by })

/** Works until there is nothing more: what is handed out is told to `made`, then its results are recorded, several at once. */
async function workOff<T>(
  claim: () => Promise<readonly T[]>,
  record: (row: T) => Promise<void>,
  made: (row: T) => void,
): Promise<void> {
  for (let idle = 0; idle < 5; ) {
    const rows = await claim()
    idle = rows.length === 0 ? idle + 1 : 0
    rows.forEach(made)
    await Promise.all(rows.map(record))
  }
}

test('two instances deliver every event once, and those of an invoice one after the other', async () => {
  const instances = await twoInstances()
  const [{ store }] = instances
  const lines = Array.from({ length: 60 }, () => {
    const invoiceId = freshHex(32)
    return [1, 2, 3].map(() => anEvent({ invoiceId }))
  })
  for (const event of lines.flat()) await store.insertEvent(event)
  const [claimed, recorded]: [string[], Set<string>] = [[], new Set()]
  const by = new Set<string>()
  /** Those before it are not delivered yet. */
  const early: Delivery[] = []
  const begun = performance.now()
  await Promise.all(
    instances.map((instance) =>
      workOff(
        () => instance.store.claimDeliveries(1, claimOf(instance)),
        async ({ eventId, receiver }) => {
          recorded.add(eventId)
          await instance.store.recordAttempt(eventId, receiver, attempt(instance.by))
        },
        (delivery) => {
          claimed.push(delivery.eventId)
          by.add(instance.by)
          const line = lines.find(([first]) => first?.invoiceId === delivery.invoiceId) ?? []
          const before = line.slice(
            0,
            line.findIndex(({ eventId }) => eventId === delivery.eventId),
          )
          if (!before.every(({ eventId }) => recorded.has(eventId))) early.push(delivery)
        },
      ),
    ),
  )
  console.log({ deliveriesPerSecond: Math.round((claimed.length * 1000) / (performance.now() - begun)) })
  const ids = lines.flat().map(({ eventId }) => eventId)
  expect(claimed.sort()).toEqual(ids.sort())
  expect(early).toEqual([])
  expect(by.size).toBe(2)
  expect(await store.backlog()).toEqual([])
})

test('two instances send every message once', async () => {
  const instances = await twoInstances()
  const [{ store }] = instances
  const payments = Array.from({ length: 60 }, () => aPayment({ rail: 'nostr' }))
  const messages = [
    { kind: 'reply', layout: 'plain' },
    { kind: 'merchant-confirmed', layout: 'plain' },
  ] as const
  await Promise.all(payments.map((payment) => store.acceptPayment(payment, null, NOON, NOON, { messages })))
  const sent: string[] = []
  await Promise.all(
    instances.map(({ store, by }) =>
      workOff(
        () => store.claimMessages(claimOf({ store, by })),
        ({ paymentId, kind }) =>
          store.recordPosting(paymentId, kind, { acceptedBy: ['wss://a'], error: null, nextAttemptAt: null, by }),
        ({ paymentId, kind }) => sent.push(`${paymentId} ${kind}`),
      ),
    ),
  )
  expect(sent.sort()).toEqual(payments.flatMap(({ id }) => messages.map(({ kind }) => `${id} ${kind}`)).sort())
  expect(await store.messageBacklog()).toEqual({ pending: 0, oldestCreatedAt: null })
})

test('what an instance had when it died comes back after its lease, and its late result changes nothing', async () => {
  const [one, two] = await twoInstances()
  const events = Array.from({ length: 20 }, () => anEvent())
  for (const event of events) await one.store.insertEvent(event)
  const ofOne = await one.store.claimDeliveries(1, claimOf(one, { limit: 12 }))
  const claimLater = async (after: number) =>
    (await two.store.claimDeliveries(1, claimOf(two, { now: NOON + after, limit: 50 }))).map(({ eventId }) => eventId)
  expect(await claimLater(LEASE_MS - 1)).toHaveLength(8)
  expect(await claimLater(LEASE_MS)).toEqual(ofOne.map(({ eventId }) => eventId))

  const [{ eventId } = anEvent()] = ofOne
  await one.store.recordAttempt(eventId, 1, { ...attempt(one.by), httpStatus: 500, error: 'HTTP 500' })
  expect(await two.store.deliveryById(eventId, 1)).toMatchObject({
    delivery: { state: 'pending', attempts: 0 },
    attempts: [{ number: 1, error: 'HTTP 500' }],
  })
  expect(await two.store.replay(eventId, [1], NOON + LEASE_MS)).toBe('in-flight')
  await two.store.recordAttempt(eventId, 1, attempt(two.by))
  expect(await two.store.deliveryById(eventId, 1)).toMatchObject({
    delivery: { state: 'delivered', attempts: 1 },
    attempts: [{ number: 1 }, { number: 2, error: null }],
  })
})

test('with clocks that are 30 s apart no webhook is handed out again while its try may last', async () => {
  const APART = 30_000
  const LONGEST_TRY_MS = 20_000
  const [behind, ahead] = await twoInstances()
  const events = Array.from({ length: 4 }, () => anEvent())
  for (const event of events) await behind.store.insertEvent(event)
  /** What is claimed so long after the beginning, by the clock of the instance. */
  const claimAt = async (instance: Instance, after: number, limit = 2) => {
    const now = NOON + after + (instance === ahead ? APART : 0)
    return (await instance.store.claimDeliveries(1, claimOf(instance, { now, limit }))).map(({ eventId }) => eventId)
  }
  const ofBehind = await claimAt(behind, 0)
  const ofAhead = await claimAt(ahead, 0)
  expect([...ofBehind, ...ofAhead].sort()).toEqual(events.map(({ eventId }) => eventId).sort())
  for (const after of [LONGEST_TRY_MS, LEASE_MS - APART - 1])
    expect([await claimAt(ahead, after, 4), await claimAt(behind, after, 4)]).toEqual([[], []])
  // They come back by themselves all the same.
  expect(await claimAt(ahead, LEASE_MS - APART, 4)).toEqual(ofBehind)
  expect(await claimAt(behind, LEASE_MS + APART, 4)).toEqual(ofAhead)
})

test('of many claims at once each row goes to one', async () => {
  const instances = await twoInstances()
  for (let n = 0; n < 100; n++) await instances[0].store.insertEvent(anEvent())
  const claims = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const instance = instances[n % 2 === 0 ? 0 : 1]
      return instance.store.claimDeliveries(1, claimOf(instance))
    }),
  )
  const claimed = claims.flat().map(({ eventId }) => eventId)
  expect(new Set(claimed).size).toBe(claimed.length)
  expect(claimed.length).toBeGreaterThan(60)
})

test('a bound holds for all instances together', async () => {
  const instances = await twoInstances()
  const use = { kind: 'unmatched', key: 'all', limit: 5, windowMs: DAY, now: NOON } as const
  const uses = await Promise.all(
    Array.from({ length: 24 }, (_, n) => instances[n % 2 === 0 ? 0 : 1].store.takeUse(use)),
  )
  expect(uses.filter((isAllowed) => isAllowed)).toHaveLength(5)
})
