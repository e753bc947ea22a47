// What every request of the console passes before its route: the host it names, its pace, who sent it, and whether the role may.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientKey } from '../../lib/ip-network.js'
import { consoleBusy, foreignForm, foreignHost, foreignPage, notSignedIn, roleMayNot } from '../errors.js'
import { isHiddenByProxy, isOwnForm, isOwnHost, isOwnReading } from '../sign-in/origin.js'
import { type Access, isAllowed } from '../sign-in/roles.js'
import type { SignedIn } from '../sign-in/sign-in.js'
import { type ConsoleContext, cookieOf, pathOf, visitorOf } from './context.js'

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Also of pages and files without sign-in: another name for this address is a page of a stranger (DNS rebinding). */
export const hostGuard =
  (context: ConsoleContext): Guard =>
  async ({ headers, method, url }) => {
    const { hosts } = context
    if (!isOwnHost(headers.host, hosts) || isHiddenByProxy(headers, hosts)) throw foreignHost(headers.host ?? '')
    if (method !== 'GET' && method !== 'HEAD') {
      if (!isOwnForm(headers, hosts)) throw foreignForm()
    } else if (!url.startsWith('/static/') && !isOwnReading(headers)) throw foreignPage()
  }

/** Runs before the body is read. `action` names what a refused role tried, for the audit log. */
export const guard =
  (context: ConsoleContext, least: Access, action?: string): Guard =>
  async (request, reply) => {
    const signedIn = await personOf(request, reply, context)
    const { session } = signedIn
    keepPace(context.pace.signedIn.delayMs(session.id), reply)
    context.people.set(request, signedIn)
    if (isAllowed(session.role, least)) return
    const refusal = roleMayNot(session.role)
    if (action !== undefined)
      await auditRefusal(context, signedIn, { action, object: pathOf(request), code: refusal.code })
    throw refusal
  }

/** Throws CONSOLE_NOT_SIGNED_IN; those who are not may ask as often as one session may. */
async function personOf(request: FastifyRequest, reply: FastifyReply, context: ConsoleContext): Promise<SignedIn> {
  try {
    return await context.signIn.require(cookieOf(request, context), visitorOf(request))
  } catch (thrown) {
    if (notSignedIn.is(thrown)) keepPace(context.pace.strangers.delayMs(clientKey(visitorOf(request).address)), reply)
    throw thrown
  }
}

function keepPace(delayMs: number, reply: FastifyReply): void {
  if (delayMs === 0) return
  reply.header('retry-after', Math.ceil(delayMs / 1000))
  throw consoleBusy()
}

export interface Refusal {
  readonly action: string
  readonly object: string
  readonly code: string
}

/** An attempt that was refused before it began. */
export async function auditRefusal(
  { store, clock }: ConsoleContext,
  { session }: SignedIn,
  { action, object, code }: Refusal,
): Promise<void> {
  const at = clock.now()
  const { name: person, role, id } = session
  const entry = await store.beginAudit({
    at,
    person,
    role,
    session: id,
    action,
    object: object.slice(0, 200),
    values: {},
  })
  await store.endAudit(entry, { at, outcome: `refused: ${code}` })
}

/** The person behind a request that passed its guard. */
export function signedInOf(request: FastifyRequest, { people }: ConsoleContext): SignedIn {
  const signedIn = people.get(request)
  if (!signedIn) throw notSignedIn()
  return signedIn
}
