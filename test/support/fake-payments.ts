// An invoicing service in memory that a test drives: it counts what it is asked, forgets nothing, and may be slow or away.
import type { BoughtInvoice, InvoiceState, PaymentService } from '../../src/authority/index.js'

type Order = Parameters<PaymentService['createInvoice']>[0]

export interface FakePayments extends PaymentService {
  readonly orders: Order[]
  /** Ids of invoices that were read, in order. */
  readonly reads: string[]
  readonly states: Map<string, InvoiceState>
  /** While set, every request fails with this text. */
  down: string | undefined
  /** While set, no invoices are made. */
  isFull: boolean
  /** Every request waits for this first. */
  gate: Promise<void>
  /** The most requests that were under way at once. */
  readonly busiest: number
  set(invoiceId: string, status: string, more?: Partial<InvoiceState>): void
}

/** As our till does with Idempotency-Key, the same order gets the first invoice again. */
export function createFakePayments(): FakePayments {
  const byOrder = new Map<string, BoughtInvoice>()
  const busy = { now: 0, most: 0 }

  async function answering<T>(answer: () => T): Promise<T> {
    busy.now += 1
    busy.most = Math.max(busy.most, busy.now)
    await service.gate
    busy.now -= 1
    if (service.down !== undefined) throw new Error(service.down)
    return answer()
  }

  const service: FakePayments = {
    orders: [],
    reads: [],
    states: new Map(),
    down: undefined,
    isFull: false,
    gate: Promise.resolve(),
    get busiest() {
      return busy.most
    },
    set: (invoiceId, status, more = {}) => void service.states.set(invoiceId, { status, ...more }),
    createInvoice(order) {
      service.orders.push(order)
      return answering(() => {
        if (service.isFull) throw new Error('HTTP 500')
        const known = byOrder.get(order.orderRef)
        if (known) return { ...known, ...service.states.get(known.invoiceId) }
        const invoiceId = `inv${byOrder.size + 1}`
        const invoice = { invoiceId, payUrl: `https://pay.example/pay/${invoiceId}`, status: 'open' }
        byOrder.set(order.orderRef, invoice)
        service.set(invoiceId, 'open')
        return invoice
      })
    },
    readInvoice(invoiceId) {
      service.reads.push(invoiceId)
      return answering(() => service.states.get(invoiceId) ?? 'gone')
    },
  }
  return service
}
