// The files that a daemon reads at its start because its settings name them, by the start's own readers: `config check`, `serve --check`
// and `doctor` find what the start would refuse. Secrets and files of the settings tables (`_FILE`, reserved names, pages of a relay) are read
// with the settings themselves.
import { readFileSync } from 'node:fs'
import {
  configurationError,
  configurationProblems,
  type DaemonName,
  type DatabaseSettings,
  nameDatabaseOf,
  payDatabaseOf,
  readNameauthValues,
  readPayValues,
  readRelayValues,
  relayLogOf,
  type SettingProblem,
  type SettingsSources,
} from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { readTillCertificate } from './parts/pay/live-certificate.js'
import { readLogo } from './parts/pay/shop.js'
import { seedHeaderProblems } from './seed-header.js'

/** Each reads what one setting names, if it is set, and throws CONFIGURATION. */
type Readers = readonly (() => unknown)[]

const READERS: Readonly<Record<DaemonName, (sources: SettingsSources) => Readers>> = {
  pay({ environment }) {
    const { values } = readPayValues(environment)
    const { tls, tlsCert: cert, tlsKey: key, shopLogo } = values
    return [
      () => (tls && cert !== undefined && key !== undefined ? readTillCertificate({ cert, key }) : undefined),
      () => (shopLogo === undefined ? undefined : readLogo(shopLogo)),
      () => readDatabaseRoot('PAY_DATABASE_URL', payDatabaseOf(values)),
    ]
  },
  nameauth({ environment }) {
    const { values } = readNameauthValues(environment)
    return [() => readDatabaseRoot('NAMEAUTH_DATABASE_URL', nameDatabaseOf(values))]
  },
  relay(sources) {
    const { values } = readRelayValues(sources)
    return [() => readDatabaseRoot('log.url', relayLogOf(values))]
  },
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
  READERS[daemon](sources).flatMap(problemsOf)

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
