// A whole cluster on this machine: three PostgreSQL nodes, two tills, two name authorities, two relays, each daemon a process with a folder of its
// own; a chain that checks, a shop that verifies signatures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import { createSandboxPayer, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { migrateOnPrimary } from '../../src/storage/postgres/open.js'
import { NAMES_SERVICE, RELAY_LOG_SERVICE, TILL_SERVICE } from '../../src/storage/postgres/services.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import type { PostgresNode } from '../support/postgres/node.js'
import { type RelayFrontEnd, relayFrontEnd } from '../support/relay-front-ends.js'
import { freePort, startDaemon, type TillProcess } from '../support/till-process.js'

export const API_TOKEN = `pay_live_${'ab'.repeat(32)}`
export const ADMIN_TOKEN = `pay_admin_${'cd'.repeat(32)}`
/** What clients of the name authority sign. */
export const NAMES_URL = 'https://names.example'
const HOOK_SECRET = `whsec_${'ef'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const READY_MS = 60_000

/** A daemon that can be killed and started again on its files. */
export interface Front {
  readonly url: string
  readonly settings: Readonly<Record<string, string>>
  /** Its process; after a kill the one that was killed. */
  process(): TillProcess
  start(): Promise<void>
}

/** Two of each daemon on one database; a chain, a payer and a shop beside them. */
export interface Daemons {
  readonly tills: readonly Front[]
  /** May be none. */
  readonly names: readonly Front[]
  readonly relays: readonly RelayFrontEnd[]
  readonly payer: SandboxPayer
  readonly hooks: HookReceiver
  /** Resolves when every front end is ready. */
  ready(): Promise<void>
  close(): Promise<void>
}

export interface Stage extends Daemons {
  readonly cluster: Cluster
  primary(): PostgresNode
  standbys(): readonly PostgresNode[]
  /** Promotes the standby that has received most. The old primary stays as it is. */
  failOver(): Promise<PostgresNode>
}

export interface StageOptions {
  /** Commits wait for no standby, and the daemons accept it. */
  readonly isAsynchronous?: boolean
}

/** On three nodes of their own. */
export async function openStage({ isAsynchronous = false }: StageOptions = {}): Promise<Stage> {
  const cluster = await startCluster(isAsynchronous ? { settings: { synchronous_standby_names: '' } } : {})
  const daemons = await openDaemons(cluster.url(), { isAsynchronous })
  let primary: PostgresNode = cluster.nodes[0]
  const standbys = () => cluster.nodes.filter((one) => one !== primary)
  return {
    ...daemons,
    ...{ cluster, standbys },
    primary: () => primary,
    async failOver() {
      const old = primary
      primary = await cluster.foremost(standbys())
      await cluster.promote(primary)
      return old
    },
    async close() {
      await daemons.close()
      await cluster.stop()
    },
  }
}

/** Makes the tables, and starts them. `hasNames`: also the name authorities. */
export async function openDaemons(
  databaseUrl: string,
  { isAsynchronous = false, hasNames = true }: StageOptions & { readonly hasNames?: boolean } = {},
): Promise<Daemons> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-stage-'))
  const workers = createRangeWorkers({ threads: 1 })
  const chain = { verify: workers.verify, clock: systemClock, random: systemRandom, blockEvery: 500 }
  const node = await startSandboxNode(chain)
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const hooks = await startHookReceiver(HOOK_SECRET)
  const address = parseDatabaseAddress(databaseUrl)
  const unsafe = isAsynchronous ? ('single' as const) : undefined
  for (const [service, schema] of [
    [TILL_SERVICE, 'pay'],
    [NAMES_SERVICE, 'names'],
    [RELAY_LOG_SERVICE, 'relay'],
  ] as const)
    await migrateOnPrimary({ place: { address, schema, unsafe }, service })

  /** A folder of its own, as on a machine of its own. */
  async function front(
    daemon: 'pay' | 'nameauth',
    settings: (bind: string, dataDir: string) => Readonly<Record<string, string>>,
  ): Promise<Front> {
    const dataDir = mkdtempSync(join(folder, `${daemon}-`))
    const bind = `127.0.0.1:${await freePort()}`
    const own = settings(bind, dataDir)
    let running: TillProcess | undefined
    async function start(): Promise<void> {
      running = await startDaemon({ command: ['serve', daemon], settings: own, bind, cwd: dataDir })
    }
    await start()
    return {
      url: `http://${bind}`,
      settings: own,
      start,
      process() {
        if (!running) throw new Error('it was not started')
        return running
      },
    }
  }

  const tillSettings = (bind: string, dataDir: string) => ({
    PAY_BIND: bind,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: node.url,
    PAY_CONFIRMATIONS: '2',
    PAY_DATA_DIR: join(dataDir, 'data'),
    PAY_DATABASE_URL: databaseUrl,
    PAY_MNEMONIC: WORDS,
    PAY_WALLET_PASSWORD: 'faults-wallet',
    PAY_API_TOKEN: API_TOKEN,
    PAY_ADMIN_TOKEN: ADMIN_TOKEN,
    PAY_RATE_LIMITS: 'off',
    PAY_WEBHOOK_URL: hooks.url,
    PAY_WEBHOOK_SECRET: HOOK_SECRET,
    ...(isAsynchronous && { PAY_DATABASE_UNSAFE: 'single' }),
  })
  const nameSettings = (bind: string, dataDir: string) => ({
    NAMEAUTH_DOMAIN: 'names.example',
    NAMEAUTH_NAMES_BIND: bind,
    NAMEAUTH_DATA_DIR: dataDir,
    NAMEAUTH_DATABASE_URL: databaseUrl,
    NAMEAUTH_READ_RATE_MAX: '1000000',
    NAMEAUTH_WRITE_RATE_MAX: '1000000',
    ...(isAsynchronous && { NAMEAUTH_DATABASE_UNSAFE: 'single' }),
  })
  const logSettings = { 'log.url': databaseUrl, ...(isAsynchronous && { 'log.unsafe': 'single' }) }
  const twice = async <T>(make: () => Promise<T>): Promise<readonly T[]> => [await make(), await make()]
  const tills = await twice(() => front('pay', tillSettings))
  const names = hasNames ? await twice(() => front('nameauth', nameSettings)) : []
  const relays = await twice(() => relayFrontEnd(logSettings))
  const fronts = [...tills, ...names, ...relays]

  return {
    ...{ tills, names, relays, payer, hooks },
    async ready() {
      const deadline = Date.now() + READY_MS
      for (const one of fronts)
        while (!(await isReady(one.url))) {
          if (Date.now() > deadline) throw new Error(`not ready: ${one.process().output().slice(-3000)}`)
          await sleep(50)
        }
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.remove()))
      await Promise.all([...tills, ...names].map((one) => one.process().kill()))
      await hooks.close()
      await node.close()
      await workers.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`, { signal: AbortSignal.timeout(5000) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )
