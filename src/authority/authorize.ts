// Who sent a request, and that it was not sent before (specification: names, 5).
import { checkHttpAuth, MAX_AHEAD_SECONDS } from '../nostr/http-auth/index.js'
import type { Authority, AuthorityLoop, AuthoritySettings } from './api.js'
import { notAuthorized } from './errors.js'
import type { AuthRecords, Clock } from './ports.js'

/** How long a used id is kept beyond the last moment at which its event would be accepted. */
const AUTH_MARGIN_SECONDS = 60
const FORGET_EVERY_MS = 60_000
/** From one pass to the next; what takes longer is no passing of time. */
const LONGEST_ROUND_MS = 2 * FORGET_EVERY_MS
const FORGET_BATCH = 500
/** Of batches per pass: what is left waits for the next one. */
const MOST_BATCHES = 40

interface AuthorizeParts {
  readonly store: AuthRecords
  readonly clock: Pick<Clock, 'now'>
  readonly settings: Pick<AuthoritySettings, 'baseUrl' | 'authMaxAgeSeconds'>
}

/**
 * The eleven checks of specification names, 5: ten that need nobody, then the record that no copy of the request gets past. The record
 * is durable before the request does anything: one that a crash cut off in between has done nothing, and has to be signed anew.
 */
export function createAuthorize({ store, clock, settings }: AuthorizeParts): Authority['authorize'] {
  const maxAge = settings.authMaxAgeSeconds
  return async ({ authorization, method, path, body }) => {
    const now = Math.floor(clock.now() / 1000)
    const proven = checkHttpAuth({ authorization, method, url: settings.baseUrl + path, body, now, maxAge })
    if ('refusal' in proven) throw notAuthorized(proven.refusal)
    const forgetAt = (proven.createdAt + maxAge + MAX_AHEAD_SECONDS + AUTH_MARGIN_SECONDS) * 1000
    if ((await store.recordAuth(proven.id, forgetAt)) === 'replayed') throw notAuthorized('auth event replayed')
    return { pubkey: proven.pubkey }
  }
}

/**
 * Drops the ids of events that are too old to be used again, in batches that hold the write lock briefly. A clock that jumped ahead
 * may be set right again, and then those events count anew: nothing is dropped before they are over by any clock.
 */
export function createForgetting(
  store: AuthRecords,
  clock: Pick<Clock, 'now'>,
  { authMaxAgeSeconds }: Pick<AuthoritySettings, 'authMaxAgeSeconds'>,
): AuthorityLoop {
  const passesOfAnEvent = Math.ceil(((authMaxAgeSeconds + MAX_AHEAD_SECONDS) * 1000) / FORGET_EVERY_MS)
  let last: number | undefined
  let waiting = 0

  function mayForget(now: number): boolean {
    const hasJumped = last !== undefined && now - last > LONGEST_ROUND_MS
    last = now
    waiting = hasJumped ? passesOfAnEvent : Math.max(0, waiting - 1)
    return waiting === 0
  }

  return {
    name: 'spent-authorisations',
    everyMs: FORGET_EVERY_MS,
    async pass() {
      const now = clock.now()
      if (!mayForget(now)) return
      for (let batch = 0; batch < MOST_BATCHES; batch++)
        if ((await store.forgetAuths(now, FORGET_BATCH)) < FORGET_BATCH) return
    },
  }
}
