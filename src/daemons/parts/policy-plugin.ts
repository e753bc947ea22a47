// The operator's own write policy program, when there is one.
import type { RelayConfig } from '../../config/index.js'
import { createPolicyPlugin, type PolicyPlugin } from '../../relay/index.js'
import { type Clock, type Log, modifiedAt, startShellProgram } from '../../system/index.js'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
}

export function policyPlugin({ policy }: RelayConfig, { clock, log }: Surroundings): PolicyPlugin | undefined {
  if (!policy.plugin) return undefined
  const { command, timeoutSeconds } = policy.plugin
  return createPolicyPlugin({
    command: () => command,
    timeoutSeconds,
    start: startShellProgram,
    modifiedAt,
    clock,
    log,
  })
}
