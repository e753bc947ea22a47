// The relay's write policy: local rules first, then the name authority, then the operator's own program.
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { Decision, WritePolicy, WriteRequest } from '../ports.js'
import { createAuthorityChecks, type PolicyAuthority } from './authority-checks.js'
import { FIXED_LISTS, type ListSource } from './lists.js'
import { firstBroken } from './rules.js'
import type { PolicySettings } from './settings.js'
import { createTerms } from './terms.js'

/** The operator's own program (specification: relay, 7). */
export interface PolicyPlugin {
  /** Never rejects: a failing program, or an invalid answer, is a refusal. */
  decide(request: WriteRequest): Promise<Decision>
  close(): Promise<void>
}

export interface PolicyParts {
  readonly settings: PolicySettings
  /** Default: empty lists. */
  readonly lists?: ListSource
  /** Required by pay mode `write` and by `requireName`. Without an authority they refuse every event. */
  readonly authority?: PolicyAuthority | undefined
  readonly plugin?: PolicyPlugin | undefined
  readonly clock: Clock
  readonly log: Log
}

/** wire: a check failed because of an internal error. */
export const POLICY_ERROR = 'policy error'

const ACCEPT: Decision = { action: 'accept' }

export function createWritePolicy(parts: PolicyParts): WritePolicy & { close(): Promise<void> } {
  const { settings, lists = FIXED_LISTS, authority, plugin, clock, log } = parts
  const terms = createTerms(settings, lists)
  const checks = createAuthorityChecks({ settings, authority, clock, log })

  function refusalFor(request: WriteRequest): string | undefined {
    try {
      return firstBroken(request, terms())
    } catch (error) {
      log.error({ cause: messageOf(error) }, 'a rule of the write policy failed')
      return POLICY_ERROR
    }
  }

  async function ask(request: WriteRequest): Promise<Decision> {
    for (const check of checks) {
      const message = await check(request)
      if (message !== undefined) return { action: 'reject', message }
    }
    return plugin ? plugin.decide(request) : ACCEPT
  }

  return {
    refusalFor,
    ask: checks.length > 0 || plugin ? ask : undefined,
    close: async () => plugin?.close(),
  }
}
