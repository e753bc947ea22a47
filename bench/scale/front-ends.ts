// One, two and three front ends of a service on one database, beside one process with its file: the same load for each in turns, and what the model says.
import { rmSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Cluster } from '../../test/support/postgres/cluster.js'
import type { Server } from '../load.js'
import { median } from '../measurement.js'
import { sendAll } from '../posts.js'
import { mainThreadMsOf, processorMsOf } from '../process.js'
import { databaseMs, startDatabase } from './database.js'
import { type Prediction, predict, type RequestCosts } from './front-end-model.js'

export interface FrontEnds {
  readonly servers: readonly Server[]
  stop(): Promise<void>
}

/** Clients at once; each waits for its answer before it sends the next. */
type Clients = 1 | 32

export interface Size {
  readonly answers: number
  readonly clients: number
}

export interface Load {
  readonly what: string
  /** How many answers a round has, by clients. */
  readonly answers: Partial<Record<Clients, number>>
  /** Processor milliseconds that each front end spends on what any of them was asked, as a relay applies each event. */
  readonly everywhereMs?: number
  /** Whether a front end begins one only when the one before is done. */
  readonly takesTurns?: true
  /** How often a request waits for the database, under load; once by default. */
  readonly waits?: number
  /** What it returns sends the load and resolves with the number of answers. */
  prepare(servers: readonly Server[], size: Size): Promise<() => Promise<number>>
}

/** A daemon that runs with a file of its own, or beside others on a database. */
export interface Service {
  readonly what: string
  readonly loads: readonly Load[]
  startEmbedded(): Promise<FrontEnds>
  /** One for each of the counts. */
  startShared(url: string, counts: readonly number[]): Promise<readonly FrontEnds[]>
}

/** Middle, least and most of the rounds. */
export interface Rounds {
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Row {
  readonly service: string
  readonly load: string
  readonly clients: number
  /** 0: one process with its file. */
  readonly frontEnds: number
  readonly perSecond: Rounds
  /** Of the embedded default, of the same round. */
  readonly ratio: Rounds
  readonly predicted?: Prediction
  /** Processor for one answer. */
  readonly frontEndMs: number
  readonly databaseMs: number
  readonly clientMs: number
  /** Share of the machine that these three took; the rest was idle, waited for the disk, or belonged to others. */
  readonly used: number
}

const COUNTS = [1, 2, 3]
const CORES = cpus().length
const WARM_UP = 0.5

interface Sample extends Pick<Row, 'frontEndMs' | 'databaseMs' | 'clientMs' | 'used'> {
  readonly perSecond: number
  /** Processor of the thread that runs the event loop. */
  readonly loopMs: number
}

async function sample(send: () => Promise<number>, servers: readonly Server[], cluster: Cluster): Promise<Sample> {
  const sumOf = (msOf: (pid: number) => number) => servers.reduce((sum, { pid }) => sum + msOf(pid), 0)
  const processor = () => ({
    frontEnd: sumOf(processorMsOf),
    loop: sumOf(mainThreadMsOf),
    database: databaseMs(cluster),
    client: ownMs(),
  })
  const [before, begun] = [processor(), performance.now()]
  const answers = await send()
  const [ms, after] = [performance.now() - begun, processor()]
  const each = (of: keyof typeof before) => (after[of] - before[of]) / answers
  const [frontEndMs, databaseEachMs, clientMs] = [each('frontEnd'), each('database'), each('client')]
  return {
    perSecond: (answers * 1000) / ms,
    frontEndMs,
    loopMs: each('loop'),
    databaseMs: databaseEachMs,
    clientMs,
    used: ((frontEndMs + databaseEachMs + clientMs) * answers) / ms / CORES,
  }
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const roundsOf = (values: readonly number[]): Rounds => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})

/** Samples of each variant: of the embedded default first, then of the counts. The order turns round with each round. */
async function inTurns(
  load: Load,
  size: Size,
  parts: { readonly variants: readonly FrontEnds[]; readonly cluster: Cluster; readonly rounds: number },
): Promise<readonly (readonly Sample[])[]> {
  const { variants, cluster, rounds } = parts
  const samples: Sample[][] = variants.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    const isWarmUp = round === 0
    const answers = isWarmUp ? Math.ceil(size.answers * WARM_UP) : size.answers
    const order = [...variants.entries()]
    if (round % 2 === 0) order.reverse()
    for (const [at, { servers }] of order) {
      const send = await load.prepare(servers, { ...size, answers })
      const one = await sample(send, servers, cluster)
      if (!isWarmUp) samples[at]?.push(one)
    }
  }
  return samples
}

