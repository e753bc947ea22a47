// The name authority: its verbs, and the periodic work that a daemon runs for it.
import type { Secret } from '../lib/secret.js'
import type { Authority, AuthoritySettings, Names } from './api.js'
import { createAuthorize, createForgetting } from './authorize.js'
import { createNames } from './names/index.js'
import { createPaidAccess } from './paid/paid-access.js'
import type { Clock, KernelSource, Log, NameStore, PaymentService, PublicLookups } from './ports.js'
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
