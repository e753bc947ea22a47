// What every store must do, on one PostgreSQL server. What needs its standbys is in test/cluster.
import { afterAll, beforeAll } from 'vitest'
import type { DatabasePlace } from '../../../src/storage/postgres/place.js'
import { type SingleServer, startSingleServer } from '../../support/postgres/cluster.js'
import { logOn } from '../../support/postgres/relay-logs.js'
import {
  emptyNames,
  emptyTill,
  freshLogPlace,
  freshPlace,
  freshTillPlace,
  namesOn,
  tillOn,
} from '../../support/postgres/schemas.js'
import { describeEventLog } from '../contracts/event-log/index.js'
import { describeNameStore } from '../contracts/names/index.js'
import { describeTillStore } from '../contracts/till/index.js'

let server: SingleServer
let till: DatabasePlace
let names: DatabasePlace
beforeAll(async () => {
  server = await startSingleServer()
  till = await freshTillPlace(server.url(), 'single')
  names = await freshPlace(server.url(), 'single')
})
afterAll(() => server?.stop())

describeTillStore('PostgreSQL', async () => {
  await emptyTill(server, till)
  return tillOn(till)
})

describeNameStore('PostgreSQL', async () => {
  await emptyNames(server, names)
  return namesOn(names)
})

describeEventLog('PostgreSQL', async () => logOn(await freshLogPlace(server.url(), 'single')))
