// The small status JSON for shops' own pages: no API token, no payment id.
import type { FastifyPluginAsync } from 'fastify'
import { invoiceNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { checkoutStatusView } from './print.js'
import type { CheckoutStatusView } from './views.js'

export interface CheckoutStatusOptions extends RouteParts {
  /** Sites whose scripts may read it from a browser, e.g. `https://shop.example`. */
  readonly statusOrigins: readonly string[]
}

export const checkoutStatusRoute: FastifyPluginAsync<CheckoutStatusOptions> = async (
  app,
  { till, view, statusOrigins },
) => {
  const allowed = new Set(statusOrigins)

  app.get<{ Params: { token: string } }>(
    '/pay/:token/status',
    { onRequest: app.limits.pages },
    async ({ params, headers }, reply): Promise<CheckoutStatusView> => {
      const { origin } = headers
      if (allowed.size > 0) reply.header('vary', 'Origin')
      if (origin !== undefined && allowed.has(origin)) reply.header('access-control-allow-origin', origin)
      const invoice = await till.findByToken(params.token)
      if (!invoice) throw invoiceNotFound()
      return checkoutStatusView(invoice, view.confirmations)
    },
  )
}
