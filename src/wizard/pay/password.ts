// The wallet password of a till that is set up: from a file, its settings, or a person.
import { type Environment, openEnvironment, PAY_TABLE, readPayValues, requireSome } from '../../config/index.js'
import type { Secret } from '../../lib/secret.js'
import { inputMissing } from '../errors.js'
import { readNewPassword, readSecret, strongPassword } from '../inputs.js'
import type { Terminal } from './terminal.js'
import type { WalletPlaces } from './wallet.js'

/** Where the wallet of these settings lies, and the password if the settings give it. */
export interface TillWallet {
  readonly places: WalletPlaces
  readonly password: Secret | undefined
}

/** Reads only what it needs; other settings may be wrong. Throws ENV_FILE_UNREADABLE, CONFIGURATION. */
export function tillWallet(environment: Environment = openEnvironment()): TillWallet {
  const reading = readPayValues(environment)
  const places = requireSome(PAY_TABLE, reading, ['dataDir', 'dbPath', 'chain'])
  return { places, password: reading.values.walletPassword }
}

/** Throws INPUT_MISSING when there is neither a file, nor a setting, nor anybody to ask. */
export async function passwordOf(
  file: string | undefined,
  known: Secret | undefined,
  terminal: Terminal | undefined,
): Promise<Secret> {
  const password = file === undefined ? (known ?? (await terminal?.password('Wallet password'))) : readSecret(file)
  if (!password) throw inputMissing('the wallet password is missing: name its file with --password-file')
  return password
}

/** The password that a restored wallet gets: a new one, or the one of the settings. Throws PASSWORD_SHORT too. */
export async function newPasswordOf(
  file: string | undefined,
  known: Secret | undefined,
  terminal: Terminal | undefined,
): Promise<Secret> {
  if (file === undefined && known) return strongPassword(known, 'PAY_WALLET_PASSWORD')
  const password = file === undefined ? await terminal?.newPassword(false) : readNewPassword(file)
  if (!password) throw inputMissing('the wallet password is missing: name its file with --password-file')
  return password
}

/** The same for callers that can do without: undefined without a terminal. Throws ANSWERS_UNREADABLE. */
export async function knownPassword(
  file: string | undefined,
  environment: Environment | undefined,
  terminal: Terminal | undefined,
): Promise<Secret | undefined> {
  if (file !== undefined) return readSecret(file)
  return (environment && tillWallet(environment).password) ?? (await terminal?.password('Wallet password'))
}
