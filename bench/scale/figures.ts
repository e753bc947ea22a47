// What the model of a large relay calculates with: one table of figures, each with its unit and where it comes from. Flags change any of them.

/** `measured`: by bench/scale.ts on this machine; `prototype`: measured before this code existed, so a ratio at best; `assumed`: nobody measured it. */
type Origin = 'measured' | 'prototype' | 'assumed'

export interface Figure {
  readonly value: number
  readonly unit: string
  readonly origin: Origin
  /** What it is and, unless measured, why it has this value. */
  readonly about: string
}

const measured = (value: number, unit: string, about: string): Figure => ({ value, unit, origin: 'measured', about })
const prototype = (value: number, unit: string, about: string): Figure => ({ value, unit, origin: 'prototype', about })
const assumed = (value: number, unit: string, about: string): Figure => ({ value, unit, origin: 'assumed', about })

/** Measured values here are those of an idle machine on 2026-11-23; `measured.json`, where it exists, replaces them. */
export const FIGURES = {
  publishUs: measured(113, 'µs', 'processor of one event from a client: read, verified, stored, OK (relay-publish)'),
  applyUs: measured(
    53,
    'µs',
    'processor of one event that another front end accepted: decided and stored (store alone)',
  ),
  deliveryUs: measured(0.29, 'µs', 'processor of one event to one subscription (relay-fan-out, 1,000 subscriptions)'),
  shortQueryUs: measured(53, 'µs', 'processor of a REQ for single events: miss, thread, ids'),
  pageQueryUs: measured(153, 'µs', 'processor of a REQ for one page: author-kind, wraps, kind-recent'),
  feedQueryUs: measured(506, 'µs', 'processor of a REQ for a feed: feed, profiles, recent500'),
  connectionUs: measured(2, 'µs/s', 'processor of a connection that waits, pings included (relay-life)'),
  connectionBytes: measured(9000, 'B', 'memory of the process for a connection with one subscription (relay-life)'),
  kernelBytes: measured(4000, 'B', 'memory of the kernel for the socket of such a connection'),
  processMb: measured(250, 'MB', 'memory of a front end without connections, after storing; without mapped files'),
  eventBytes: measured(1348, 'B', 'JSON of one event, 45 % notes, 35 % gift wraps; also its entry in the log'),
  storedBytes: measured(1917, 'B', 'relay.db for one stored event, all indexes'),

  logMbps: prototype(49, 'MB/s', 'log that one cluster with a synchronous standby wrote, four shards, one disk'),

  deliveries: assumed(20, '/event', 'live subscriptions that one event reaches, on all front ends'),
  queries: assumed(0.01, '/s', 'REQs of one connection: one in 100 s'),
  shortShare: assumed(0.5, '', 'share of short queries; pages and feeds: below'),
  pageShare: assumed(0.4, '', 'share of pages; the rest are feeds'),
  queryEvents: assumed(20, 'events', 'events in an answer, on average'),
  authorShare: assumed(
    0.5,
    '',
    'share of queries that name authors: with shards one store answers them, all others every shard',
  ),
  hotShare: assumed(0.02, '', 'share of a store that must lie in memory; with less, queries wait for the disk'),
  followUs: assumed(10, 'µs', 'processor of a gateway for one event of the log: read and matched, not stored'),
  copies: assumed(3, '', 'copies of a store shard'),

  load: assumed(0.6, '', 'share of an event loop that is used; the rest is for peaks'),
  applyShare: assumed(0.4, '', 'share of an event loop that the log may take; more writes need shards'),
  fill: assumed(0.8, '', 'share of memory, disk and network that is used'),
  connectionsMost: assumed(50_000, '', 'connections of one front end'),
  coresPerProcess: assumed(4, '', 'processors of a front end: event loop, signatures, readers, collector'),
  logDays: assumed(7, 'days', 'how long the log is kept (RELAY_LOG_DAYS)'),
  proxyConnections: assumed(500_000, '', 'connections of one proxy'),
  proxyBytes: assumed(40_000, 'B', 'memory of a proxy for a connection: TLS and two sockets'),

  cores: assumed(16, '', 'processors of a machine'),
  memoryGb: assumed(128, 'GB', 'memory of a machine'),
  diskTb: assumed(8, 'TB', 'disk of a machine'),
  networkMbps: assumed(1250, 'MB/s', 'network of any machine: 10 Gbit/s'),
  machineEuros: assumed(150, '€', 'a machine, a month'),
  proxyEuros: assumed(150, '€', 'a proxy, a month'),
  nodeDiskTb: assumed(2, 'TB', 'disk of a database node'),
  nodeMemoryGb: assumed(16, 'GB', 'memory of a database node'),
  nodeEuros: assumed(60, '€', 'a database node, a month'),
  trafficEuros: assumed(1, '€/TB', 'traffic to clients'),
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof FIGURES
export type Values = Readonly<Record<FigureName, number>>

const NAMES = Object.keys(FIGURES) as readonly FigureName[]

/** Later ones count. Throws for a name that is no figure, and a value that is no positive number. */
export function valuesOf(...changes: readonly Readonly<Record<string, number>>[]): Values {
  const values: Record<string, number> = Object.fromEntries(NAMES.map((name) => [name, FIGURES[name].value]))
  for (const [name, value] of changes.flatMap((change) => Object.entries(change))) {
    if (!(name in FIGURES)) throw new RangeError(`not a figure: ${name}`)
    if (!(Number.isFinite(value) && value >= 0)) throw new RangeError(`${name}: not a positive number: ${value}`)
    values[name] = value
  }
  return values as Values
}

/** `applyUs` as a flag: `apply-us`. */
export const flagOf = (name: FigureName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const figureNames = NAMES
