// The sandbox's relay: the ordinary one, with its defaults.
import { loadRelayConfig, openEnvironment } from '../../config/index.js'
import { type SandboxHome, sandboxRelayVariables } from '../../sandbox/index.js'
import type { Log } from '../../system/index.js'
import { openRelayDaemon } from '../relay.js'
import { USUAL_RELAY_PORT } from '../sandbox-ports.js'
import { portFor } from './ports.js'
import type { Undo } from './undo.js'

export interface RelaySurroundings {
  readonly home: SandboxHome
  readonly version: string
  readonly log: Log
  /** Of the name authority, whose documents and routes the relay's port carries too. */
  readonly namesPort: number
}

/** Answers the relay's address when it listens. */
export async function openSandboxRelay(
  { home, version, log, namesPort }: RelaySurroundings,
  undo: Undo,
): Promise<string> {
  const relayPort = await portFor(undefined, USUAL_RELAY_PORT)
  const variables = sandboxRelayVariables(home, { relayPort, namesPort })
  const config = loadRelayConfig({ environment: openEnvironment({ variables }) })
  const daemon = await openRelayDaemon(config, { version, log })
  undo.add(() => daemon.stop())
  await daemon.start()
  return variables.RELAY_INFO_RELAY_URL
}
