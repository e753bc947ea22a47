// A relay larger than one machine, calculated: processes, machines, memory, disk, network and euros for so many connections, writes and events.
// Pure. Up to one log every front end has everything, and that is built or being built; store shards and gateways are only designed.
import type { Values } from './figures.js'

export interface Target {
  readonly connections: number
  /** Events a second. */
  readonly writes: number
  /** Events stored. */
  readonly events: number
}

/** Processes of one kind, or machines of one kind where that is all that is known of them. */
interface Group {
  readonly what: string
  readonly processes: number
  readonly machines: number
  /** Of all of them together. */
  readonly memoryGb: number
  readonly diskTb: number
  /** Sent and received by the busiest one, MB/s. */
  readonly networkMbps: number
  readonly euros: number
}

export interface Plan {
  readonly groups: readonly Group[]
  readonly machines: number
  readonly memoryGb: number
  readonly diskTb: number
  /** To clients, TB a month. */
  readonly trafficTb: number
  readonly trafficEuros: number
  readonly euros: number
  /** Log and store shards; 1: every front end has everything. */
  readonly shards: number
  /** What the design has only on paper, and what no machine of these figures holds. */
  readonly beyond: readonly string[]
}

const US = 1e-6
const GB = 1e9
const TB = 1e12
const MB = 1e6
const MONTH_SECONDS = 30 * 86_400
const DAY_SECONDS = 86_400
const NODES = 3
const LEAST_FRONT_ENDS = 2

const atLeastOne = (value: number): number => Math.max(1, Math.ceil(value))

/** Processor microseconds of the average query. */
export const queryUs = (v: Values): number =>
  v.shortShare * v.shortQueryUs + v.pageShare * v.pageQueryUs + (1 - v.shortShare - v.pageShare) * v.feedQueryUs

/** Store shards: what one process can apply beside answering, and what one machine's disk and memory hold. */
export function shardsFor({ writes, events }: Target, v: Values): number {
  if (v.applyShare >= v.load) throw new RangeError('applyShare must be below load: nothing is left for clients')
  const mostWrites = v.applyShare / (v.applyUs * US)
  const hotBytes = v.memoryGb * GB * v.fill - v.processMb * MB - v.connectionsMost * (v.connectionBytes + v.kernelBytes)
  const mostEvents = Math.min((v.diskTb * TB * v.fill) / v.storedBytes, hotBytes / (v.storedBytes * v.hotShare))
  return Math.max(atLeastOne(writes / mostWrites), atLeastOne(events / mostEvents))
}

/** Seconds of processor a second that clients cost, however many processes share it. */
function clientLoad({ connections, writes }: Target, v: Values, publishUs: number): number {
  const deliveries = writes * v.deliveries * v.deliveryUs
  const queries = connections * v.queries * queryUs(v)
  return (writes * publishUs + deliveries + queries + connections * v.connectionUs) * US
}

/** How many processes hold this load, when each also spends `own` of its event loop on what all of them do. */
const processesFor = (shared: number, own: number, connections: number, v: Values): number =>
  Math.max(LEAST_FRONT_ENDS, Math.ceil(shared / (v.load - own)), Math.ceil(connections / v.connectionsMost))

/** Processes on machines: as many on one as processors, memory and disk allow, and never both copies of all on one machine. */
function place(what: string, processes: number, each: { memoryGb: number; diskTb: number; cores: number }, v: Values) {
  const perMachine = Math.max(
    1,
    Math.floor(
      Math.min(
        v.cores / each.cores,
        (v.memoryGb * v.fill) / each.memoryGb,
        each.diskTb === 0 ? Number.POSITIVE_INFINITY : (v.diskTb * v.fill) / each.diskTb,
      ),
    ),
  )
  const machines = Math.max(LEAST_FRONT_ENDS, Math.ceil(processes / perMachine))
  return {
    what,
    processes,
    machines,
    perMachine: Math.ceil(processes / machines),
    memoryGb: processes * each.memoryGb,
    diskTb: processes * each.diskTb,
    euros: machines * v.machineEuros,
  }
}

const connectionsGb = (connections: number, v: Values): number =>
  (connections * (v.connectionBytes + v.kernelBytes)) / GB

const storeGb = (events: number, v: Values): number => (v.processMb * MB + events * v.storedBytes * v.hotShare) / GB

/** MB/s to clients: live events, answers, OKs left out. */
const toClientsMbps = ({ connections, writes }: Target, v: Values): number =>
  ((writes * v.deliveries + connections * v.queries * v.queryEvents) * v.eventBytes) / MB

