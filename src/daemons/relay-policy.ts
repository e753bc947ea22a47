// `grinpay relay policy`: the write policy as a program that another relay starts and asks.
import type { PolicyProgramConfig } from '../config/index.js'
import { createWritePolicy, runPolicyProgram } from '../relay/policy/index.js'
import { systemClock } from '../system/index.js'
import { authorityElsewhere, policySettings } from './parts/relay-policy.js'

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
    settings: policySettings(config),
    authority: config.payMode === 'write' ? await authorityElsewhere(config.authority) : undefined,
    clock: systemClock,
    log: { debug: () => undefined, info: tell, warn: tell, error: tell },
  })
  await runPolicyProgram({ policy, input, write })
}
