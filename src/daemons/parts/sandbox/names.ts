// Where the sandbox's names are sold on: the ordinary name authority over the names of the relay's, as transfers never exist inside a relay.
import { PRIVATE_CHAIN_RULES } from '../../../chain/index.js'
import { loadNameauthConfig, openEnvironment } from '../../../config/index.js'
import { type NameAddresses, type SandboxHome, sandboxNameVariables } from '../../../sandbox/index.js'
import type { Log } from '../../../system/index.js'
import { openNameDaemon } from '../../nameauth.js'
import type { Undo } from '../undo.js'

export interface NameSurroundings extends NameAddresses {
  readonly home: SandboxHome
  readonly version: string
  readonly log: Log
}

/** Answers the authority's address when it listens. */
export async function openNames({ version, log, home, ...around }: NameSurroundings, undo: Undo): Promise<string> {
  const variables = sandboxNameVariables(home, around)
  const config = loadNameauthConfig(openEnvironment({ variables }))
  const daemon = await openNameDaemon(config, { version, log, tipRules: PRIVATE_CHAIN_RULES })
  undo.add(() => daemon.stop())
  await daemon.start()
  return config.baseUrl
}
