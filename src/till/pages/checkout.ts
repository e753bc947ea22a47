// The payer's pages: HTML without any script. The page itself never reloads; where the payment stands is told by a
// frame inside it that waits for news and then loads itself again, so nothing that was typed is ever lost.
import type { FastifyPluginAsync } from 'fastify'
import { noSuchRoute, readFormBodies } from '../../http/index.js'
import { frameRoute } from './frame.js'
import { pageErrors } from './page-errors.js'
import { pasteRoute } from './paste.js'
import { type CheckoutOptions, find, html, renderPage } from './show.js'

type Page = { Params: { token: string }; Querystring: { method?: string } }

/** Register with the prefix `/pay`. */
export const checkoutPages: FastifyPluginAsync<CheckoutOptions> = async (app, { till, views, context }) => {
  const options = { till, views, context } // without the prefix, which is already in force here
  readFormBodies(app)
  const showError = pageErrors(options)
  app.setErrorHandler(showError)
  app.setNotFoundHandler((request, reply) => showError(noSuchRoute(request, reply), request, reply))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', context.site.pagePolicy)
    done()
  })

  app.get<Page>('/:token', { onRequest: app.limits.pages }, async ({ params, query }, reply) =>
    html(reply, await renderPage(options, await find(till, params.token), query)),
  )

  app.post<Page>('/:token/requote', { onRequest: app.limits.paste }, async ({ params }, reply) => {
    await find(till, params.token)
    await till.requote(params.token)
    return reply.redirect(`${context.site.mount}/pay/${params.token}`, 303)
  })

  await app.register(frameRoute, options)
  await app.register(pasteRoute, options)
}
