// The refusal for a key that has to pay first (specification: names, 9, "402 body").
import { formatGrin } from '../../grin/amount/index.js'
import { type GrinpayError, telling } from '../../lib/errors.js'
import { paymentRequired } from '../errors.js'
import type { Grant } from '../model.js'
import type { InvoiceState } from '../ports.js'

/** PAYMENT_REQUIRED with the invoice of the grant and its last polled state. */
export function paymentDue(grant: Grant, state: InvoiceState | 'gone' | undefined): GrinpayError {
  const { resource, invoiceId, payUrl, amount } = grant
  return telling(paymentRequired(), {
    resource,
    invoice_id: invoiceId,
    pay_url: payUrl,
    price_grin: formatGrin(amount),
    price_nanogrin: amount,
    currency: 'GRIN',
    ...(state !== undefined && state !== 'gone' && progressOf(state)),
  })
}

/** Not `status`: in RFC 9457 that is the HTTP status. */
const progressOf = ({ status, confirmations, confirmationsRequired, scan = {} }: InvoiceState) => ({
  invoice_status: status,
  ...(confirmations !== undefined && { confirmations }),
  ...(confirmationsRequired !== undefined && { confirmations_required: confirmationsRequired }),
  ...(scan.nprofile !== undefined && { nprofile: scan.nprofile }),
  ...(scan.payLink !== undefined && { pay_link: scan.payLink }),
  ...(scan.qrSvg !== undefined && { qr_svg: scan.qrSvg }),
})
