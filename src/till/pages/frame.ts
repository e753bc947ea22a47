// The status frame: its request is kept open until there is news, so a payer reads it within a second without scripts.
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Till } from '../api.js'
import type { Invoice } from '../model.js'
import { framePage } from './checkout-model.js'
import { createHeldFrames } from './held-frames.js'
import { type CheckoutOptions, find, html } from './show.js'
import { seenKey } from './status-text.js'

type Frame = { Params: { token: string }; Querystring: { page?: string; seen?: string } }

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
    const waits = query.seen === seenKey(invoice) && request.method === 'GET'
    const news = waits ? await frames.hold(app.addressOf(request.raw), waitForNews(till, invoice, reply)) : invoice
    const now = news ?? invoice
    const page = framePage(now, context, {
      shownPage: /^[a-z]{4,9}$/.exec(query.page ?? '')?.[0] ?? invoice.status,
      waitSeconds: news ? AGAIN : AGAIN_LATER,
      broadcast: await isBroadcast(till, now),
    })
    reply.header('content-security-policy', context.site.framePolicy)
    return html(reply, views.render('checkout/status', page))
  })
}

/** Whether the payment of a paid, not yet mined invoice is in the network already. */
async function isBroadcast(till: Till, { status, confirmations, paymentId }: Invoice): Promise<boolean> {
  if (status !== 'paid' || confirmations > 0 || paymentId === null) return false
  return (await till.findPayment(paymentId))?.settlement === 'seen'
}

/** Waits until the till has news, the time is over, the payer went away or the daemon ends. */
function waitForNews(till: Till, invoice: Invoice, reply: FastifyReply) {
  return (over: AbortController): Promise<Invoice> => {
    reply.raw.once('close', () => over.abort())
    return till.changed(invoice, HOLD_MS, over.signal)
  }
}
