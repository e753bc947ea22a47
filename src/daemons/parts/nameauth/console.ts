// The console of a name authority by itself (NAMEAUTH_CONSOLE). Loaded only when it is on.
import { createNamesArea, namesOf } from '../../../authority/console/index.js'
import type { OperatorStore } from '../../../authority/index.js'
import type { NameauthConfig } from '../../../config/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createConsolePart } from '../console.js'

export interface NameConsoleParts {
  readonly config: NameauthConfig
  readonly store: OperatorStore
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** Listening throws ADDRESS_IN_USE. */
export function createNameConsole({ config, store, ...parts }: NameConsoleParts): Promise<Part> {
  const { domain, dbPath, consoleBind: bind, consoleUrl: url, trustedProxies } = config
  const areas = [createNamesArea(namesOf({ store, clock: parts.clock, names: config }))]
  return createConsolePart({ ...parts, dbPath, bind, url, trustedProxies, site: { name: domain, banner: null }, areas })
}
