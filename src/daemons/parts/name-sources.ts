// What the authority asks of others: the till that makes its invoices, and the Grin nodes that see the payments of sales.
// Their clients are loaded only where they are wanted: most authorities start without either.
import type { KernelSource, PaymentService } from '../../authority/index.js'
import type { NamesConfig } from '../../config/index.js'
import type { Clock, Log } from '../../system/index.js'
import type { Part } from '../runtime.js'
import { createWatch, probeHealth } from './watched.js'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
}

interface Source<T> {
  readonly source: T
  readonly part: Part
}

export async function openPayments(
  { sale, pay }: NamesConfig,
  around: Surroundings,
): Promise<Source<PaymentService> | undefined> {
  if (!sale || !pay) return undefined
  const { createPaymentService } = await import('../../client/index.js')
  const service = createPaymentService({ baseUrl: pay.url, token: pay.token })
  const watch = createWatch('the till that makes the invoices', {
    ...around,
    probe: (signal) => probeHealth(`${pay.url}/health`, signal),
  })
  return {
    source: {
      createInvoice: (order) => watch.asking(service.createInvoice(order)),
      readInvoice: (id) => watch.asking(service.readInvoice(id)),
    },
    part: { name: 'payments', start: async () => {}, stop: async () => {}, check: watch.check },
  }
}

export async function openKernels(
  { transfers }: NamesConfig,
  around: Surroundings,
): Promise<Source<KernelSource> | undefined> {
  if (!transfers) return undefined
  const { createKernelSource } = await import('../../chain/index.js')
  const nodes = createKernelSource({ urls: transfers.nodeUrls })
  const watch = createWatch('every Grin node', { ...around, probe: () => nodes.tip() })
  return {
    source: { kernel: (excess) => watch.asking(nodes.kernel(excess)), tip: () => watch.asking(nodes.tip()) },
    part: { name: 'node', start: async () => {}, stop: async () => nodes.close(), check: watch.check },
  }
}
