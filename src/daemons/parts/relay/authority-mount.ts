// Mounts the relay's name authority: in this process, behind another address, or not at all (specification: relay, 10).
import type { FastifyInstance } from 'fastify'
import type { RelayConfig } from '../../../config/index.js'
import type { createApp } from '../../../http/index.js'
import { type PolicyAuthority, RELAY_APP } from '../../../relay/index.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Part } from '../../runtime.js'

export interface AuthorityMount {
  /** The authority that the write policy asks; undefined: not needed. */
  readonly policyAuthority: PolicyAuthority | undefined
  readonly parts: readonly Part[]
  /** For `createApp`. */
  readonly problem: NonNullable<Parameters<typeof createApp>[0]['problem']>
  /** Adds the authority's routes, if any. */
  mount(app: FastifyInstance): Promise<void>
}

export interface RelayContext {
  readonly version: string
  readonly clock: SystemClock
  readonly log: SystemLog
}

/** The code of an authority is loaded only for a relay that has one. Throws what opening the name database throws. */
export async function openAuthorityMount(config: RelayConfig, context: RelayContext): Promise<AuthorityMount> {
  if (config.names) return (await import('./authority-in-process.js')).openInProcess(config.names, context)
  const { authority, policy } = config
  const asks = policy.payMode === 'write' || policy.requireName
  if (!asks && authority.mode !== 'upstream') return NO_AUTHORITY
  return (await import('./authority-elsewhere.js')).openElsewhere({ authority, asks }, context)
}

const NO_AUTHORITY: AuthorityMount = {
  policyAuthority: undefined,
  parts: [],
  problem: RELAY_APP.problem,
  mount: async () => {},
}
