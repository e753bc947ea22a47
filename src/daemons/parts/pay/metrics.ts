// The till's figures for Prometheus (PAY_METRICS_BIND).
import type { Bind } from '../../../config/index.js'
import type { SystemClock, SystemRandom } from '../../../system/index.js'
import type { Till } from '../../../till/index.js'
import type { Check, Part } from '../../runtime.js'
import { type ReadProcess, readDisk, unread } from '../metrics.js'
import { createMetricsListener } from '../metrics-listener.js'
import { metricFamilies, type TillMetrics } from './till-metrics.js'

/** A till whose new and cancelled invoices are counted. */
export function countInvoices<T extends Pick<Till, 'createInvoice' | 'cancelInvoice'>>(till: T) {
  const counts = { created: 0, cancelled: 0 }
  const counted: T = {
    ...till,
    async createInvoice(...request: Parameters<Till['createInvoice']>) {
      const answer = await till.createInvoice(...request)
      if (!answer.replayed) counts.created++
      return answer
    },
    async cancelInvoice(id: string) {
      const invoice = await till.cancelInvoice(id)
      counts.cancelled++
      return invoice
    },
  }
  return { till: counted, counts: (): TillMetrics['invoices'] => ({ ...counts }) }
}

export interface MetricsPartParts {
  readonly bind: Bind
  readonly version: string
  readonly till: Pick<Till, 'status' | 'balance'>
  readonly invoices: () => TillMetrics['invoices']
  readonly dbPath: string
  /** What the parts say of themselves. */
  readonly checks: () => Promise<readonly (Check & { readonly name: string })[]>
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** Listening throws ADDRESS_IN_USE. */
export function createMetricsPart(parts: MetricsPartParts): Promise<Part> {
  const { bind, version, till, invoices, dbPath, checks, clock, random } = parts

  async function collect(process: ReadProcess) {
    const [status, balance, findings, disk] = await Promise.all([
      till.status().catch(unread),
      till.balance().catch(unread),
      checks().catch(unread),
      readDisk(dbPath),
    ])
    return metricFamilies({ version, status, balance, checks: findings, disk, invoices: invoices(), ...process })
  }

  return createMetricsListener({ bind, collect, clock, random })
}
