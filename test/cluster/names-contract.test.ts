import { afterAll, beforeAll } from 'vitest'
import { describeNameStore } from '../storage/contracts/names/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn } from '../support/postgres/schemas.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

describeNameStore('PostgreSQL', async () => namesOn(await freshPlace(cluster.url())))
