export type {
  AttemptView,
  CreateInvoiceBody,
  DeliveryView,
  InvoiceView,
  PaymentRecordView,
  ReportView,
  StatusView,
} from '../till/index.js'
export { daemonTimeout, daemonUnreachable, tokenMissing } from './errors.js'
export {
  createInvoicingClient,
  type InvoicingClient,
} from './invoicing-client.js'
export { createPaymentService } from './payment-service.js'
export { createPolicyAuthority } from './policy-authority.js'
export { wholeId } from './short-id.js'
export { refusalOf } from './signatures.js'
export { type HttpResponse, httpTransport, type Transport } from './transport.js'
export {
  createWebhookReceiver,
  type ReceivedEvent,
  type WebhookReceiver,
} from './webhook-receiver.js'
