// The sandbox's name authority: the ordinary daemon beside the till, which makes its invoices.
import { loadNameauthConfig, openEnvironment } from '../../config/index.js'
import { type NameAddresses, type SandboxHome, sandboxNameVariables } from '../../sandbox/index.js'
import type { Log } from '../../system/index.js'
import { openNameDaemon } from '../nameauth.js'
import type { Undo } from './undo.js'

export interface NameSurroundings extends NameAddresses {
  readonly home: SandboxHome
  readonly version: string
  readonly log: Log
}

/** Answers the authority's address when it listens. */
export async function openNames({ version, log, home, ...around }: NameSurroundings, undo: Undo): Promise<string> {
  const variables = sandboxNameVariables(home, around)
  const config = loadNameauthConfig(openEnvironment({ variables }))
  const daemon = await openNameDaemon(config, { version, log })
  undo.add(() => daemon.stop())
  await daemon.start()
  return config.baseUrl
}

/** Where the till's events go as well: the authority looks at once instead of at its next poll. */
export const webhookAt = (namesUrl: string): string => `${namesUrl}/api/v1/pay/webhook`
