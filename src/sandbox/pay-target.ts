// What `sandbox pay` may be given: a checkout address of this sandbox, or an invoice id.
import { badTarget } from './errors.js'

const INVOICE_ID = /^[0-9a-f]{32}$/

/** The id of the invoice to pay; `idAt` asks a checkout address for it. Throws SANDBOX_BAD_TARGET, and what `idAt` throws. */
export async function invoiceIdOf(
  target: unknown,
  url: string,
  idAt: (payUrl: string) => Promise<string>,
): Promise<string> {
  if (typeof target !== 'string' || target === '') throw badTarget('nothing')
  if (INVOICE_ID.test(target)) return target
  // Another till would take the play money's slate and wait for ever.
  if (!target.startsWith(`${url}/pay/`)) throw badTarget(target.slice(0, 100))
  return idAt(target.replace(/[?#].*$/, '').replace(/\/+$/, ''))
}
