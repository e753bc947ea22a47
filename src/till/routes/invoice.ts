// Create and read invoices, with the API token.
import type { FastifyPluginAsync } from 'fastify'
import { bodyDigest, createInFlight, idempotencyKeyOf, type Json, parseBody, requireBearer } from '../../http/index.js'
import { invoiceNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { invoiceView } from './print.js'
import { createInvoiceBody, createInvoiceOf } from './requests.js'
import type { InvoiceView } from './views.js'

export const invoiceRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, view, apiTokens }) => {
  const onRequest = [app.limits.api, requireBearer('api', apiTokens)]
  const oneAtATime = createInFlight()

  app.post<{ Body: Json }>('/invoice', { onRequest }, async ({ body, headers }, reply): Promise<InvoiceView> => {
    const key = idempotencyKeyOf(headers['idempotency-key'])
    const request = createInvoiceOf(parseBody(createInvoiceBody, body))
    if (key === undefined) return invoiceView((await till.createInvoice(request)).invoice, view)

    const { invoice, replayed } = await oneAtATime(key, () =>
      till.createInvoice(request, { key, digest: bodyDigest(body) }),
    )
    if (replayed) reply.header('idempotent-replayed', 'true')
    return invoiceView(invoice, view)
  })

  app.get<{ Params: { id: string } }>('/invoice/:id', { onRequest }, async ({ params }): Promise<InvoiceView> => {
    const invoice = await till.findInvoice(params.id)
    if (!invoice) throw invoiceNotFound()
    return invoiceView(invoice, view)
  })
}
