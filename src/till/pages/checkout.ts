// The payer's pages: HTML without scripts. A page never reloads itself: what changes lives in a frame, which waits for news and
// then reloads itself. Beside a form the frame holds only the status, so a reload never loses what the payer typed.
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { mountRoute, noSuchRoute, readFormBodies } from '../../http/index.js'
import { TAB_IDS } from '../rails.js'
import { failing, okPage } from '../routes/responses.js'
import { SHOW_STATUS_FRAME } from './frame.js'
import { pageErrors } from './page-errors.js'
import { PASTE_SLATEPACK } from './paste.js'
import { type CheckoutParts, type CheckoutRoute, findByToken, readerOf, renderPage, sendHtml } from './show.js'

export const SHOW_CHECKOUT: CheckoutRoute = {
  method: 'get',
  path: '/pay/{token}',
  id: 'showCheckout',
  tag: 'checkout',
  summary: 'The checkout page, HTML without scripts',
  query: z.object({ method: z.enum(TAB_IDS).optional().describe('The tab to show.') }),
  limit: 'pages',
  responses: { ...okPage, ...failing(404, 429) },
  handler: (parts) => async (request, reply) => {
    const invoice = await findByToken(parts.till, request.params.token)
    return sendHtml(reply, await renderPage(parts, invoice, readerOf(request)))
  },
}

export const REQUOTE: CheckoutRoute = {
  method: 'post',
  path: '/pay/{token}/requote',
  id: 'requote',
  tag: 'checkout',
  summary: 'A new price for an expired fiat invoice',
  limit: 'paste',
  responses: {
    303: { description: 'Back to the page.', headers: { Location: 'The checkout page.' } },
    ...failing(404, 409, 415, 429, 502),
  },
  handler:
    ({ till, context }) =>
    async ({ params: { token } }, reply) => {
      await findByToken(till, token)
      await till.requote(token)
      return reply.redirect(`${context.site.mount}/pay/${token}`, 303)
    },
}

/** A page of an invoice, written with slashes at the end as some shops and mail programs add them. */
const SLASHED = /^(\/pay\/[\w-]{43}(?:\/[a-z]{1,20})?)\/{1,8}(\?.{0,2000})?$/

/** Register with the prefix `/pay`. */
export const checkoutPages: FastifyPluginAsync<CheckoutParts> = async (app, { till, views, context }) => {
  const parts = { till, views, context }
  readFormBodies(app)
  const showError = pageErrors(parts)
  app.setErrorHandler(showError)
  app.setNotFoundHandler((request, reply) => {
    const [, path, query = ''] = SLASHED.exec(request.url) ?? []
    if (path !== undefined) return reply.redirect(`${context.site.mount}${path}${query}`, 308)
    return showError(noSuchRoute(request, reply), request, reply)
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'content-security-policy': context.site.pagePolicy, vary: 'Accept-Language' })
    done()
  })
  for (const route of [SHOW_CHECKOUT, SHOW_STATUS_FRAME, PASTE_SLATEPACK, REQUOTE])
    mountRoute(app, route, parts, [app.limits[route.limit]])
}
