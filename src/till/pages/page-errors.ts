// Errors as pages: what happened and what to do, never a stack and never JSON, unless the client asked for JSON.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, type ErrorView, preference, sendProblem, type Views } from '../../http/index.js'
import { GrinpayError } from '../../lib/errors.js'
import { type CheckoutContext, pageBase } from './checkout-model.js'
import { refusalIn } from './refusals.js'
import { translatorFor } from './show.js'
import type { Translator } from './texts/index.js'
import type { TextKey } from './texts/types.js'

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
export const wantsJson = ({ headers }: FastifyRequest): boolean =>
  Math.max(preference(headers.accept, 'application/json'), preference(headers.accept, 'application/problem+json')) >
  preference(headers.accept, 'text/html')

export function pageErrors({ views, context }: { readonly views: Views; readonly context: CheckoutContext }) {
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
