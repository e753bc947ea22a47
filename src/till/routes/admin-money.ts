// The operator's view of invoices and payments, with the admin token.
import type { FastifyPluginAsync } from 'fastify'
import { type Json, parseBody, parseQuery, requireBearer } from '../../http/index.js'
import type { RouteParts } from './parts.js'
import { invoiceView, paymentRecordView, statusView } from './print.js'
import { idQuery, invoiceListQuery, isTrue, limitOf, matchPaymentBody, paymentListQuery, timeOf } from './requests.js'
import type {
  IdListView,
  InvoiceListView,
  InvoiceView,
  PaymentListView,
  PaymentRecordView,
  StatusView,
} from './views.js'

type WithId = { Params: { id: string } }

export const adminMoneyRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, view, adminTokens, version }) => {
  const onRequest = [app.limits.api, requireBearer('admin', adminTokens)]

  app.get('/admin/invoices', { onRequest }, async ({ query }): Promise<InvoiceListView> => {
    const { status, order_ref, from, to, limit, cursor } = parseQuery(invoiceListQuery, query)
    const page = await till.listInvoices({
      limit: limitOf(limit, 50),
      ...(status && { status }),
      ...(order_ref !== undefined && { orderRef: order_ref }),
      ...(from !== undefined && { from: timeOf(from) }),
      ...(to !== undefined && { to: timeOf(to) }),
      ...(cursor !== undefined && { cursor }),
    })
    return { invoices: page.items.map((invoice) => invoiceView(invoice, view)), next_cursor: page.next }
  })

  app.post<WithId>('/admin/invoices/:id/cancel', { onRequest }, async ({ params }): Promise<InvoiceView> => {
    return invoiceView(await till.cancelInvoice(params.id), view)
  })

  app.get('/admin/payments', { onRequest }, async ({ query }): Promise<PaymentListView> => {
    const { unmatched, status, limit, cursor } = parseQuery(paymentListQuery, query)
    const page = await till.listPayments({
      limit: limitOf(limit, 200),
      ...(isTrue(unmatched) && { unmatched: true }),
      ...(status && { settlement: status }),
      ...(cursor !== undefined && { cursor }),
    })
    return {
      payments: page.items.map((payment) => paymentRecordView(payment, view.confirmations)),
      next_cursor: page.next,
    }
  })

  app.post<WithId & { Body: Json }>(
    '/admin/payments/:id/match',
    { onRequest },
    async ({ params, body }): Promise<PaymentRecordView> => {
      const { invoice_id } = parseBody(matchPaymentBody, body)
      return paymentRecordView(await till.assignPayment(params.id, invoice_id), view.confirmations)
    },
  )

  app.post<WithId>('/admin/payments/:id/resend', { onRequest }, async ({ params }): Promise<PaymentRecordView> => {
    return paymentRecordView(await till.resendReply(params.id), view.confirmations)
  })

  app.get('/admin/ids', { onRequest }, async ({ query }): Promise<IdListView> => {
    const { kind, prefix } = parseQuery(idQuery, query)
    return { ids: await till.findIds(kind, prefix) }
  })

  app.get('/admin/status', { onRequest }, async (): Promise<StatusView> => {
    const [status, balance, today] = await Promise.all([till.status(), till.balance(), till.today()])
    return statusView(status, { balance, today }, { version, chain: till.settings.chain, publicUrl: view.publicUrl })
  })
}
