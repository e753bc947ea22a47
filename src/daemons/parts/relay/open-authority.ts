// Mounts the relay's name authority: in this process, behind another address, or not at all (specification: relay, 10).
import type { RelayConfig } from '../../../config/index.js'
import { RELAY_APP } from '../../../relay/index.js'
import type { AuthorityMount, RelayContext } from './authority-mount.js'

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
