// What the routes of one console share.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Views } from '../../http/index.js'
import type { Clock } from '../../lib/ports.js'
import { createSlidingWindow, type SlidingWindow } from '../../lib/rate-limiter.js'
import type { ConsoleArea, PageRequest } from '../area.js'
import { badField } from '../errors.js'
import type { ConsoleStore } from '../ports.js'
import { createChallenges } from '../sign-in/challenges.js'
import { type CookiePlace, readCookie } from '../sign-in/cookie.js'
import { type ConsoleHosts, isSecureHost, portOf } from '../sign-in/origin.js'
import { createPasskeys, type Passkeys } from '../sign-in/passkeys.js'
import { createSignIn, type SignedIn, type SignIn, type Visitor } from '../sign-in/sign-in.js'
import { type ConsoleSite, createFrame, type Frame } from './frame.js'
import { createUi } from './ui.js'

export interface ConsoleOptions {
  readonly store: ConsoleStore
  readonly areas: readonly ConsoleArea[]
  readonly site: ConsoleSite
  readonly hosts: ConsoleHosts
  /** Of `openViews(templatesOf('console'))`. */
  readonly views: Views
  readonly clock: Clock
  readonly random: { bytes(length: number): Uint8Array }
}

export interface ConsoleContext extends ConsoleOptions {
  readonly signIn: SignIn
  readonly passkeys: Passkeys
  readonly frame: Frame
  /** Requests per minute, by session; of those without one, by address. */
  readonly pace: { readonly signedIn: SlidingWindow; readonly strangers: SlidingWindow }
  /** Who sent a request; set before its route runs. */
  readonly people: WeakMap<FastifyRequest, SignedIn>
}

const MINUTE = 60_000
const PER_MINUTE = 120

export function createContext(options: ConsoleOptions): ConsoleContext {
  const { views, site, areas, clock } = options
  const terms = { limit: PER_MINUTE, windowMs: MINUTE }
  return {
    ...options,
    signIn: createSignIn(options),
    passkeys: createPasskeys({ ...options, challenges: createChallenges(options), siteName: site.name }),
    frame: createFrame(views, site, areas),
    pace: { signedIn: createSlidingWindow(terms, clock), strangers: createSlidingWindow(terms, clock) },
    people: new WeakMap(),
  }
}

export const cookiePlaceOf = ({ headers: { host } }: FastifyRequest, { hosts }: ConsoleContext): CookiePlace => ({
  secure: isSecureHost(host, hosts),
  port: portOf(host),
})

export const cookieOf = (request: FastifyRequest, context: ConsoleContext): string | undefined =>
  readCookie(request.headers.cookie, cookiePlaceOf(request, context))

const MAX_BROWSER = 120

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.server.addressOf(request.raw),
  browser: (request.headers['user-agent'] ?? '').slice(0, MAX_BROWSER),
})

/** The path of a request below `/console`, as a form's action names it. */
export const pathOf = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? '').slice('/console'.length)

/** Aborted when the client has gone. */
function signalOf(reply: FastifyReply): AbortSignal {
  const over = new AbortController()
  reply.raw.once('close', () => over.abort())
  return over.signal
}

/** Parameters of a path or a query, each given once. Throws CONSOLE_FIELD. */
function plainValues(values: unknown): Readonly<Record<string, string>> {
  const plain: Record<string, string> = Object.create(null)
  if (typeof values !== 'object' || values === null) return plain
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw badField(`"${name.slice(0, 40)}" is in the address twice`)
    plain[name] = value
  }
  return plain
}

/** What a page or an action sees of a request. */
export function pageRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ConsoleContext,
  signedIn: SignedIn,
): PageRequest {
  const { session } = signedIn
  const now = context.clock.now()
  const ui = createUi({ views: context.views, signedIn, now })
  return {
    person: { name: session.name, role: session.role, session: session.id },
    params: plainValues(request.params),
    query: plainValues(request.query),
    now,
    signal: signalOf(reply),
    view: (name, data) => context.frame.view(name, { ...data, ui }),
  }
}
