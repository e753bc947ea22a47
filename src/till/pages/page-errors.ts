// Errors as pages: what happened and what to do, never a stack and never JSON, unless JSON was asked for.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, type ErrorView, preference, sendProblem, type Views } from '../../http/index.js'
import type { CheckoutContext } from './checkout-model.js'

interface Notice {
  readonly heading: string
  readonly texts: readonly string[]
}

/** By status; the texts follow the error's own text unless it stands alone. */
const NOTICES: Readonly<Record<number, (problem: ErrorView) => Notice>> = {
  400: ({ error }) => ({ heading: 'That did not work', texts: [`${sentence(error)} Go back and try again.`] }),
  404: () => ({
    heading: 'There is no such payment',
    texts: [
      'The link is not complete, or it belongs to another till.',
      'Open the payment link again where you got it: in the shop, or in the message from the shop. Copy it whole.',
    ],
  }),
  405: () => ({ heading: 'That is not possible here', texts: ['Open the payment link of the shop again.'] }),
  413: () => ({
    heading: 'That text is too long',
    texts: ['A slatepack has a few thousand characters. Copy only the text from BEGINSLATEPACK to ENDSLATEPACK.'],
  }),
  415: () => ({
    heading: 'That form is not understood',
    texts: ['Paste the slatepack as text into the field of the payment page; files are not taken.'],
  }),
  429: () => ({
    heading: 'One moment, please',
    texts: ['There were many requests from your address. Wait a minute, then go back and try again.'],
  }),
}

function unexpected({ status, code, error, hint }: ErrorView): Notice {
  if (code !== 'INTERNAL')
    return {
      heading: status >= 500 ? 'Not possible right now' : 'That did not work',
      texts: [error, ...(hint === undefined ? [] : [hint])].map(sentence),
    }
  return {
    heading: 'The till has a problem',
    texts: ['Nothing was charged. Try again in a minute; if it stays like this, tell the shop.'],
  }
}

/** An error text as a sentence of its own. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** Whether the caller wants JSON rather than a page. */
export const wantsJson = ({ headers }: FastifyRequest): boolean =>
  Math.max(preference(headers.accept, 'application/json'), preference(headers.accept, 'application/problem+json')) >
  preference(headers.accept, 'text/html')

export function pageErrors({ views, context }: { readonly views: Views; readonly context: CheckoutContext }) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (wantsJson(request)) return sendProblem(error, request, reply)
    const problem = beginProblem(error, request, reply)
    const notice = (NOTICES[problem.status] ?? unexpected)(problem)
    const token = tokenOf(request)
    const page = {
      ...notice,
      site: context.site,
      title: `${notice.heading} – Grin payment`,
      wide: false,
      back: token !== undefined && problem.status !== 404 ? `${context.site.mount}/pay/${token}` : null,
    }
    return reply.type('text/html; charset=utf-8').send(views.render('checkout/message', page))
  }
}

/** Only what has the form of a token goes back into a link. */
const tokenOf = ({ params }: FastifyRequest): string | undefined =>
  typeof params === 'object' && params !== null && 'token' in params && typeof params.token === 'string'
    ? /^[\w-]{43}$/.exec(params.token)?.[0]
    : undefined
