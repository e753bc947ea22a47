// Passkeys over HTTP: a page to sign in, the page of an invitation, and the three answers that their script asks for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleBusy, linkUnusable, passkeysElsewhere } from '../errors.js'
import type { Link } from '../ports.js'
import { cookieWith } from '../sign-in/cookie.js'
import { type RelyingParty, relyingPartyOf } from '../sign-in/origin.js'
import { refuseLink, type SignedIn } from '../sign-in/sign-in.js'
import { type ConsoleContext, cookiePlaceOf, visitorOf } from './context.js'
import { rawForm } from './form.js'

const PER_MINUTE = 20
const MAX_ANSWER = 16_384

const SIGN_IN = { path: '/sign-in', title: 'Sign in', frame: 'bare', scripts: ['passkey.js'] } as const
const INVITATION = { path: '/enter/:token', title: 'Welcome', frame: 'bare', scripts: ['passkey.js'] } as const

export function mountPasskeys(app: FastifyInstance, context: ConsoleContext): void {
  const { passkeys, frame, signIn } = context
  const onRequest = app.slidingLimit({ max: PER_MINUTE, windowSeconds: 60 }, consoleBusy)

  app.get(SIGN_IN.path, async (request, reply) => {
    const possible = partyOf(request, context) !== undefined
    return frame.send(reply, { content: { body: frame.view('sign-in/passkey', { possible }) }, page: SIGN_IN })
  })
  app.post('/passkey/options', { onRequest }, async (request, reply) => {
    const { link = '' } = rawForm(request.body)
    const party = requireParty(request, context)
    if (link === '') return reply.send(await passkeys.authentication(party))
    const invitation = await signIn.checkLink(link)
    if (invitation.purpose !== 'passkey') throw linkUnusable(refuseLink('unknown'))
    return reply.send(await passkeys.registration(invitation, party))
  })
  app.post('/passkey/register', { onRequest }, async (request, reply) => {
    const { link = '', answer = '' } = rawForm(request.body)
    const party = requireParty(request, context)
    return signedIn(request, reply, await passkeys.register(link, short(answer), party, visitorOf(request)))
  })
  app.post('/passkey/sign-in', { onRequest }, async (request, reply) => {
    const { answer = '' } = rawForm(request.body)
    const party = requireParty(request, context)
    return signedIn(request, reply, await passkeys.signIn(short(answer), party, visitorOf(request)))
  })

  function signedIn(request: FastifyRequest, reply: FastifyReply, { cookie }: SignedIn): FastifyReply {
    return reply.header('set-cookie', cookieWith(cookie, cookiePlaceOf(request, context))).send({ to: '/console/' })
  }
}

/** The page of an invitation: it makes a passkey, which cannot be without a script. */
export function sendInvitation(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ConsoleContext,
  { link: { name, role }, token }: { readonly link: Link; readonly token: string },
): FastifyReply {
  const { frame } = context
  const data = { name, role, token, possible: partyOf(request, context) !== undefined }
  return frame.send(reply, { content: { body: frame.view('sign-in/invitation', data) }, page: INVITATION })
}

/** An answer of a browser has one or two kilobytes. */
const short = (answer: string): string => (answer.length <= MAX_ANSWER ? answer : '')

const partyOf = ({ headers: { host } }: FastifyRequest, { hosts }: ConsoleContext): RelyingParty | undefined =>
  relyingPartyOf(host, hosts)

function requireParty(request: FastifyRequest, context: ConsoleContext): RelyingParty {
  const party = partyOf(request, context)
  if (!party) throw passkeysElsewhere()
  return party
}
