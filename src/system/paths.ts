// Default paths: machine-wide for root, one folder in the home directory otherwise.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { settingsOfSomebodyElse } from './errors.js'
import { createDirectory, replaceFile } from './files.js'
import { strangerOf } from './owners.js'

/** All places of one daemon that setup writes to and commands read from. */
export interface Places {
  readonly envFile: string
  readonly secretsDir: string
  readonly dataDir: string
  readonly dbPath: string
  readonly unitFile: string
  /** Drop-ins of the unit. */
  readonly dropInDir: string
}

/** Under `prefix` everything of a machine lies together; without one, in the places a distribution would use. */
const placesOf =
  (daemon: string, folder: string, settings: string, database: string) =>
  (prefix?: string): Places => {
    const config = prefix === undefined ? '/etc/grinpay' : resolve(prefix)
    const units = prefix === undefined ? '/etc/systemd/system' : resolve(prefix, 'systemd')
    const machineDir = folder === '' ? '/var/lib/grinpay' : `/var/lib/grinpay-${folder}`
    const dataDir = prefix === undefined ? machineDir : resolve(prefix, folder, 'data')
    return {
      envFile: join(config, settings),
      secretsDir: join(config, folder, 'secrets'),
      dataDir,
      dbPath: join(dataDir, database),
      unitFile: join(units, `grinpay-${daemon}.service`),
      dropInDir: join(units, `grinpay-${daemon}.service.d`),
    }
  }

export const tillPlaces = placesOf('pay', '', 'pay.env', 'pay.db')

/** The secrets and data of the other daemons lie apart from those of a till on the same machine. */
export const nameauthPlaces = placesOf('nameauth', 'nameauth', 'nameauth.env', 'names.db')

/** The configuration file of the relay is TOML; its environment is separate. */
export const relayPlaces = placesOf('relay', 'relay', 'relay.toml', 'relay.db')

/** Env files that the authority looks for when none is named, first hit wins (specification: names, 11). Throws SETTINGS_OF_SOMEBODY_ELSE. */
export const nameauthEnvFiles = (): readonly string[] => withWorkingFolder([nameauthPlaces().envFile], '.env')

/** Configuration files that the relay looks for when none is named, first hit wins. Throws SETTINGS_OF_SOMEBODY_ELSE. */
export const relayConfigFiles = (): readonly string[] =>
  withWorkingFolder([relayPlaces().envFile, relayPlaces(homePrefix()).envFile], 'relay.toml')

/** The working folder comes last. A file of another user there is refused: its writer must not decide what root runs. */
function withWorkingFolder(usual: readonly string[], name: string): readonly string[] {
  const here = resolve(name)
  if (usual.some((path) => existsSync(path)) || !existsSync(here)) return [...usual, here]
  const stranger = strangerOf(here)
  if (stranger !== undefined) throw settingsOfSomebodyElse(here, stranger)
  return [...usual, here]
}

/** The default folder of the relay's data. */
export const relayDataDir = (): string => relayPlaces(defaultPrefix()).dataDir

/** The folder of a till that an ordinary user set up. */
const homePrefix = (): string => join(homedir(), '.grinpay')

/** Undefined (the machine) for root, a folder in the home directory for other users. */
export const defaultPrefix = (uid: number | undefined = process.getuid?.()): string | undefined =>
  uid === 0 ? undefined : homePrefix()

/** The saved tills of this user account. */
export const tillProfilesFile = (): string => join(homePrefix(), 'tills.json')

/** Env files that commands look for when none is named, first hit wins. */
export const usualEnvFiles = (): readonly string[] => [tillPlaces(homePrefix()).envFile, tillPlaces().envFile]

/** The database of a console: beside that of its daemon. */
export const consoleFile = (dbPath: string): string => join(dirname(dbPath), 'console.db')

/** The changes that a database acknowledged to a process of this machine last. */
export const watermarkFile = (dataDir: string): string => join(dataDir, 'watermark.json')

/** Files inside the data directory. */
export const dataFiles = (dataDir: string) => ({
  /** The sealed seed. */
  seed: join(dataDir, 'wallet', 'seed.json'),
  /** Stands beside a new wallet until its database is made: without it, a missing database is a lost one. */
  noDatabaseYet: join(dataDir, 'wallet', 'no-database-yet'),
  /** The till's Nostr key, encrypted (specification: invoicing, 4.1). */
  identity: join(dataDir, 'nostr', 'identity.json'),
})

// The mark of a wallet that never had a database. Without it a missing database is a lost one, and no empty one takes its place.
/** Marks the wallet that is about to be made. Called before its seed is written, so that no crash leaves a wallet that cannot start. */
export async function markNewWallet(dataDir: string): Promise<void> {
  const { noDatabaseYet } = dataFiles(dataDir)
  await createDirectory(dirname(noDatabaseYet), 0o700)
  await replaceFile(noDatabaseYet, '', 0o600)
}

export const isNewWallet = (dataDir: string): boolean => existsSync(dataFiles(dataDir).noDatabaseYet)

/** The wallet has its database: from now on a start without it is refused. */
export const unmarkNewWallet = (dataDir: string): Promise<void> => rm(dataFiles(dataDir).noDatabaseYet, { force: true })
