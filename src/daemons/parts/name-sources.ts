// What the authority asks of others: the till that makes its invoices, and the Grin nodes that see the payments of sales.
// Their clients are loaded only where they are wanted: most authorities start without either.
import type { KernelSource, PaymentService } from '../../authority/index.js'
import type { NamesConfig } from '../../config/index.js'
import type { Log } from '../../system/index.js'
import type { Part } from '../runtime.js'
import { createWatch } from './watched.js'

interface Source<T> {
  readonly source: T
  readonly part: Part
}

export async function openPayments({ sale, pay }: NamesConfig, log: Log): Promise<Source<PaymentService> | undefined> {
  if (!sale || !pay) return undefined
  const { createPaymentService } = await import('../../client/index.js')
  const service = createPaymentService({ baseUrl: pay.url, token: pay.token })
  const watch = createWatch('the till that makes the invoices', log)
  return {
    source: {
      createInvoice: (order) => watch.asking(service.createInvoice(order)),
      readInvoice: (id) => watch.asking(service.readInvoice(id)),
    },
    part: { name: 'payments', start: async () => {}, stop: async () => {}, check: watch.check },
  }
}

export async function openKernels({ transfers }: NamesConfig, log: Log): Promise<Source<KernelSource> | undefined> {
  if (!transfers) return undefined
  const { createKernelSource } = await import('../../chain/index.js')
  const nodes = createKernelSource({ urls: transfers.nodeUrls })
  const watch = createWatch('every Grin node', log)
  return {
    source: { kernel: (excess) => watch.asking(nodes.kernel(excess)), tip: () => watch.asking(nodes.tip()) },
    part: { name: 'node', start: async () => {}, stop: async () => nodes.close(), check: watch.check },
  }
}
