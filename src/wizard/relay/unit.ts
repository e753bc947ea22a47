// The systemd unit of the relay.

import { type Credential, renderService } from '../services/index.js'
import type { Program } from '../services/program.js'

export interface RelayUnitParts {
  readonly configFile: string
  /** Files that only root can read: systemd hands them over under these names. */
  readonly credentials?: readonly (Pick<Credential, 'name' | 'path'> & Partial<Credential>)[]
  /** Of the database; the usual one when undefined. */
  readonly folder?: string
  /** systemd holds the port. */
  readonly hasSocket?: boolean
}

/** Its Documentation line points below `root`. */
export const renderRelayUnit = (
  { configFile, credentials = [], folder = '/var/lib/grinpay-relay', hasSocket = false }: RelayUnitParts,
  program: Program,
): string =>
  renderService({
    daemon: 'relay',
    program,
    settingsFile: configFile,
    folders: [folder],
    credentials: credentials.map((given) => ({ isSealed: given.path.endsWith('.cred'), ...given })),
    hasSocket,
  })
