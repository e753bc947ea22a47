// The name authority: its verbs, and the periodic work that a daemon runs for it.
import type { Clock, Log } from '../lib/ports.js'
import type { Secret } from '../lib/secret.js'
import { checkHttpAuth, MAX_AHEAD_SECONDS } from '../nostr/http-auth/index.js'
import type { Authority, AuthorityLoop, AuthoritySettings, Names } from './api.js'
import { notAuthorized } from './errors.js'
import { createNames } from './names/names.js'
import { createPaidAccess } from './paid/paid-access.js'
import type { AuthRecords, KernelSource, NameStore, PaymentService, PublicLookups } from './ports.js'
import { createTransfers } from './transfers/transfers.js'

export interface AuthorityParts {
  readonly store: NameStore
  /** Default: the store itself, whose answers are never old. */
  readonly lookups?: PublicLookups | undefined
  readonly clock: Clock
  readonly log: Log
  readonly settings: AuthoritySettings
  /** Required when `settings.sale`. */
  readonly payments?: PaymentService | undefined
  /** Undefined: the webhook does not exist. */
  readonly webhookSecret?: Secret | undefined
  /** Required when `settings.transfers`. */
  readonly kernels?: KernelSource | undefined
  /** False: the disk is full, and no name is claimed. Absent: the names are elsewhere. */
  readonly hasRoom?: (() => boolean) | undefined
}

/** Owns no timers and closes nothing: the daemon runs `loops` and closes the store. */
export function createAuthority(parts: AuthorityParts): Authority {
  const { store, lookups, clock, log, settings, payments, webhookSecret, hasRoom } = parts
  const paid = createPaidAccess({ store, clock, log, settings, payments, webhookSecret })
  const transfers = enabledTransfers(parts)
  return {
    settings,
    authorize: createAuthorize({ store, clock, settings }),
    names: withClaimLog(createNames({ store, lookups, clock, settings, paid, hasRoom }), log),
    paid,
    transfers,
    loops: [createForgetting(store, clock, settings), ...paid.loops, ...(transfers?.loops ?? [])],
  }
}

/** Logs each claim and release of a name. */
function withClaimLog(names: Names, log: Log): Names {
  return {
    ...names,
    async register(caller, body) {
      const answer = await names.register(caller, body)
      if (answer.isNew) log.info({ name: answer.name, pubkey: caller.pubkey }, 'a name was claimed')
      return answer
    },
    async release(caller, typed) {
      const name = await names.release(caller, typed)
      log.info({ name, pubkey: caller.pubkey }, 'a name was released')
      return name
    },
  }
}

function enabledTransfers({
  store,
  clock,
  log,
  settings,
  kernels,
}: AuthorityParts): ReturnType<typeof createTransfers> | undefined {
  const rules = settings.transfers
  if (!rules) return undefined
  if (!kernels) throw new TypeError('transfers need a source of kernels')
  return createTransfers({ store, clock, log, settings, kernels, rules })
}

// Verifies who signed a request, and that the request was not sent before (specification: names, 5).

/** How long a used id is kept after its event stops being acceptable. */
const AUTH_MARGIN_SECONDS = 60
const FORGET_EVERY_MS = 60_000
/** Longest time between two passes; a longer one means that the clock was changed. */
const LONGEST_ROUND_MS = 2 * FORGET_EVERY_MS
const FORGET_BATCH = 500
/** Batches per pass; the rest waits for the next pass. */
const MOST_BATCHES = 40

interface AuthorizeParts {
  readonly store: AuthRecords
  readonly clock: Pick<Clock, 'now'>
  readonly settings: Pick<AuthoritySettings, 'baseUrl' | 'authMaxAgeSeconds'>
}

/**
 * The eleven checks (specification: names, 5): ten on the request alone, then the replay record. The record is durable before the
 * request takes effect: after a crash in between, the request has changed nothing and must be signed again.
 */
function createAuthorize({ store, clock, settings }: AuthorizeParts): Authority['authorize'] {
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
 * Deletes the ids of events that are too old to be accepted again, in batches that hold the write lock briefly. After the clock jumped
 * ahead it may be set back, which makes those events acceptable again: deletion pauses until they are too old by either clock.
 */
function createForgetting(
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
