// The figures that every daemon has and that alerts are about (templates/alerts).
import { dirname } from 'node:path'
import type { MetricFamily } from '../../http/index.js'
import { type DiskSpace, diskSpace } from '../../system/index.js'
import type { Check } from '../runtime.js'
import { familiesOf, gauge, type Metric, one } from './metrics.js'

export interface OperatingMetrics {
  readonly daemon: 'pay' | 'nameauth' | 'relay'
  readonly version: string
  /** Undefined: they could not be asked. */
  readonly checks: readonly (Check & { readonly name: string })[] | undefined
  /** Undefined: it could not be read. */
  readonly disk: DiskSpace | undefined
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
  gauge('grinpay_time_seconds', "This machine's clock, as epoch seconds.", ({ now }) => one(now / 1000)),
]

export const operatingFamilies = (figures: OperatingMetrics): readonly MetricFamily[] => familiesOf(OPERATING, figures)

/** Of the database's disk; undefined when it cannot be read. */
export const readDisk = (dbPath: string): Promise<DiskSpace | undefined> =>
  diskSpace(dirname(dbPath)).catch(() => undefined)
