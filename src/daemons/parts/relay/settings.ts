// Converts the configuration into the settings of the relay's parts.
import { readFileSync } from 'node:fs'
import { type PolicyProgramConfig, type RelayConfig, relayConfigurationError } from '../../../config/index.js'
import { messageOf } from '../../../lib/errors.js'
import type { PolicySettings, Restrictions } from '../../../relay/index.js'

interface PolicyHalf {
  readonly policy: Omit<PolicyProgramConfig, 'authority' | 'notices'>
}

export const policySettings = ({ policy }: PolicyHalf): PolicySettings => ({
  kinds: policy.kinds,
  blockedKinds: policy.blockedKinds,
  authors: policy.authors === 'everyone' ? 'everyone' : new Set(policy.authors),
  whitelist: policy.whitelist && new Set(policy.whitelist),
  requireAuth: policy.requireAuth,
  payMode: policy.payMode,
  requireName: policy.requireName,
  verdictSeconds: policy.verdictSeconds,
})

/** Requirements for every writer; pay mode `write` implies both. */
export const restrictionsOf = ({ policy }: RelayConfig): Restrictions => ({
  auth: policy.requireAuth || policy.payMode === 'write',
  writes: policy.requireAuth || policy.payMode === 'write' || policy.requireName || policy.whitelist !== undefined,
})

/** Files of the operator. Throws CONFIGURATION for an unreadable one. */
export function operatorPages({ pages }: RelayConfig) {
  const read = (setting: string, path: string | undefined): Buffer | undefined => {
    if (path === undefined) return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      throw relayConfigurationError([{ setting, text: `${setting}: cannot read ${path} (${messageOf(error)})` }])
    }
  }
  return {
    landing: read('info.relay_page', pages.landing)?.toString('utf8'),
    favicon: read('info.favicon', pages.favicon),
  }
}
