// The paste form: takes the payer's slatepack and shows our reply, or says on the same page what is wrong with it.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, parseBody } from '../../http/index.js'
import { GrinpayError } from '../../lib/errors.js'
import type { PasteReply } from '../api.js'
import type { Invoice } from '../model.js'
import { pasteForm } from '../routes/requests.js'
import type { PasteView } from '../routes/views.js'
import { replyPage } from './checkout-model.js'
import { sentence, wantsJson } from './page-errors.js'
import { type CheckoutOptions, find, html, renderPage, shownOf, wordsFor } from './show.js'
import type { Words } from './texts/index.js'

type Paste = { Params: { token: string }; Querystring: { method?: unknown }; Body: unknown }

export const pasteRoute: FastifyPluginAsync<CheckoutOptions> = async (app, options) => {
  const { till, views, context } = options

  app.post<Paste>('/:token/slatepack', { onRequest: app.limits.paste }, async (request, reply) => {
    const { token } = request.params
    await find(till, token)
    const { slatepack } = parseBody(pasteForm, request.body)
    try {
      const answer = await till.pasteSlatepack(token, slatepack)
      if (wantsJson(request)) return pasteView(answer)
      return html(reply, await takenPage(await find(till, token), answer, wordsFor(request)))
    } catch (error) {
      if (!(error instanceof GrinpayError) || error.status === 404) throw error
      return refuse(error, slatepack, request, reply)
    }
  })

  /** Our S2 to carry back; after an I2 there is nothing left for the payer to do. */
  async function takenPage(invoice: Invoice, { slatepack, payment }: PasteReply, words: Words): Promise<string> {
    const reader = { words, asked: undefined }
    if (payment.id === invoice.slateId) return renderPage(options, invoice, reader)
    return views.render('checkout/reply', replyPage(await shownOf(till, invoice, reader), context, slatepack))
  }

  /** Beside the form with the text still in it while it can be paid; 409 and 410 on the page as it now stands. */
  async function refuse(error: GrinpayError, pasted: string, request: FastifyRequest<Paste>, reply: FastifyReply) {
    const problem = beginProblem(error, request, reply)
    if (wantsJson(request)) return { ok: false, ...problem } satisfies PasteView
    const invoice = await find(till, request.params.token)
    const refusal = { text: sentence(error.message), fix: error.hint ? sentence(error.hint) : '', pasted }
    const asked = request.query.method === 'invoice' ? 'invoice' : 'slatepack'
    return html(reply, await renderPage(options, invoice, { words: wordsFor(request), asked, refusal }))
  }
}

const pasteView = ({ slatepack, payment, repeated }: PasteReply): PasteView => ({
  ok: true,
  slatepack,
  payment_id: payment.id,
  repeated,
})
