// The frames: a request is kept open until there is news, so a payer reads it within a second without scripts.
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Till } from '../api.js'
import type { Invoice } from '../model.js'
import { framePage } from './checkout-model.js'
import { createHeldFrames } from './held-frames.js'
import { phaseOf, seenKey } from './phases.js'
import { type CheckoutOptions, find, html, shownOf, wordsFor } from './show.js'

type Frame = { Params: { token: string }; Querystring: Readonly<Record<string, unknown>> }

const HOLD_MS = 25_000
/** Seconds until it asks again: after news or a full wait, and when there was no room to wait. */
const AGAIN = 1
const AGAIN_LATER = 10

export const frameRoute: FastifyPluginAsync<CheckoutOptions> = async (app, { till, views, context }) => {
  const frames = createHeldFrames()
  app.addHook('preClose', async () => frames.end())

  app.get<Frame>('/:token/frame', { onRequest: app.limits.pages }, async (request, reply) => {
    const { params, query } = request
    const invoice = await find(till, params.token)
    const waits = request.method === 'GET' && query.seen === (await stateOf(till, invoice))
    const news = waits ? await frames.hold(app.addressOf(request.raw), waitForNews(till, invoice, reply)) : invoice
    const asked = typeof query.method === 'string' ? query.method : undefined
    const shown = await shownOf(till, news ?? invoice, { words: wordsFor(request), asked })
    const { template, data } = framePage(shown, context, {
      view: query.view === 'status' ? 'status' : 'card',
      copy: query.copy === '1',
      waitSeconds: news ? AGAIN : AGAIN_LATER,
    })
    reply.header('content-security-policy', context.site.framePolicy)
    return html(reply, views.render(template, data))
  })
}

/** What a frame would show now, as `seen` of its address. */
async function stateOf(till: Till, invoice: Invoice): Promise<string> {
  const payment = invoice.paymentId === null ? undefined : await till.findPayment(invoice.paymentId)
  return seenKey(invoice, phaseOf(invoice, payment))
}

/** Waits until the till has news, the time is over, the payer went away or the daemon ends. */
function waitForNews(till: Till, invoice: Invoice, reply: FastifyReply) {
  return (over: AbortController): Promise<Invoice> => {
    reply.raw.once('close', () => over.abort())
    return till.changed(invoice, HOLD_MS, over.signal)
  }
}
