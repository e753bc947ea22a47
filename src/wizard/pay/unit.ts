// The systemd unit and its one drop-in: how the wallet password reaches the daemon.
import { dirname, join } from 'node:path'
import { settingGroups } from '../../config/index.js'
import type { Places } from '../../system/index.js'
import { credentialsOf, renderService, stamped } from '../services/index.js'
import type { Program } from '../services/program.js'

/** Who may use the control socket of Debian's tor and read its cookie. */
export const TOR_GROUP = 'debian-tor'

/**
 * The unit for these places; its Documentation line points below `root`. The group of tor only where it is needed: a unit that names
 * a group which does not exist does not start. Secrets that the settings keep in files become credentials.
 */
export const renderUnit = (
  { envFile, dataDir, dbPath }: Places,
  program: Program,
  usesTor: boolean,
  settings: ReadonlyMap<string, string> = new Map(),
  hasSocket = false,
): string =>
  renderService({
    daemon: 'pay',
    program,
    settingsFile: envFile,
    folders: [dataDir, dirname(dbPath)],
    credentials: credentialsOf(settingGroups('pay'), (name) => settings.get(`${name}_FILE`)),
    group: usesTor ? TOR_GROUP : undefined,
    hasSocket,
  })

/** How the password is kept: sealed by systemd, as a file only root reads, or not at all. */
export type PasswordKeeping = 'credential' | 'file' | 'manual'

/** The files of each way; after setup exactly one way's exist. */
export const passwordFiles = ({ secretsDir, dropInDir }: Pick<Places, 'secretsDir' | 'dropInDir'>) => ({
  credential: join(secretsDir, 'wallet_password.cred'),
  file: join(secretsDir, 'wallet_password'),
  /** In memory: typed anew after every boot. */
  manual: '/run/grinpay/wallet_password',
  dropIn: join(dropInDir, 'password.conf'),
})

/** The name under which the daemon finds the password in its credentials directory. */
export const CREDENTIAL = 'pay_wallet_password'

/** The drop-in that hands the password over in the chosen way. */
export function renderDropIn(places: Pick<Places, 'secretsDir' | 'dropInDir'>, keeping: PasswordKeeping): string {
  const directive = keeping === 'credential' ? 'LoadCredentialEncrypted' : 'LoadCredential'
  const lines = [
    '# Written by grinpay: how the wallet password reaches the till.',
    '[Service]',
    `${directive}=${CREDENTIAL}:${passwordFiles(places)[keeping]}`,
  ]
  return stamped(`${lines.join('\n')}\n`)
}
