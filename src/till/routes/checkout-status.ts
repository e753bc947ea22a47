// The small status JSON for shops' own pages: no API token, no payment id.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { mountRoute, ok, routerPath } from '../../http/index.js'
import { invoiceNotFound } from '../errors.js'
import { failing, type TillRoute, type TillRouteParts } from './parts.js'
import { checkoutStatusView } from './print.js'
import { type CheckoutStatusView, checkoutStatusSchema } from './schemas.js'

export interface CheckoutStatusOptions extends TillRouteParts {
  /** Sites whose scripts may read it from a browser, e.g. `https://shop.example`. */
  readonly statusOrigins: readonly string[]
}

/** Seconds that a browser caches the answer to a preflight. */
const PREFLIGHT_AGE = '600'

export const READ_CHECKOUT_STATUS: TillRoute = {
  method: 'get',
  path: '/pay/{token}/status',
  id: 'readCheckoutStatus',
  tag: 'checkout',
  summary: 'The status for a shop’s own page',
  responses: { ...ok('Where the payment stands.', checkoutStatusSchema), ...failing(404, 429) },
  handler:
    ({ till, view }) =>
    async ({ params }): Promise<CheckoutStatusView> => {
      const invoice = await till.findByToken(params.token)
      if (!invoice) throw invoiceNotFound()
      return checkoutStatusView(invoice, view.confirmations)
    },
}

export const checkoutStatusRoute: FastifyPluginAsync<CheckoutStatusOptions> = async (app, parts) => {
  const allowed = new Set(parts.statusOrigins)

  /** Allows the origin of the request when it is listed; `Vary` says that the answer depends on it. */
  function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean {
    if (allowed.size === 0) return false
    reply.header('vary', 'Origin')
    if (origin === undefined || !allowed.has(origin)) return false
    reply.header('access-control-allow-origin', origin)
    return true
  }

  // Before the limit, so that a script of the shop can read a 429 too.
  mountRoute(app, READ_CHECKOUT_STATUS, parts, [
    (request, reply, done) => {
      allowOrigin(request, reply)
      done()
    },
    app.limits.pages,
  ])

  if (allowed.size > 0)
    app.options(routerPath(READ_CHECKOUT_STATUS.path), { onRequest: app.limits.pages }, async (request, reply) => {
      if (allowOrigin(request, reply))
        reply
          .header('access-control-allow-methods', 'GET, HEAD')
          .header('access-control-allow-headers', 'Accept, Content-Type')
          .header('access-control-max-age', PREFLIGHT_AGE)
      return reply.code(204).send()
    })
}
