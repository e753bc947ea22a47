// The till that makes the invoices: whether it answers, and takes our token.

import { createPaymentService } from '../../client/index.js'
import { PATIENCE_MS } from '../ask.js'
import { failed, pass } from '../finding.js'
import type { NameCheck } from './context.js'

/** An invoice that no till has. */
const NOBODYS = '00000000-0000-4000-8000-000000000000'

export const payCheck: NameCheck = {
  name: 'pay',
  limitMs: 15_000,
  applies: ({ sale }) => sale !== undefined,
  async run({ config: { pay } }) {
    if (!pay) return []
    const service = createPaymentService({ baseUrl: pay.url, token: pay.token, timeoutMs: PATIENCE_MS })
    try {
      await service.readInvoice(NOBODYS)
      return [pass(`${pay.url} answers, and takes our token`)]
    } catch (thrown) {
      const remedy = 'check NAMEAUTH_PAY_URL, and that NAMEAUTH_PAY_TOKEN is PAY_API_TOKEN of that till'
      return [{ ...failed(thrown, remedy), remedy }]
    }
  },
}
