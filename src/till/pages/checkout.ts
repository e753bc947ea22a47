// The payer's pages: HTML without any script. The page itself never reloads; where the payment stands is told by a
// frame inside it that waits for news and then loads itself again, so nothing that was typed is ever lost.
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { noSuchRoute } from '../../http/index.js'
import type { Till } from '../api.js'
import type { Invoice } from '../model.js'
import { framePage } from './checkout-model.js'
import { createHeldFrames } from './held-frames.js'
import { pageErrors } from './page-errors.js'
import { pasteRoute } from './paste.js'
import { type CheckoutOptions, find, html, renderPage } from './show.js'
import { seenKey } from './status-text.js'

type Page = { Params: { token: string }; Querystring: { method?: string; page?: string; seen?: string } }

const HOLD_MS = 25_000
/** After news or a full wait: at once. When there was no room to wait: later. */
const AGAIN = 1
const AGAIN_LATER = 10

/** Register with the prefix `/pay`. */
export const checkoutPages: FastifyPluginAsync<CheckoutOptions> = async (app, options) => {
  const { till, views, context } = options
  const onRequest = app.limits.pages
  const frames = createHeldFrames()
  app.addHook('preClose', async () => frames.end())
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', context.site.pagePolicy)
    done()
  })
  const showError = pageErrors(options)
  app.setErrorHandler(showError)
  app.setNotFoundHandler((request, reply) => showError(noSuchRoute(request, reply), request, reply))

  app.get<Page>('/:token', { onRequest }, async ({ params, query }, reply) => {
    const invoice = await find(till, params.token)
    return html(reply, renderPage(options, invoice, query.method))
  })

  app.get<Page>('/:token/frame', { onRequest }, async (request, reply) => {
    const { params, query } = request
    const invoice = await find(till, params.token)
    const waits = query.seen === seenKey(invoice) && request.method === 'GET'
    const news = waits ? await frames.hold(app.addressOf(request.raw), waitForNews(till, invoice, reply)) : invoice
    const shownPage = /^[a-z]{4,9}$/.exec(query.page ?? '')?.[0] ?? invoice.status
    reply.header('content-security-policy', context.site.framePolicy)
    const page = framePage(news ?? invoice, context, { shownPage, waitSeconds: news ? AGAIN : AGAIN_LATER })
    return html(reply, views.render('checkout/status', page))
  })

  app.post<Page>('/:token/requote', { onRequest: app.limits.paste }, async ({ params }, reply) => {
    await find(till, params.token)
    await till.requote(params.token)
    return reply.redirect(`${context.site.mount}/pay/${params.token}`, 303)
  })

  await app.register(pasteRoute, { till, views, context })
}

/** Waits until the till has news, the time is over, the payer went away or the daemon ends. */
function waitForNews(till: Till, invoice: Invoice, reply: FastifyReply) {
  return (ending: AbortSignal): Promise<Invoice> => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    return till.changed(invoice, HOLD_MS, AbortSignal.any([ending, gone.signal]))
  }
}
