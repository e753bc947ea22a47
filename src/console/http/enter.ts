// Signing in by link, and signing out. The link's own page changes nothing, so that a preview of a chat does not spend it; its form does.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleBusy, foreignForm } from '../errors.js'
import { cookieWith, cookieWithout } from '../sign-in/cookie.js'
import { isSeal, sealOf } from '../sign-in/tokens.js'
import { type ConsoleContext, cookieOf, cookiePlaceOf, visitorOf } from './context.js'
import { rawForm } from './form.js'
import { guard, signedInOf } from './guard.js'
import { sendInvitation } from './passkeys.js'
import { SIGN_OUT } from './person.js'
import { TOKEN_FIELD } from './ui.js'

interface WithToken {
  readonly Params: { readonly token: string }
}

const ENTER = '/enter/:token'
const PER_MINUTE = { looking: 60, entering: 10 }

export function mountEnter(app: FastifyInstance, context: ConsoleContext): void {
  const limit = (max: number) => app.slidingLimit({ max, windowSeconds: 60 }, consoleBusy)
  app.get<WithToken>(ENTER, { onRequest: limit(PER_MINUTE.looking) }, async (request, reply) => {
    const { token } = request.params
    const link = await context.signIn.checkLink(token)
    if (link.purpose === 'passkey') return sendInvitation(request, reply, context, { link, token })
    const { name, role } = link
    const body = context.frame.view('sign-in/enter', { name, role, action: `/console/enter/${token}` })
    return context.frame.send(reply, { content: { body }, page: { path: ENTER, title: 'Sign in', frame: 'bare' } })
  })
  app.post<WithToken>(ENTER, { onRequest: limit(PER_MINUTE.entering) }, async (request, reply) => {
    const signedIn = await context.signIn.enter(request.params.token, visitorOf(request), cookieOf(request, context))
    reply.header('set-cookie', cookieWith(signedIn.cookie, cookiePlaceOf(request, context)))
    return welcome(reply, context)
  })
  app.post(SIGN_OUT, { onRequest: guard(context, 'anyone') }, (request, reply) => signOut(request, reply, context))
}

/** A page that leads on by itself, not a redirect: a browser that came from elsewhere would not send the new cookie along. */
function welcome(reply: FastifyReply, { frame }: ConsoleContext): FastifyReply {
  reply.header('refresh', '0; url=/console/')
  const body = frame.view('sign-in/welcome', {})
  return frame.send(reply, { content: { body }, page: { path: ENTER, title: 'Signed in', frame: 'bare' } })
}

async function signOut(request: FastifyRequest, reply: FastifyReply, context: ConsoleContext): Promise<FastifyReply> {
  const { session, cookie } = signedInOf(request, context)
  const page = { path: SIGN_OUT, title: 'Signed out', frame: 'bare' } as const
  const { [TOKEN_FIELD]: given = '' } = rawForm(request.body)
  if (isSeal(given, sealOf(cookie, 'form', SIGN_OUT))) {
    const { store, clock } = context
    const [{ id, name: person, role }, at] = [session, clock.now()]
    const action = 'session.leave'
    const entry = await store.beginAudit({ at, person, role, session: id, action, object: id, values: {} })
    await store.endSession(id, { at, by: person })
    await store.endAudit(entry, { at, outcome: 'done' })
    reply.header('set-cookie', cookieWithout(cookiePlaceOf(request, context)))
    return context.frame.send(reply, { content: { body: context.frame.view('sign-in/out', {}) }, page })
  }
  throw foreignForm()
}
