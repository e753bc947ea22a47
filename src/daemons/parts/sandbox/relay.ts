// The sandbox's relay: the ordinary one with an in-process name authority; the till creates the invoices for names.
import { loadRelayConfig, openEnvironment } from '../../../config/index.js'
import { type SandboxHome, sandboxRelayVariables } from '../../../sandbox/index.js'
import type { SystemLog } from '../../../system/index.js'
import { openRelayDaemon } from '../../relay.js'
import { USUAL_RELAY_PORT } from '../../sandbox-ports.js'
import { portFor } from '../ports.js'
import type { Undo } from '../undo.js'

export interface SandboxRelayContext {
  readonly home: SandboxHome
  readonly version: string
  readonly log: SystemLog
  readonly tillUrl: string
}

export interface SandboxRelay {
  readonly relayUrl: string
  /** Address of the name authority, on the same port. */
  readonly namesUrl: string
}

/** Resolves with the addresses when it listens; the till may start later. */
export async function openSandboxRelay(
  { home, version, log, tillUrl }: SandboxRelayContext,
  undo: Undo,
): Promise<SandboxRelay> {
  const relayPort = await portFor(undefined, USUAL_RELAY_PORT)
  const variables = sandboxRelayVariables(home, { relayPort, tillUrl })
  const config = loadRelayConfig({ environment: openEnvironment({ variables }) })
  const daemon = await openRelayDaemon(config, { version, log })
  undo.add(() => daemon.stop())
  await daemon.start()
  return { relayUrl: variables.RELAY_INFO_RELAY_URL, namesUrl: variables.RELAY_NAME_AUTHORITY_BASE_URL }
}

/** The authority's webhook: with it the authority checks at once instead of at its next poll. */
export const webhookAt = (namesUrl: string): string => `${namesUrl}/api/v1/pay/webhook`
