// The frames of a page: a request stays open until there is news, so a payer sees it within a second without scripts.
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Till } from '../api.js'
import type { Invoice } from '../model.js'
import { failing, okPage } from '../routes/parts.js'
import { type CheckoutContext, framePage } from './checkout-model.js'
import { phaseOf, seenKey } from './phases.js'
import { type CheckoutRoute, findByToken, loadInvoicePage, readerOf, sendHtml } from './show.js'

const HOLD_MS = 25_000
/** Seconds until the frame reloads: after news or a full wait, and when there was no room to wait. */
const AGAIN = 1
const AGAIN_LATER = 10

const MAX_HELD = 2_000
const MAX_HELD_PER_CLIENT = 40

/** Frames that wait for news. Beyond the limits a frame is answered at once and asks again later, so no client holds all sockets. */
export function createHeldFrames() {
  const perClient = new Map<string, number>()
  // One controller per frame: a signal that others derive from keeps all of them alive.
  const waiting = new Set<AbortController>()
  let ended = false

  return {
    /** Runs `wait` if there is room, else returns undefined. Aborting the controller ends the wait. */
    async hold<T>(client: string, wait: (over: AbortController) => Promise<T>): Promise<T | undefined> {
      const own = perClient.get(client) ?? 0
      if (waiting.size >= MAX_HELD || own >= MAX_HELD_PER_CLIENT || ended) return undefined
      const over = new AbortController()
      waiting.add(over)
      perClient.set(client, own + 1)
      try {
        return await wait(over)
      } finally {
        waiting.delete(over)
        const left = (perClient.get(client) ?? 1) - 1
        if (left === 0) perClient.delete(client)
        else perClient.set(client, left)
      }
    },
    end(): void {
      ended = true
      for (const over of waiting) over.abort()
    },
  }
}

export const SHOW_STATUS_FRAME: CheckoutRoute = {
  method: 'get',
  path: '/pay/{token}/frame',
  id: 'showStatusFrame',
  tag: 'checkout',
  summary: 'The part of the checkout page that loads itself again',
  description: 'With `seen` it is held open for up to 25 seconds, until the status is another one.',
  query: z.object({
    view: z.enum(['card', 'status']).optional().describe('The whole card, or only the status beside a form.'),
    method: z.string().optional().describe('The tab to show on the card.'),
    copy: z.string().optional().describe('1: with the texts to copy.'),
    seen: z.string().optional().describe('Status and depth that the frame has shown, as `open.0`.'),
  }),
  limit: 'pages',
  responses: { ...okPage, ...failing(404, 429) },
  handler({ till, views, context }, app) {
    const frames = createHeldFrames()
    app.addHook('preClose', async () => frames.end())
    return async (request, reply) => {
      const { params, query } = request
      const invoice = await findByToken(till, params.token)
      const waits = request.method === 'GET' && query.seen === (await stateOf(till, invoice, context))
      const news = waits ? await frames.hold(app.addressOf(request.raw), waitForNews(till, invoice, reply)) : invoice
      const shown = await loadInvoicePage(till, news ?? invoice, readerOf(request))
      const { template, data } = framePage(shown, context, {
        view: query.view === 'status' ? 'status' : 'card',
        copy: query.copy === '1',
        waitSeconds: news ? AGAIN : AGAIN_LATER,
      })
      reply.header('content-security-policy', context.site.framePolicy)
      return sendHtml(reply, views.render(template, data))
    }
  },
}

/** The state that a frame shows now, in the form of `seen` in its address. */
async function stateOf(till: Till, invoice: Invoice, { can }: CheckoutContext): Promise<string> {
  const payment = invoice.paymentId === null ? undefined : await till.findPayment(invoice.paymentId)
  return seenKey(invoice, phaseOf(invoice, payment, can))
}

/** Waits until the till has news, the time is over, the payer disconnects or the daemon stops. */
function waitForNews(till: Till, invoice: Invoice, reply: FastifyReply) {
  return (over: AbortController): Promise<Invoice> => {
    reply.raw.once('close', () => over.abort())
    return till.changed(invoice, HOLD_MS, over.signal)
  }
}
