// `grinpay/client`: what a shop's own program needs of a till, and nothing of the daemon. The types here are a promise to those programs;
// they lean on nothing but the language.
export { GrinpayError as TillError } from '../../lib/errors.js'
export { type VerifyParts, verifyWebhook } from './events.js'
export { type ConnectParts, connectTill, nanogrin, type ShopTill } from './till.js'
export type {
  Invoice,
  InvoiceStatus,
  NewInvoice,
  PaymentConfirmed,
  PaymentReceived,
  ShopEvent,
  TestPing,
} from './types.js'
export { version } from './version.js'
