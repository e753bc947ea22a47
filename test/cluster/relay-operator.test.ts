// What an operator of several relays does: make the tables, look at them, bring a new front end in.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkStore, migrateStore, type StoreSettings } from '../../src/daemons/store-admin.js'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import { schemaMissing } from '../../src/storage/errors.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { relayFrontEnd } from '../support/relay-front-ends.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

const SOON = { timeout: 60_000, interval: 100 }

const storeOf = (schema: string): StoreSettings => ({
  daemon: 'relay',
  path: '',
  dataDir: '',
  database: { address: parseDatabaseAddress(cluster.url()), schema, unsafe: undefined },
})

test('tables that are missing are named, made by a command, and looked at', async () => {
  const settings = storeOf('made')
  await expect(checkStore(settings)).rejects.toSatisfy(schemaMissing.is)
  expect(await migrateStore(settings)).toMatchObject({ steps: [1] })
  expect(await migrateStore(settings)).toMatchObject({ steps: [] })
  expect(await checkStore(settings)).toMatchObject({ entries: 0, front_ends: 0 })
})

test('a relay makes them itself when told to, and is counted while it runs', async () => {
  const front = await relayFrontEnd({ 'log.url': cluster.url(), 'log.schema': 'itself' }, ['--migrate'])
  const looked = () => checkStore(storeOf('itself'))
  await expect.poll(looked, SOON).toMatchObject({ entries: 1, front_ends: 1 })
  await front.process().stop()
  expect(await looked()).toMatchObject({ entries: 1, front_ends: 0 })
  await front.remove()
})
