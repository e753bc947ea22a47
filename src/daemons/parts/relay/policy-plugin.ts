// The operator's own write policy program, when there is one.
import { POLICY_VARIABLES, type RelayConfig } from '../../../config/index.js'
import { createPolicyPlugin, type PolicyPlugin } from '../../../relay/index.js'
import { type Clock, type Log, modifiedAt, programEnvironment, startShellProgram } from '../../../system/index.js'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
}

/** Of the environment the program gets what every program needs, and the settings of a policy (`RELAY_ALLOWED_KINDS` …), never a secret. */
export function policyPlugin({ policy }: RelayConfig, { clock, log }: Surroundings): PolicyPlugin | undefined {
  if (!policy.plugin) return undefined
  const { command, timeoutSeconds } = policy.plugin
  return createPolicyPlugin({
    command: () => command,
    timeoutSeconds,
    start: (program, handlers) => startShellProgram(program, handlers, programEnvironment(POLICY_VARIABLES)),
    modifiedAt,
    clock,
    log,
  })
}
