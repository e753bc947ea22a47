// The jobs of a till that exist once, when the process that does them is killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startSandboxNode } from '../../src/sandbox/index.js'
import { seenInstances } from '../../src/storage/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace } from '../support/postgres/schemas.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'

const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const ROUNDS = Number(process.env.GRINPAY_ROUNDS ?? 1)
/** The contract's bar. */
const TAKEN_OVER_MS = 12_000

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

test(
  'the rails of a till that is killed run on the other one within 12 seconds, again and again',
  async () => {
    const place = await freshTillPlace(cluster.url())
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-rails-'))
    const workers = createRangeWorkers({ inline: true })
    const node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom })
    const start = async (name: string) =>
      startTillProcess({
        PAY_BIND: `127.0.0.1:${await freePort()}`,
        PAY_CHAIN: 'usernet',
        PAY_NODE_URL: node.url,
        PAY_DATA_DIR: join(folder, name),
        PAY_DATABASE_URL: cluster.url(),
        PAY_DATABASE_SCHEMA: place.schema,
        PAY_MNEMONIC: WORDS,
        PAY_WALLET_PASSWORD: 'rails-wallet',
        PAY_API_TOKEN: `pay_live_${'ab'.repeat(32)}`,
        PAY_INGEST: 'on',
        PAY_RELAYS: 'ws://127.0.0.1:9',
      })
    const tills = new Map<string, TillProcess>([
      ['one', await start('one')],
      ['two', await start('two')],
    ])
    onTestFinished(async () => {
      await Promise.all([...tills.values()].map((till) => till.kill()))
      await node.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const holder = async () => (await seenInstances('pay', place)).find(({ leases }) => leases.includes('rails'))?.id
    await expect.poll(holder, { timeout: 8000 }).toBeDefined()

    for (let round = 0; round < ROUNDS; round++) {
      const before = await holder()
      const [name, till] = await holdingOne(tills)
      const killedAt = performance.now()
      await till.kill()
      await expect
        .poll(async () => ![undefined, before].includes(await holder()), { timeout: TAKEN_OVER_MS, interval: 100 })
        .toBe(true)
      console.log({ round, takenOverMs: Math.round(performance.now() - killedAt) })
      tills.set(name, await start(name))
    }
  },
  90_000 + ROUNDS * 40_000,
)

/** As its log says. */
const holds = (till: TillProcess): boolean =>
  till.output().lastIndexOf('a lease was taken') > till.output().lastIndexOf('a lease has ended')

async function holdingOne(tills: ReadonlyMap<string, TillProcess>): Promise<readonly [string, TillProcess]> {
  for (let tries = 0; tries < 100; tries++, await sleep(100)) for (const one of tills) if (holds(one[1])) return one
  throw new Error('no till runs the rails')
}
