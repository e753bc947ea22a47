// Bounds concurrent requests to the invoicing service.
import type { PaymentService } from '../ports.js'

/** Enough for any sale; a service that does not answer must not hold a socket for each of a hundred thousand keys. */
const MOST_CALLS = 256

/** The same service; it rejects calls above the limit. */
export function limitCalls(payments: PaymentService, most = MOST_CALLS): PaymentService {
  let underWay = 0

  async function limited<T>(call: () => Promise<T>): Promise<T> {
    if (underWay >= most) throw new Error(`${most} requests to the invoicing service are under way already`)
    underWay += 1
    try {
      return await call()
    } finally {
      underWay -= 1
    }
  }

  return {
    createInvoice: (order) => limited(() => payments.createInvoice(order)),
    readInvoice: (invoiceId) => limited(() => payments.readInvoice(invoiceId)),
  }
}
