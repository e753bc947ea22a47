// A rolling upgrade under load: the tables get their next step while processes of the version before work and start; those of the next version start
// beside them. Nothing fails.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaOlder } from '../../src/storage/errors.js'
import { migrateOnPrimary } from '../../src/storage/postgres/open.js'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
import {
  NAMES_SERVICE,
  type PostgresService,
  RELAY_LOG_SERVICE,
  TILL_SERVICE,
} from '../../src/storage/postgres/services.js'
import { aClaim } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { anEvent, frontEndOn } from '../support/postgres/relay-logs.js'
import { freshLogPlace, freshPlace, freshTillPlace, namesOn, postgresOn, tillOn } from '../support/postgres/schemas.js'
import { anInvoice, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

/** A column and an index, as a next version would add them, on the table that is written most. */
const nextVersion = (service: PostgresService, table: string): PostgresService => ({
  ...service,
  steps: [
    ...service.steps,
    `ALTER TABLE ${table} ADD COLUMN later text NOT NULL DEFAULT ''; CREATE INDEX ${table}_later ON ${table} (later)`,
  ],
})

/** Clients of several processes that note what fails, until they are stopped. */
function startLoad(works: readonly (() => Promise<unknown>)[]) {
  const failures: unknown[] = []
  let [made, isOver] = [0, false]
  const clients = works.map(async (work) => {
    while (!isOver)
      await work().then(
        () => made++,
        async (error: unknown) => {
          failures.push(error)
          await sleep(20)
        },
      )
  })
  return {
    made: () => made,
    failures,
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(clients)
    },
  }
}

interface Upgrade {
  readonly place: DatabasePlace
  readonly next: PostgresService
  /** Opens a process of this version; what it does again and again. */
  readonly open: () => Promise<() => Promise<unknown>>
}

async function upgrade({ place, next, open }: Upgrade): Promise<void> {
  const [one, two] = [await open(), await open()]
  await expect(postgresOn(place, { service: next })).rejects.toSatisfy(schemaOlder.is)
  const load = startLoad([one, two, one, two])
  try {
    await sleep(500)
    expect(await migrateOnPrimary({ place, service: next })).toEqual([next.steps.length])
    const after = load.made()
    // The first machine is updated; a process of the version before starts again on the other one.
    const updated = await postgresOn(place, { service: next })
    await updated.repeatable((db) => db.run('UPDATE barrier SET at = now()'))
    const restarted = await open()
    await restarted()
    await expect.poll(load.made, { timeout: 10_000 }).toBeGreaterThan(after + 20)
  } finally {
    await load.stop()
  }
  expect(load.failures).toEqual([])
}

test('of a till', async () => {
  const place = await freshTillPlace(cluster.url())
  const next = nextVersion(TILL_SERVICE, 'invoice')
  await upgrade({
    place,
    next,
    async open() {
      const till = await tillOn(place)
      return () => till.insertInvoice(anInvoice(), NOON)
    },
  })
})

test('of names', async () => {
  const place = await freshPlace(cluster.url())
  let made = 0
  await upgrade({
    place,
    next: nextVersion(NAMES_SERVICE, 'name'),
    async open() {
      const names = await namesOn(place)
      return async () => expect((await names.claimName(aClaim(`own${made++}x`))).outcome).toBe('claimed')
    },
  })
})

test("of a relay's log", async () => {
  const place = await freshLogPlace(cluster.url())
  let made = 0
  await upgrade({
    place,
    next: nextVersion(RELAY_LOG_SERVICE, 'log'),
    async open() {
      const front = await frontEndOn(place)
      return async () => {
        const content = `${made++}`
        front.log.append([anEvent(content)])
        await expect.poll(() => front.answered.has(content), { timeout: 10_000, interval: 5 }).toBe(true)
        expect(front.failed).toEqual([])
      }
    },
  })
})
