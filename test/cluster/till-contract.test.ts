import { afterAll, beforeAll } from 'vitest'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
import { describeTillStore } from '../storage/contracts/till/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { emptyTill, freshTillPlace, tillOn } from '../support/postgres/schemas.js'

let cluster: Cluster
let place: DatabasePlace
beforeAll(async () => {
  cluster = await startCluster()
  place = await freshTillPlace(cluster.url())
})
afterAll(() => cluster?.stop())

describeTillStore('PostgreSQL', async () => {
  await emptyTill(cluster, place)
  return tillOn(place)
})
