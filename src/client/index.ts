export type { AttemptView, DeliveryView, InvoiceView, PaymentRecordView, StatusView } from '../till/index.js'
export { daemonTimeout, daemonUnreachable, tokenMissing } from './errors.js'
export {
  type ClientParts,
  createInvoicingClient,
  type InvoicingClient,
  type ListQuery,
  type NewInvoice,
} from './invoicing-client.js'
export { createPaymentService, type PaymentServiceParts } from './payment-service.js'
export { createPolicyAuthority } from './policy-authority.js'
export { type FindIds, type IdKind, wholeId } from './short-id.js'
export { type HeaderValues, refusalOf, type SignedRequest } from './signatures.js'
export { type HttpAnswer, type HttpRequest, httpTransport, type Transport } from './transport.js'
export {
  createWebhookReceiver,
  type ReceivedEvent,
  type ReceiverParts,
  type WebhookReceiver,
} from './webhook-receiver.js'
