// One, two and three front ends of a service on one database: measured, and beside it what the model says from the costs of a single one.
import { cpus } from 'node:os'
import type { Cluster } from '../../test/support/postgres/cluster.js'
import type { Server } from '../load.js'
import { median } from '../measurement.js'
import { processorMsOf } from '../process.js'
import { databaseMs, startDatabase } from './database.js'
import { type Prediction, predict, type RequestCosts } from './front-end-model.js'

export interface FrontEnds {
  readonly servers: readonly Server[]
  stop(): Promise<void>
}

export interface Load {
  readonly what: string
  /** Whether every front end repeats what one of them was asked, as a relay applies each event. */
  readonly isRepeated: boolean
  /** Whether a front end begins one only when the one before is done. */
  readonly takesTurns: boolean
  /** Prepares a load; what it returns sends it and resolves with the number of answers. `one`: one client, one request at a time. */
  run(servers: readonly Server[], size: 'full' | 'one'): Promise<() => Promise<number>>
}

/** A daemon that runs with a file of its own, or beside others on a database. */
export interface Service {
  readonly what: string
  readonly loads: readonly Load[]
  startEmbedded(): Promise<FrontEnds>
  startShared(url: string, count: number): Promise<FrontEnds>
}

export interface Row {
  readonly service: string
  readonly load: string
  /** 0: one process with its file. */
  readonly frontEnds: number
  readonly perSecond: number
  readonly predicted?: Prediction
  readonly frontEndMs: number
  readonly databaseMs: number
  readonly clientMs: number
  /** Share of the machine that these three took; the rest was idle, waited for the disk, or belonged to others. */
  readonly used: number
}

const ROUNDS = 3
const COUNTS = [1, 2, 3]
const CORES = cpus().length

interface Sample extends Pick<Row, 'perSecond' | 'frontEndMs' | 'databaseMs' | 'clientMs' | 'used'> {
  /** By the clock, for one request after the other. */
  readonly eachMs: number
}

type Database = Cluster | undefined

async function sample(load: Load, { servers }: FrontEnds, database: Database, size: 'full' | 'one'): Promise<Sample> {
  const send = await load.run(servers, size)
  const processor = () => ({
    frontEnd: servers.reduce((sum, { pid }) => sum + processorMsOf(pid), 0),
    database: database ? databaseMs(database) : 0,
    client: ownMs(),
  })
  const [before, begun] = [processor(), performance.now()]
  const answers = await send()
  const [ms, after] = [performance.now() - begun, processor()]
  const each = (of: keyof typeof before) => (after[of] - before[of]) / answers
  const [frontEndMs, databaseEachMs, clientMs] = [each('frontEnd'), each('database'), each('client')]
  return {
    perSecond: (answers * 1000) / ms,
    eachMs: ms / answers,
    frontEndMs,
    databaseMs: databaseEachMs,
    clientMs,
    used: ((frontEndMs + databaseEachMs + clientMs) * answers) / ms / CORES,
  }
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const middle = (samples: readonly Sample[]): Sample => {
  const of = (name: keyof Sample) => median(samples.map((each) => each[name]))
  const [perSecond, eachMs, frontEndMs] = [of('perSecond'), of('eachMs'), of('frontEndMs')]
  return { perSecond, eachMs, frontEndMs, databaseMs: of('databaseMs'), clientMs: of('clientMs'), used: of('used') }
}

/** A fresh set of front ends, warmed up, then `ROUNDS` times under load. */
async function measured(load: Load, start: () => Promise<FrontEnds>, database: Database, size: 'full' | 'one') {
  const fronts = await start()
  try {
    await sample(load, fronts, database, size)
    const samples: Sample[] = []
    for (let round = 0; round < ROUNDS; round++) samples.push(await sample(load, fronts, database, size))
    return middle(samples)
  } finally {
    await fronts.stop()
  }
}

/** What the model starts from: processor under load at one front end, and how long a client alone waits. */
async function costsOf(load: Load, service: Service, cluster: Cluster): Promise<[RequestCosts, Sample]> {
  const start = () => service.startShared(cluster.url(), 1)
  const alone = await measured(load, start, cluster, 'one')
  const full = await measured(load, start, cluster, 'full')
  const { frontEndMs, clientMs } = full
  // What is neither processor of front end nor of client is waiting for the database: nothing else happens there meanwhile.
  const waited = Math.max(0, alone.eachMs - alone.frontEndMs - alone.clientMs)
  const turnMs = load.takesTurns ? waited : 0
  return [
    { frontEndMs, everywhereMs: load.isRepeated ? frontEndMs : 0, turnMs, databaseMs: full.databaseMs, clientMs },
    full,
  ]
}

async function rowsOf(load: Load, service: Service, cluster: Cluster): Promise<readonly Row[]> {
  const about = { service: service.what, load: load.what }
  const embedded = await measured(load, service.startEmbedded, undefined, 'full')
  const [costs, one] = await costsOf(load, service, cluster)
  const rows: Row[] = [{ ...about, frontEnds: 0, ...shown(embedded) }]
  for (const count of COUNTS) {
    const found =
      count === 1 ? one : await measured(load, () => service.startShared(cluster.url(), count), cluster, 'full')
    rows.push({ ...about, frontEnds: count, ...shown(found), predicted: predict(costs, count, CORES) })
  }
  return rows
}

const shown = ({ eachMs, ...rest }: Sample) => rest

/** One run: all figures have the same machine, load and database. */
export async function measureFrontEnds(services: readonly Service[]): Promise<readonly Row[]> {
  const cluster = await startDatabase()
  try {
    const rows: Row[] = []
    for (const service of services)
      for (const load of service.loads) rows.push(...(await rowsOf(load, service, cluster)))
    return rows
  } finally {
    await cluster.stop()
  }
}
