// The payer's pages: HTML without any script. A page never reloads itself; what changes lives in a frame that waits for news and
// then loads itself again. Where there is a form, the frame holds only the status, so nothing that was typed is ever lost.
import type { FastifyPluginAsync } from 'fastify'
import { noSuchRoute, readFormBodies } from '../../http/index.js'
import { frameRoute } from './frame.js'
import { pageErrors } from './page-errors.js'
import { pasteRoute } from './paste.js'
import { type CheckoutOptions, find, html, renderPage, wordsFor } from './show.js'

type Page = { Params: { token: string }; Querystring: { method?: unknown } }

/** Register with the prefix `/pay`. */
export const checkoutPages: FastifyPluginAsync<CheckoutOptions> = async (app, { till, views, context }) => {
  const options = { till, views, context } // without the prefix, which is already in force here
  readFormBodies(app)
  const showError = pageErrors(options)
  app.setErrorHandler(showError)
  app.setNotFoundHandler((request, reply) => showError(noSuchRoute(request, reply), request, reply))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'content-security-policy': context.site.pagePolicy, vary: 'Accept-Language' })
    done()
  })

  app.get<Page>('/:token', { onRequest: app.limits.pages }, async (request, reply) => {
    const { params, query } = request
    const asked = typeof query.method === 'string' ? query.method : undefined
    const invoice = await find(till, params.token)
    return html(reply, await renderPage(options, invoice, { words: wordsFor(request), asked }))
  })

  app.post<Page>('/:token/requote', { onRequest: app.limits.paste }, async ({ params }, reply) => {
    await find(till, params.token)
    await till.requote(params.token)
    return reply.redirect(`${context.site.mount}/pay/${params.token}`, 303)
  })

  await app.register(frameRoute, options)
  await app.register(pasteRoute, options)
}
