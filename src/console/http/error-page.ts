// Errors as pages: what happened, that nothing was changed, and what to do. Programs that ask for JSON get JSON.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, preference, sendProblem } from '../../http/index.js'
import type { ConsoleContext } from './context.js'
import { personFor } from './person.js'

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** By status; others are refusals of what was asked. */
const HEADINGS: Readonly<Record<number, string>> = {
  401: 'Please sign in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible here',
  410: 'This link does not work',
  413: 'Too long',
  415: 'The form was not understood',
  421: 'Wrong address',
  429: 'One moment',
}

/** What the framework of the server says, in words for a page. */
const WORDS: Readonly<Record<string, { readonly text: string; readonly hint: string }>> = {
  NOT_FOUND: { text: 'there is no such page', hint: 'it may have been removed, or the address is not complete' },
  INTERNAL: {
    text: 'the daemon met a fault while it made this page',
    hint: 'its log says more, under the request below',
  },
  METHOD_NOT_ALLOWED: { text: 'this address takes a form of the console only', hint: 'go back and use the page' },
}

/** A hint may end with a command, which is shown by itself so that it can be copied. */
function partsOf(hint: string): { readonly hint: string | null; readonly command: string | null } {
  const [, before, command] = /^(?:(.+): )?(grinpay [^;]+)$/.exec(hint) ?? []
  if (command === undefined) return { hint: sentence(hint), command: null }
  return { hint: before === undefined ? null : `${sentence(before).slice(0, -1)}:`, command }
}

const headingOf = (status: number): string =>
  HEADINGS[status] ?? (status >= 500 ? 'This does not work right now' : 'That did not work')

const wantsJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  preference(accept, 'application/json') > preference(accept, 'text/html')

export const errorPages =
  ({ frame, people }: ConsoleContext) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (wantsJson(request)) return sendProblem(error, request, reply)
    const problem = beginProblem(error, request, reply)
    const { status, code } = problem
    const { text, hint } = WORDS[code] ?? { text: problem.error, hint: problem.hint }
    const signedIn = people.get(request)
    const heading = headingOf(status)
    const body = frame.view('parts/problem', {
      heading,
      bare: !signedIn,
      text: sentence(text),
      ...(hint !== undefined && partsOf(hint)),
      code,
      requestId: status >= 500 ? request.id : null,
      unchanged: request.method !== 'GET' && status < 500,
      back: signedIn || status === 404 ? '/console/' : null,
      signIn: status === 401,
    })
    const page = { path: '', title: heading, ...(signedIn ? {} : { frame: 'bare' as const }) }
    return frame.send(reply, { content: { body, status }, page, person: signedIn && personFor(signedIn) })
  }
