import { afterAll, beforeAll } from 'vitest'
import { describeTillStore } from '../storage/contracts/till/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

describeTillStore('PostgreSQL', async () => tillOn(await freshTillPlace(cluster.url())))
