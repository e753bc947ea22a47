// The small status JSON for shops' own pages: no API token, no payment id.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { invoiceNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { checkoutStatusView } from './print.js'
import type { CheckoutStatusView } from './views.js'

export interface CheckoutStatusOptions extends RouteParts {
  /** Sites whose scripts may read it from a browser, e.g. `https://shop.example`. */
  readonly statusOrigins: readonly string[]
}

type WithToken = { Params: { token: string } }

/** Seconds that a browser remembers what a preflight allowed. */
const PREFLIGHT_AGE = '600'

export const checkoutStatusRoute: FastifyPluginAsync<CheckoutStatusOptions> = async (
  app,
  { till, view, statusOrigins },
) => {
  const allowed = new Set(statusOrigins)

  /** Names the origin of the request when it is listed, and says that the answer depends on it. */
  function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean {
    if (allowed.size === 0) return false
    reply.header('vary', 'Origin')
    if (origin === undefined || !allowed.has(origin)) return false
    reply.header('access-control-allow-origin', origin)
    return true
  }

  // Before the limits, so that a script of the shop can read a 429 too.
  const onRequest = [
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => void allowOrigin(request, reply),
    app.limits.pages,
  ]

  app.get<WithToken>('/pay/:token/status', { onRequest }, async ({ params }): Promise<CheckoutStatusView> => {
    const invoice = await till.findByToken(params.token)
    if (!invoice) throw invoiceNotFound()
    return checkoutStatusView(invoice, view.confirmations)
  })

  if (allowed.size > 0)
    app.options<WithToken>('/pay/:token/status', { onRequest: app.limits.pages }, async (request, reply) => {
      if (allowOrigin(request, reply))
        reply
          .header('access-control-allow-methods', 'GET, HEAD')
          .header('access-control-allow-headers', 'Accept, Content-Type')
          .header('access-control-max-age', PREFLIGHT_AGE)
      return reply.code(204).send()
    })
}
