// The paste form: takes the payer's slatepack and shows our reply, or says on the same page what is wrong with it.
import type { FastifyRequest } from 'fastify'
import { beginProblem, ok, parseBody } from '../../http/index.js'
import { GrinpayError } from '../../lib/errors.js'
import type { PasteReply } from '../api.js'
import type { Invoice } from '../model.js'
import type { TillRequest } from '../routes/parts.js'
import { pasteForm } from '../routes/requests.js'
import { failing } from '../routes/responses.js'
import { type PasteView, pasteRefusalSchema, pasteSchema } from '../routes/schemas.js'
import { PASTE_TAB } from '../slatepack/rail.js'
import { replyPage } from './checkout-model.js'
import { wantsJson } from './page-errors.js'
import { refusalIn } from './refusals.js'
import {
  type CheckoutParts,
  type CheckoutRoute,
  findByToken,
  loadInvoicePage,
  readerOf,
  renderPage,
  sendHtml,
} from './show.js'

export const PASTE_SLATEPACK: CheckoutRoute = {
  method: 'post',
  path: '/pay/{token}/slatepack',
  id: 'pasteSlatepack',
  tag: 'checkout',
  summary: 'Give the till a slatepack, get its reply',
  description: 'Answers a page, or JSON with `Accept: application/json`. The same slatepack gets the same reply again.',
  body: { schema: pasteForm, contentType: 'application/x-www-form-urlencoded' },
  limit: 'paste',
  responses: {
    ...ok('The reply.', pasteSchema),
    ...failing(400, 404, 413, 415, 429, 503),
    409: {
      description: 'Another payment of the invoice is signed already, or it is paid.',
      schema: pasteRefusalSchema,
    },
    410: { description: 'The invoice has expired or was cancelled.', schema: pasteRefusalSchema },
    422: { description: 'The slatepack is refused; `error` says why.', schema: pasteRefusalSchema },
  },
  handler: (parts) => async (request, reply) => {
    const { token } = request.params
    await findByToken(parts.till, token)
    const { slatepack } = parseBody(pasteForm, request.body)
    try {
      const answer = await parts.till.pasteSlatepack(token, slatepack)
      if (wantsJson(request)) return pasteView(answer)
      return sendHtml(reply, await replyPageFor(await findByToken(parts.till, token), answer, request, parts))
    } catch (error) {
      if (!(error instanceof GrinpayError) || error.status === 404) throw error
      const problem = beginProblem(error, request, reply)
      if (wantsJson(request)) return { ok: false, ...problem } satisfies PasteView
      return sendHtml(reply, await refusalPage(error, slatepack, request, parts))
    }
  },
}

/** Our S2 for the payer's wallet; after an I2 nothing is left for the payer to do. */
async function replyPageFor(
  invoice: Invoice,
  { slatepack, payment }: PasteReply,
  request: FastifyRequest<TillRequest>,
  parts: CheckoutParts,
): Promise<string> {
  const { till, views, context } = parts
  const reader = { ...readerOf(request), wantedMethod: undefined }
  if (payment.id === invoice.slateId) return renderPage(parts, invoice, reader)
  return views.render('checkout/reply', replyPage(await loadInvoicePage(till, invoice, reader), context, slatepack))
}

/** The error beside the form with the text still in it while the invoice is open; 409 and 410 on the page of the invoice as it is now. */
async function refusalPage(
  error: GrinpayError,
  pasted: string,
  request: FastifyRequest<TillRequest>,
  parts: CheckoutParts,
): Promise<string> {
  const invoice = await findByToken(parts.till, request.params.token)
  const reader = readerOf(request)
  const refusal = { ...refusalIn(reader.translator, error), pasted }
  const wantedMethod =
    parts.context.tabs.find(({ id, form }) => form && id === request.query.method)?.id ?? PASTE_TAB.id
  return renderPage(parts, invoice, { ...reader, wantedMethod, refusal })
}

const pasteView = ({ slatepack, payment, repeated }: PasteReply): PasteView => ({
  ok: true,
  slatepack,
  payment_id: payment.id,
  repeated,
})
