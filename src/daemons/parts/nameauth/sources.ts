// What the authority asks of others: the till that makes its invoices, and the Grin nodes that see the payments of sales.
// Their clients are loaded only where they are wanted: most authorities start without either.
import type { KernelSource, PaymentService } from '../../../authority/index.js'
import type { TipRules } from '../../../chain/index.js'
import type { NamesConfig } from '../../../config/index.js'
import { GrinpayError } from '../../../lib/errors.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Check, Part } from '../../runtime.js'
import type { NameNetwork } from './network.js'
import { createWatch, PROBE_TIMEOUT_MS } from './watched.js'

interface Surroundings {
  readonly clock: SystemClock
  readonly log: SystemLog
  /** Of a public chain unless given. */
  readonly tipRules?: TipRules | undefined
  readonly network?: NameNetwork | undefined
}

interface Source<T> {
  readonly source: T
  readonly part: Part
}

/** An invoice that no till has: reading it takes the token and changes nothing. */
const NO_INVOICE = '0'.repeat(32)

/** A till that is away comes back by itself; one that refuses the token refuses every order until the settings change. */
function faultOfAccess(thrown: unknown): Check['fault'] {
  if (!(thrown instanceof GrinpayError)) return undefined
  if (thrown.status === 401 || thrown.status === 403) return REFUSED
  return thrown.code === 'TOKEN_NOT_CONFIGURED' ? CLOSED : undefined
}

const REFUSED: Check['fault'] = {
  reason: 'the till refuses the API token',
  hint: 'set NAMEAUTH_PAY_TOKEN_FILE (in relay.toml pay.api_token_file) to a file with PAY_API_TOKEN of that till, then restart',
}
const CLOSED: Check['fault'] = {
  reason: 'the till has no API token and takes no orders',
  hint: 'set PAY_API_TOKEN of the till, give the same token to the name authority, then restart both',
}

export async function openPayments(
  { sale, pay }: NamesConfig,
  around: Surroundings,
): Promise<Source<PaymentService> | undefined> {
  if (!sale || !pay) return undefined
  const { createPaymentService } = await import('../../../client/index.js')
  const { transport } = around.network ?? {}
  const access = { baseUrl: pay.url, token: pay.token, ...(transport && { transport }) }
  const service = createPaymentService(access)
  const probed = createPaymentService({ ...access, timeoutMs: PROBE_TIMEOUT_MS })
  const watch = createWatch('the till that makes the invoices', {
    ...around,
    probe: () => probed.readInvoice(NO_INVOICE),
    faultOf: faultOfAccess,
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
  const { createKernelSource } = await import('../../../chain/index.js')
  const { fetch } = around.network ?? {}
  const nodes = createKernelSource({
    ...{ urls: transfers.nodeUrls, clock: around.clock, rules: around.tipRules },
    ...(fetch && { fetch }),
  })
  const watch = createWatch('every Grin node', { ...around, probe: () => nodes.tip() })
  return {
    source: { kernel: (excess) => watch.asking(nodes.kernel(excess)), tip: () => watch.asking(nodes.tip()) },
    part: { name: 'node', start: async () => {}, stop: async () => nodes.close(), check: watch.check },
  }
}
