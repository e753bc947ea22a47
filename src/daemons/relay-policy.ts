// `grinpay relay policy`: the write policy as a plugin of another relay.
import type { PolicyProgramConfig } from '../config/index.js'
import { createWritePolicy, type PolicyAuthority, runPolicyProgram } from '../relay/policy/index.js'
import { systemClock } from '../system/index.js'
import { policySettings } from './parts/relay/settings.js'

export interface PolicyStreams {
  readonly input: AsyncIterable<Buffer>
  readonly write: (line: string) => void
  /** Diagnostics; one line each. */
  readonly complain: (line: string) => void
}

/** Resolves when the input ends. */
export async function servePolicy(
  config: PolicyProgramConfig,
  { input, write, complain }: PolicyStreams,
): Promise<void> {
  const tell = (fields: object, text: string) => complain(`${text} ${JSON.stringify(fields)}`)
  const policy = createWritePolicy({
    settings: policySettings({ policy: config }),
    authority: config.payMode === 'write' ? await authorityAt(config.authority) : undefined,
    clock: systemClock,
    log: { info: tell, warn: tell, error: tell },
  })
  await runPolicyProgram({ policy, input, write })
}

/** Loaded only when needed, because relays start this program often. */
async function authorityAt(baseUrl: string): Promise<PolicyAuthority> {
  const { createPolicyAuthority } = await import('../client/index.js')
  return createPolicyAuthority({ baseUrl })
}
