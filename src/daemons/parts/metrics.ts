// How figures of a daemon are written down: one table each, and the rows that every process has.

import { dirname } from 'node:path'
import type { MetricFamily, MetricSample } from '../../http/index.js'
import type { DaemonName } from '../../lib/daemon-names.js'
import { reservedBytes } from '../../storage/index.js'
import { type DiskSpace, diskSpace, type ProcessFigures } from '../../system/index.js'
import type { Check } from '../runtime.js'

/** One row: where its samples come from. */
export interface Metric<Figures> extends Omit<MetricFamily, 'samples'> {
  readonly samples: (figures: Figures) => readonly MetricSample[]
}

type Row = <Figures>(name: string, help: string, samples: Metric<Figures>['samples']) => Metric<Figures>

export const gauge: Row = (name, help, samples) => ({ name, type: 'gauge', help, samples })
export const counter: Row = (name, help, samples) => ({ name, type: 'counter', help, samples })

/** A sample without labels; undefined: not known now. */
export const one = (value: MetricSample['value'] | undefined): readonly MetricSample[] => [{ value: value ?? null }]

export const familiesOf = <Figures>(table: readonly Metric<Figures>[], figures: Figures): readonly MetricFamily[] =>
  table.map(({ samples, ...family }) => ({ ...family, samples: samples(figures) }))

export interface ReadProcess {
  readonly process: ProcessFigures
  /** Epoch milliseconds. */
  readonly now: number
}

/** Names that dashboards for Node programs know. */
const PROCESS: readonly Metric<ReadProcess>[] = [
  counter('process_cpu_seconds_total', 'Processor time, all threads.', ({ process }) => one(process.cpuSeconds)),
  gauge('process_resident_memory_bytes', 'Memory of the process.', ({ process }) => one(process.residentBytes)),
  gauge('process_start_time_seconds', 'When it was started.', ({ process, now }) =>
    one(Math.round(now / 1000 - process.uptimeSeconds)),
  ),
  gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript.', ({ process }) => one(process.heapBytes)),
  gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of timers in the last whole minute.', ({ process }) =>
    one(process.lag.meanSeconds),
  ),
  gauge('nodejs_eventloop_lag_p99_seconds', 'The same, 99th percentile.', ({ process }) => one(process.lag.p99Seconds)),
  gauge('nodejs_eventloop_lag_max_seconds', 'The same, longest.', ({ process }) => one(process.lag.maxSeconds)),
]

export const processFamilies = (figures: ReadProcess): readonly MetricFamily[] => familiesOf(PROCESS, figures)

/** `grinpay_ready` reports a failing part; the other metrics stay valid. */
export const unread = (): undefined => undefined

/** In bytes; `reserve`: what is kept for a full disk. */
interface WatchedDisk extends DiskSpace {
  readonly reserve: number
}

export interface OperatingMetrics {
  readonly daemon: DaemonName
  readonly version: string
  /** Undefined: they could not be asked. */
  readonly checks: readonly (Check & { readonly name: string })[] | undefined
  /** Undefined: it could not be read. */
  readonly disk: WatchedDisk | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

const OPERATING: readonly Metric<OperatingMetrics>[] = [
  gauge('grinpay_build_info', 'Always 1.', ({ version, daemon }) => [{ labels: { version, daemon }, value: 1 }]),
  gauge('grinpay_daemon_ready', 'Whether /ready would answer 200.', ({ daemon, checks }) => [
    { labels: { daemon }, value: checks?.every(({ ok, informative }) => ok || informative === true) ?? false },
  ]),
  gauge('grinpay_ready', 'Whether this part is well.', ({ checks }) =>
    (checks ?? []).map(({ name, ok }) => ({ labels: { check: name }, value: ok })),
  ),
  gauge('grinpay_disk_free_bytes', 'Room that is left on the disk of the database.', ({ disk }) => one(disk?.free)),
  gauge('grinpay_disk_size_bytes', 'Size of that disk.', ({ disk }) => one(disk?.size)),
  gauge('grinpay_disk_reserve_bytes', 'Kept for a full disk. 0: given back, or none yet.', ({ disk }) =>
    one(disk?.reserve),
  ),
  gauge('grinpay_time_seconds', "This machine's clock, as epoch seconds.", ({ now }) => one(now / 1000)),
]

export const operatingFamilies = (figures: OperatingMetrics): readonly MetricFamily[] => familiesOf(OPERATING, figures)

/** Of the database's disk; undefined when it cannot be read. */
export const readDisk = (dbPath: string): Promise<WatchedDisk | undefined> =>
  diskSpace(dirname(dbPath)).then(
    (space) => ({ ...space, reserve: reservedBytes(dbPath) }),
    () => undefined,
  )