/** Every front end has the whole store and applies the whole log. */
function replicas(target: Target, v: Values): readonly Group[] {
  const own = target.writes * v.applyUs * US
  const processes = processesFor(clientLoad(target, v, v.publishUs - v.applyUs), own, target.connections, v)
  const each = {
    cores: v.coresPerProcess,
    memoryGb: storeGb(target.events, v) + connectionsGb(target.connections / processes, v),
    diskTb: (target.events * v.storedBytes) / TB,
  }
  const placed = place('front ends', processes, each, v)
  const log = (target.writes * v.eventBytes) / MB
  return [{ ...placed, networkMbps: placed.perMachine * (log + toClientsMbps(target, v) / processes) }]
}

/** Stores and clients apart: a store holds one shard, a gateway holds connections and follows every shard's log. */
function sharded(target: Target, shards: number, v: Values): readonly Group[] {
  const { writes, events, connections } = target
  const queries = connections * v.queries
  const asked = queries * (v.authorShare + (1 - v.authorShare) * shards) // each query that names no author goes to every shard
  const own = (writes / shards) * v.applyUs * US
  const copies = Math.max(v.copies, Math.ceil((asked * queryUs(v) * US) / shards / (v.load - own)))
  const stores = place(
    'store shards',
    shards * copies,
    {
      cores: v.coresPerProcess,
      memoryGb: storeGb(events / shards, v),
      diskTb: (events / shards / TB) * v.storedBytes,
    },
    v,
  )
  const log = (writes * v.eventBytes) / MB
  const answers = (queries * v.queryEvents * v.eventBytes) / MB
  const gatewayLoad = clientLoad(target, v, v.publishUs - v.applyUs)
  const gatewayCount = processesFor(gatewayLoad, 0, connections, v)
  const gateways = place(
    'gateways',
    gatewayCount,
    {
      cores: v.coresPerProcess + writes * v.followUs * US,
      memoryGb: (v.processMb * MB) / GB + connectionsGb(connections / gatewayCount, v),
      diskTb: 0,
    },
    v,
  )
  return [
    { ...stores, networkMbps: stores.perMachine * (log / shards + answers / stores.processes) },
    { ...gateways, networkMbps: gateways.perMachine * (log + (toClientsMbps(target, v) + answers) / gatewayCount) },
  ]
}

/** Clusters of three nodes that hold the log. `readers`: processes that each read all of it, or their shard of it. */
function database({ writes }: Target, reads: number, v: Values): Group {
  const log = (writes * v.eventBytes) / MB
  const days = (log * MB * v.logDays * DAY_SECONDS) / TB
  const sent = log * (reads + NODES - 1)
  const clusters = Math.max(
    atLeastOne(log / (v.logMbps * v.fill)),
    atLeastOne(days / (v.nodeDiskTb * v.fill)),
    atLeastOne(sent / (v.networkMbps * v.fill)),
  )
  const machines = clusters * NODES
  return {
    what: 'database nodes',
    processes: machines,
    machines,
    memoryGb: machines * v.nodeMemoryGb,
    diskTb: days * NODES,
    networkMbps: (sent + log) / clusters,
    euros: machines * v.nodeEuros,
  }
}

/** Two at least: one may be lost, and the other ones then hold its connections. */
function proxies(target: Target, v: Values): Group {
  const both = 2 * toClientsMbps(target, v) // received from front ends, and sent
  const byNetwork = Math.ceil(both / (v.networkMbps * v.fill))
  const machines = Math.max(2, Math.ceil(target.connections / v.proxyConnections), byNetwork)
  return {
    what: 'proxies',
    processes: machines,
    machines,
    memoryGb: (target.connections * v.proxyBytes) / GB,
    diskTb: 0,
    networkMbps: both / machines,
    euros: machines * v.proxyEuros,
  }
}

export function planFor(target: Target, v: Values): Plan {
  const shards = shardsFor(target, v)
  const services = shards === 1 ? replicas(target, v) : sharded(target, shards, v)
  const [first, second] = services
  // Every front end reads all of the log; of shards, each copy reads its part, and each gateway everything.
  const reads = shards === 1 ? (first?.processes ?? 0) : (first?.processes ?? 0) / shards + (second?.processes ?? 0)
  const groups = [...services, proxies(target, v), database(target, reads, v)]
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0)
  const trafficTb = (toClientsMbps(target, v) * MB * MONTH_SECONDS) / TB
  const trafficEuros = trafficTb * v.trafficEuros
  const crowded = groups.filter(({ networkMbps }) => networkMbps > v.networkMbps * v.fill)
  return {
    groups,
    machines: sum(({ machines }) => machines),
    memoryGb: sum(({ memoryGb }) => memoryGb),
    diskTb: sum(({ diskTb }) => diskTb),
    trafficTb,
    trafficEuros,
    euros: sum(({ euros }) => euros) + trafficEuros,
    shards,
    beyond: [
      ...(shards > 1 ? [`${shards} shards and gateways: only designed, no code has them`] : []),
      ...crowded.map(({ what, networkMbps }) => `${what}: ${networkMbps.toFixed(0)} MB/s on one machine`),
    ],
  }
}
