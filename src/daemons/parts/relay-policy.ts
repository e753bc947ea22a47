// The relay's write policy out of its settings: lists as sets, the name authority wherever it is, the operator's program.
import { statSync } from 'node:fs'
import type { Authority } from '../../authority/index.js'
import type { RelayPolicyConfig } from '../../config/index.js'
import type { Clock, Log } from '../../relay/index.js'
import {
  createPolicyPlugin,
  createWritePolicy,
  type ListSource,
  type PolicyAuthority,
  type PolicySettings,
} from '../../relay/policy/index.js'
import { startShellProgram } from '../../system/index.js'

export interface RelayPolicyParts {
  readonly config: RelayPolicyConfig
  readonly lists?: ListSource
  /** Undefined: nobody can be asked, and what depends on it is refused. */
  readonly authority: PolicyAuthority | undefined
  readonly clock: Clock
  readonly log: Log
}

export function openRelayPolicy({ config, lists, authority, clock, log }: RelayPolicyParts) {
  const { plugin } = config
  return createWritePolicy({
    settings: policySettings(config),
    ...(lists && { lists }),
    authority,
    plugin:
      plugin &&
      createPolicyPlugin({
        command: () => plugin.command,
        timeoutSeconds: plugin.timeoutSeconds,
        start: startShellProgram,
        modifiedAt: (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
        clock,
        log,
      }),
    clock,
    log,
  })
}

export function policySettings(config: Omit<RelayPolicyConfig, 'plugin'>): PolicySettings {
  const { kinds, blockedKinds, authors, whitelist, requireAuth, requireName, payMode, verdictSeconds } = config
  return {
    kinds: new Set(kinds),
    blockedKinds: new Set(blockedKinds),
    authors: new Set(authors),
    whitelist: whitelist && new Set(whitelist),
    ...{ requireAuth, requireName, payMode, verdictSeconds },
  }
}

/** The name authority of this very process. */
export const authorityInProcess = ({ paid, names }: Pick<Authority, 'paid' | 'names'>): PolicyAuthority => ({
  isWritePaid: async (pubkey) => (await paid.isWritePaid(pubkey))?.paid,
  holdsName: async (pubkey) => (await names.nameOf(pubkey)) !== undefined,
})

/** One that is asked over HTTP. */
export async function authorityElsewhere(baseUrl: string): Promise<PolicyAuthority> {
  const { createNameAuthorityClient } = await import('../../client/index.js')
  return createNameAuthorityClient({ baseUrl })
}
