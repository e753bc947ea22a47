// The name authority's figures for Prometheus (NAMEAUTH_METRICS_BIND).
import type { Check, Part } from '../../runtime.js'
import { processFamilies } from '../metrics.js'
import { createMetricsListener, type MetricsListenerParts } from '../metrics-listener.js'
import { operatingFamilies, readDisk } from '../operating-metrics.js'

interface NameauthMetricsParts extends Omit<MetricsListenerParts, 'collect'> {
  readonly version: string
  readonly dbPath: string
  /** What the parts say of themselves. */
  readonly checks: () => Promise<readonly (Check & { readonly name: string })[]>
}

/** Listening throws ADDRESS_IN_USE. */
export const nameauthMetrics = ({ version, dbPath, checks, ...listener }: NameauthMetricsParts): Promise<Part> =>
  createMetricsListener({
    ...listener,
    collect: async (process) => [
      ...operatingFamilies({
        daemon: 'nameauth',
        version,
        checks: await checks().catch(() => undefined),
        disk: await readDisk(dbPath),
        now: process.now,
      }),
      ...processFamilies(process),
    ],
  })
