// What `sandbox pay` may be given: a checkout address of this sandbox, or an invoice id.
import { badTarget } from './errors.js'

const INVOICE_ID = /^[0-9a-f]{32}$/

/** The checkout address to pay at. Throws SANDBOX_BAD_TARGET, and what `lookUp` throws for an unknown id. */
export async function payTargetOf(
  target: unknown,
  url: string,
  lookUp: (invoiceId: string) => Promise<string>,
): Promise<string> {
  if (typeof target !== 'string' || target === '') throw badTarget('nothing')
  if (INVOICE_ID.test(target)) return lookUp(target)
  // Another till would take the play money's slate and wait for ever.
  if (!target.startsWith(`${url}/pay/`)) throw badTarget(target.slice(0, 100))
  return target.replace(/[?#].*$/, '').replace(/\/+$/, '')
}