const middleOf = (samples: readonly Sample[], name: keyof Sample): number => median(samples.map((one) => one[name]))

/** What the model starts from: one front end under load, and how long a client alone waits. */
function costsOf(load: Load, one: readonly Sample[], alone: readonly Sample[] | undefined): RequestCosts {
  const everywhereMs = load.everywhereMs ?? 0
  const of = (name: keyof Sample) => middleOf(one, name)
  // What is neither processor of front end nor of client is waiting for the database: nothing else happens there meanwhile.
  const waitMs = alone
    ? Math.max(0, 1000 / middleOf(alone, 'perSecond') - middleOf(alone, 'frontEndMs') - middleOf(alone, 'clientMs'))
    : 0
  return {
    frontEndMs: Math.max(0, of('frontEndMs') - everywhereMs),
    loopMs: Math.max(0, of('loopMs') - everywhereMs),
    everywhereMs,
    turnMs: load.takesTurns ? waitMs : 0,
    waitMs: waitMs * (load.waits ?? 1),
    databaseMs: of('databaseMs'),
    clientMs: of('clientMs'),
  }
}

function rowsOf(
  about: Pick<Row, 'service' | 'load' | 'clients'>,
  samples: readonly (readonly Sample[])[],
  costs: RequestCosts | undefined,
): readonly Row[] {
  const [embedded = []] = samples
  return samples.map((own, at) => {
    const frontEnds = at === 0 ? 0 : (COUNTS[at - 1] ?? 0)
    const of = (name: keyof Sample) => middleOf(own, name)
    return {
      ...about,
      frontEnds,
      perSecond: roundsOf(own.map(({ perSecond }) => perSecond)),
      ratio: roundsOf(own.map(({ perSecond }, round) => perSecond / (embedded[round]?.perSecond ?? Number.NaN))),
      ...(costs && frontEnds > 0 && { predicted: predict(costs, { frontEnds, cores: CORES, clients: about.clients }) }),
      frontEndMs: of('frontEndMs'),
      databaseMs: of('databaseMs'),
      clientMs: of('clientMs'),
      used: of('used'),
    }
  })
}

/** On three nodes of its own. */
export async function measureFrontEnds(service: Service, rounds: number): Promise<readonly Row[]> {
  const cluster = await startDatabase()
  try {
    return await measureOn(cluster, service, rounds)
  } finally {
    await cluster.stop()
  }
}

async function measureOn(cluster: Cluster, service: Service, rounds: number): Promise<readonly Row[]> {
  const variants = [await service.startEmbedded(), ...(await service.startShared(cluster.url(), COUNTS))]
  const rows: Row[] = []
  try {
    for (const load of service.loads) {
      let alone: readonly Sample[] | undefined
      for (const [clients, answers] of Object.entries(load.answers)) {
        const samples = await inTurns(load, { answers, clients: Number(clients) }, { variants, cluster, rounds })
        if (clients === '1') alone = samples[1]
        const costs = clients === '1' ? undefined : costsOf(load, samples[1] ?? [], alone)
        const about = { service: service.what, load: load.what, clients: Number(clients) }
        rows.push(...rowsOf(about, samples, costs))
      }
    }
  } finally {
    for (const { stop } of variants) await stop()
  }
  return rows
}

/** Posts that are made ahead: an equal part for each front end, from its part of the clients. */
export async function postsTo(
  servers: readonly Server[],
  { answers, clients }: Size,
  make: (server: Server, count: number) => readonly Buffer[] | Promise<readonly Buffer[]>,
): Promise<() => Promise<number>> {
  const used = servers.slice(0, clients)
  const partOf = (all: number, at: number) => Math.floor((all + used.length - 1 - at) / used.length)
  const posts = await Promise.all(used.map((server, at) => make(server, partOf(answers, at))))
  return async () => {
    await Promise.all(used.map((server, at) => sendAll(server, posts[at] ?? [], partOf(clients, at))))
    return posts.flat().length
  }
}

/** The same processes for all counts: a load goes to the first ones, the other ones idle. */
export const firstOf = (
  servers: readonly Server[],
  counts: readonly number[],
  stop: () => Promise<void>,
): readonly FrontEnds[] =>
  counts.map((count, at) => ({
    servers: servers.slice(0, count),
    stop: async () => {
      if (at === counts.length - 1) await stop()
    },
  }))

export async function stopAll(servers: readonly { stop(): Promise<unknown> }[], folder: string): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
}
