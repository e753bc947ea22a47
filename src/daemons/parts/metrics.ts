// How figures of a daemon are written down: one table each, and the rows that every process has.
import type { MetricFamily, MetricSample } from '../../http/index.js'
import type { ProcessFigures } from '../../system/index.js'

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
  gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of timers since the last reading.', ({ process }) =>
    one(process.lag.meanSeconds),
  ),
  gauge('nodejs_eventloop_lag_p99_seconds', 'The same, 99th percentile.', ({ process }) => one(process.lag.p99Seconds)),
  gauge('nodejs_eventloop_lag_max_seconds', 'The same, longest.', ({ process }) => one(process.lag.maxSeconds)),
]

export const processFamilies = (figures: ReadProcess): readonly MetricFamily[] => familiesOf(PROCESS, figures)

/** `grinpay_ready` reports a failing part; the other metrics stay valid. */
export const unread = (): undefined => undefined
