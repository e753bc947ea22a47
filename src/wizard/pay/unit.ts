// The systemd unit of a till and its one drop-in: how the wallet password reaches the daemon.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Places } from '../../system/index.js'
import type { Texts } from '../question.js'
import { credentialsOf, stamped, type UnitParts } from '../services/index.js'
import type { Program } from '../services/program.js'

/** Who may use the control socket of Debian's tor and read its cookie. */
export const TOR_GROUP = 'debian-tor'

/** The group of tor only where it is needed: a unit that names a group which does not exist does not start. */
export const tillUnit = (
  { envFile, dataDir, dbPath }: Places,
  program: Program,
  usesTor: boolean,
  settings: Texts = new Map(),
  hasSocket = false,
): UnitParts => ({
  daemon: 'pay',
  program,
  settingsFile: envFile,
  folders: [dataDir, dirname(dbPath)],
  credentials: credentialsOf('pay', (name) => settings.get(`${name}_FILE`)),
  group: usesTor ? TOR_GROUP : undefined,
  hasSocket,
})

/** How the password is kept: sealed by systemd, as a file only root reads, or not at all. */
export type PasswordKeeping = 'credential' | 'file' | 'manual'

type PasswordPlaces = Pick<Places, 'secretsDir' | 'dropInDir'>

/** The files of each way; after setup exactly one way's exist. */
export const passwordFiles = ({ secretsDir, dropInDir }: PasswordPlaces) => ({
  credential: join(secretsDir, 'wallet_password.cred'),
  file: join(secretsDir, 'wallet_password'),
  /** In memory: typed anew after every boot. */
  manual: '/run/grinpay/wallet_password',
  dropIn: join(dropInDir, 'password.conf'),
})

/** How the password is kept now. */
export function keepingIn(places: PasswordPlaces): PasswordKeeping | undefined {
  const { credential, file, dropIn } = passwordFiles(places)
  if (existsSync(credential)) return 'credential'
  if (existsSync(file)) return 'file'
  return existsSync(dropIn) && readFileSync(dropIn, 'utf8').includes('/run/grinpay/') ? 'manual' : undefined
}

/** The name under which the daemon finds the password in its credentials directory. */
export const CREDENTIAL = 'pay_wallet_password'

/** The drop-in that hands the password over in the chosen way. */
export function renderDropIn(places: PasswordPlaces, keeping: PasswordKeeping): string {
  const directive = keeping === 'credential' ? 'LoadCredentialEncrypted' : 'LoadCredential'
  const lines = [
    '# Written by grinpay: how the wallet password reaches the till.',
    '[Service]',
    `${directive}=${CREDENTIAL}:${passwordFiles(places)[keeping]}`,
  ]
  return stamped(`${lines.join('\n')}\n`)
}
