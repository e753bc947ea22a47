// Who asks: from a link to a session, and from a cookie to a person. Every request looks the session up, so ending one works at once.
import type { Clock } from '../../lib/ports.js'
import { linkUnusable, notSignedIn } from '../errors.js'
import type { ConsoleStore, Link, LinkPurpose, Session } from '../ports.js'
import { INVITATION_MS, LINK_MS, linkState, sessionState, TOUCH_MS } from './lifetimes.js'
import type { Role } from './roles.js'
import { hashOf, newSessionId, newToken } from './tokens.js'

export interface SignInParts {
  readonly store: ConsoleStore
  readonly clock: Pick<Clock, 'now'>
  readonly random: { bytes(length: number): Uint8Array }
}

/** Where a request comes from, for the list of sessions. */
export interface Visitor {
  readonly address: string
  readonly browser: string
}

/** A signed-in request. The cookie's value seals forms and never leaves the process. */
export interface SignedIn {
  readonly session: Session
  readonly cookie: string
}

export type SignIn = ReturnType<typeof createSignIn>

const WHY = {
  unknown: 'this link does not work: it is not complete, or it was made for another till',
  spent: 'this link was used already; each link signs in once',
  expired: 'this link has expired; links are good for one minute',
  ahead: 'the clock of this machine was set back: links made before do not work',
} as const

/** Why a link does not work, for its reader. */
export const refuseLink = (state: keyof typeof WHY): string => WHY[state]

export function createSignIn({ store, clock, random }: SignInParts) {
  return {
    /** Throws CONSOLE_LINK_UNUSABLE with the reason. Changes nothing. */
    async checkLink(token: string): Promise<Link> {
      const link = await store.findLink(hashOf(token))
      const state = link ? linkState(link, clock.now()) : 'unknown'
      if (!link || state === 'unknown') throw linkUnusable(WHY.unknown)
      if (state !== 'good') throw linkUnusable(WHY[state])
      return link
    },
    /** Spends the link. A session that the browser had before ends. Throws CONSOLE_LINK_UNUSABLE. */
    async enter(token: string, visitor: Visitor, former: string | undefined): Promise<SignedIn> {
      const [cookie, now] = [newToken(random), clock.now()]
      const opened = { id: newSessionId(random), hash: hashOf(cookie), now, ...visitor }
      const session = await store.spendLink(hashOf(token), opened)
      if (typeof session === 'string') throw linkUnusable(WHY[session])
      const old = former === undefined ? undefined : await store.findSession(hashOf(former))
      if (old?.endedAt === null) await store.endSession(old.id, { at: now, by: session.name })
      return { session, cookie }
    },
    /** Throws CONSOLE_NOT_SIGNED_IN. */
    async require(cookie: string | undefined, visitor: Visitor): Promise<SignedIn> {
      const session = cookie === undefined ? undefined : await store.findSession(hashOf(cookie))
      const now = clock.now()
      if (cookie === undefined || !session || sessionState(session, now) !== 'live') throw notSignedIn()
      // A full disk must not hide the pages that say so: without the new time the session ends earlier, never later.
      if (now - session.usedAt >= TOUCH_MS)
        await store.touchSession(session.id, { usedAt: now, ...visitor }).catch(() => undefined)
      return { session, cookie }
    },
    /** Whether a session that was live is live still. */
    async isLive(cookie: string): Promise<boolean> {
      const session = await store.findSession(hashOf(cookie))
      return session !== undefined && sessionState(session, clock.now()) === 'live'
    },
  }
}

export interface WantedLink {
  readonly name: string
  readonly role: Role
  readonly purpose?: LinkPurpose
  /** Default: a minute, of an invitation a day. */
  readonly goodForMs?: number
}

/** A link for this person, and the token that opens it: shown once, never stored. */
export function newLink(
  { name, role, purpose = 'sign-in', goodForMs = purpose === 'passkey' ? INVITATION_MS : LINK_MS }: WantedLink,
  { clock, random }: Omit<SignInParts, 'store'>,
): { readonly token: string; readonly link: Link } {
  const [token, createdAt] = [newToken(random), clock.now()]
  const link = { hash: hashOf(token), name, role, purpose, createdAt, expiresAt: createdAt + goodForMs, spentAt: null }
  return { token, link }
}
