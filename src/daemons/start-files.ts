// The files that a daemon reads at its start because its settings name them, by the start's own readers: `config check`, `serve --check`
// and `doctor` find what the start would refuse. Secrets and files of the settings tables (`_FILE`, reserved names, pages of a relay) are read
// with the settings themselves.
import { readFileSync } from 'node:fs'
import {
  configurationError,
  configurationProblems,
  DAEMONS,
  type DaemonName,
  type DatabaseSettings,
  type PayValues,
  readPayValues,
  type SettingProblem,
  type SettingsSources,
} from '../config/index.js'
import { requireSeedOf, weakPassword } from '../grin/seedfile/index.js'
import { GrinpayError, hasCode, messageOf } from '../lib/errors.js'
import { dataFiles } from '../system/index.js'
import { readTillCertificate } from './parts/pay/live-certificate.js'
import { readLogo } from './parts/pay/shop.js'

/** Each reads what one setting names, if it is set, and throws CONFIGURATION. */
function readersOf(daemon: DaemonName, sources: SettingsSources): readonly (() => unknown)[] {
  const { databaseSetting, database } = DAEMONS[daemon]
  const root = () => readDatabaseRoot(databaseSetting.key ?? databaseSetting.name, database(sources))
  if (daemon !== 'pay') return [root]
  const { tls, tlsCert: cert, tlsKey: key, shopLogo } = readPayValues(sources.environment).values
  return [
    () => (tls && cert !== undefined && key !== undefined ? readTillCertificate({ cert, key }) : undefined),
    () => (shopLogo === undefined ? undefined : readLogo(shopLogo)),
    root,
  ]
}

/** The certificate that an address of PostgreSQL names; the adapter reads it for each connection. Throws CONFIGURATION. */
function readDatabaseRoot(setting: string, database: DatabaseSettings | undefined): void {
  const caFile = database?.address.tls?.caFile
  if (caFile === undefined) return
  try {
    readFileSync(caFile)
  } catch (thrown) {
    const text = `${setting} names sslrootcert=${caFile}, which cannot be read (${messageOf(thrown)})`
    throw configurationError([{ setting, text }])
  }
}

/** These, and the wallet's seed file, for `config check` and `serve --check`; the doctor opens the wallet itself. */
export const startProblems = (daemon: DaemonName, sources: SettingsSources): readonly SettingProblem[] => [
  ...startFileProblems(daemon, sources),
  ...(daemon === 'pay' ? seedHeaderProblems(readPayValues(sources.environment).values) : []),
]

/** What is wrong with them; empty when the start can read them all. Settings that are broken themselves are left out. */
export const startFileProblems = (daemon: DaemonName, sources: SettingsSources): readonly SettingProblem[] =>
  readersOf(daemon, sources).flatMap(problemsOf)

function problemsOf(read: () => unknown): readonly SettingProblem[] {
  try {
    read()
    return []
  } catch (thrown) {
    const problems = configurationProblems(thrown)
    if (problems === undefined) throw thrown
    return problems
  }
}

/**
 * What the head of the wallet's seed file tells without the password: a start refuses a file of another chain, and a damaged one. Where
 * there is none yet, a start with PAY_MNEMONIC refuses a short password. None for a file that this user may not read.
 */
function seedHeaderProblems(values: Partial<PayValues>): readonly SettingProblem[] {
  const { dataDir, chain } = values
  if (dataDir === undefined || chain === undefined) return []
  const path = dataFiles(dataDir).seed
  try {
    requireSeedOf(readFileSync(path, 'utf8'), chain)
    return []
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return newWalletProblems(values)
    if (!(thrown instanceof GrinpayError)) return []
    return [{ setting: 'PAY_DATA_DIR', text: `PAY_DATA_DIR: ${path}: ${messageOf(thrown)}` }]
  }
}

/** Of a wallet that the next start makes from the words. */
function newWalletProblems({ mnemonic, walletPassword }: Partial<PayValues>): readonly SettingProblem[] {
  const weak = mnemonic && walletPassword && weakPassword(walletPassword.reveal())
  return weak ? [{ setting: 'PAY_WALLET_PASSWORD', text: `PAY_WALLET_PASSWORD: ${weak}` }] : []
}
