// The payer's pages: HTML without scripts. A page never reloads itself: what changes lives in a frame, which waits for news and
// then reloads itself. Beside a form the frame holds only the status, so a reload never loses what the payer typed.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  beginProblem,
  type ErrorView,
  mountRoute,
  noSuchRoute,
  ok,
  parseBody,
  preference,
  readFormBodies,
  sendProblem,
  type Views,
} from '../../http/index.js'
import { GrinpayError } from '../../lib/errors.js'
import type { PasteReply } from '../api.js'
import type { Invoice } from '../model.js'
import { TAB_IDS } from '../rails.js'
import { failing, okPage, type TillRequest } from '../routes/parts.js'
import { pasteForm } from '../routes/requests.js'
import { type PasteView, pasteRefusalSchema, pasteSchema } from '../routes/schemas.js'
import { PASTE_TAB } from '../slatepack/rail.js'
import { type CheckoutContext, pageBase, replyPage } from './checkout-model.js'
import { SHOW_STATUS_FRAME } from './frame.js'
import { refusalIn } from './refusals.js'
import {
  type CheckoutParts,
  type CheckoutRoute,
  findByToken,
  loadInvoicePage,
  readerOf,
  renderPage,
  sendHtml,
  translatorFor,
} from './show.js'
import type { TextKey } from './texts/en.js'
import type { Translator } from './texts/index.js'

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

// Errors as pages: what happened and what to do, never a stack and never JSON, unless the client asked for JSON.

interface Notice {
  readonly heading: TextKey
  readonly texts: readonly TextKey[]
  /** The texts follow what is wrong, by the code of the error. */
  readonly withError?: true
}

const INTERNAL: Notice = { heading: 'tillProblem', texts: ['tillProblemFix'] }

/** By status. */
const NOTICES: Readonly<Record<number, Notice>> = {
  400: { heading: 'didNotWork', texts: ['goBack'], withError: true },
  404: { heading: 'noSuchPayment', texts: ['noSuchPaymentWhy', 'noSuchPaymentFix'] },
  405: { heading: 'notPossibleHere', texts: ['openLinkAgain'] },
  413: { heading: 'tooLong', texts: ['tooLongFix'] },
  415: { heading: 'formNotUnderstood', texts: ['formNotUnderstoodFix'] },
  429: { heading: 'oneMoment', texts: ['oneMomentFix'] },
}

function noticeFor({ status, code }: ErrorView): Notice {
  if (code === 'INTERNAL') return INTERNAL
  return NOTICES[status] ?? { heading: status >= 500 ? 'notNow' : 'didNotWork', texts: [], withError: true }
}

/** Whether the caller wants JSON rather than a page. */
const wantsJson = ({ headers }: FastifyRequest): boolean =>
  Math.max(preference(headers.accept, 'application/json'), preference(headers.accept, 'application/problem+json')) >
  preference(headers.accept, 'text/html')

function pageErrors({ views, context }: { readonly views: Views; readonly context: CheckoutContext }) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (wantsJson(request)) return sendProblem(error, request, reply)
    const problem = beginProblem(error, request, reply)
    // What ends by itself is asked for again by the page.
    const seconds = reply.getHeader('retry-after')
    if (request.method === 'GET' && problem.status === 503 && seconds !== undefined) reply.header('refresh', seconds)
    const notice = noticeFor(problem)
    const translator = translatorFor(request)
    const token = tokenOf(request)
    const heading = translator.text(notice.heading)
    const page = {
      ...pageBase(context.site, translator),
      heading,
      texts: [
        ...(notice.withError ? reasonsOf(error, problem, translator) : []),
        ...notice.texts.map((key) => translator.text(key)),
      ],
      title: `${heading} – ${translator.text('brand')}`,
      back: token !== undefined && problem.status !== 404 ? `${context.site.mount}/pay/${token}` : null,
    }
    return reply.type('text/html; charset=utf-8').send(views.render('checkout/message', page))
  }
}

/** What happened, and what to do about it. */
function reasonsOf(error: unknown, { code, status, error: message, hint }: ErrorView, translator: Translator) {
  const values = error instanceof GrinpayError ? error.values : undefined
  const { text, fix } = refusalIn(translator, { code, status, message, hint, values })
  return fix === '' ? [text] : [text, fix]
}

/** Only what has the form of a token goes back into a link. */
const tokenOf = ({ params }: FastifyRequest): string | undefined =>
  typeof params === 'object' && params !== null && 'token' in params && typeof params.token === 'string'
    ? /^[\w-]{43}$/.exec(params.token)?.[0]
    : undefined

// The paste form: takes the payer's slatepack and shows our reply, or says on the same page what is wrong with it.

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
