// Where things lie: the machine-wide places under root, one folder otherwise.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { settingsOfSomebodyElse } from './errors.js'
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

export type TillPlaces = Places

/** Under `prefix` everything lies together; without one, the places a distribution would use. */
export const tillPlaces = (prefix?: string): TillPlaces =>
  prefix === undefined
    ? placesOf('/etc/grinpay', '/var/lib/grinpay', '/etc/systemd/system')
    : placesOf(resolve(prefix), resolve(prefix, 'data'), resolve(prefix, 'systemd'))

const placesOf = (config: string, dataDir: string, units: string): TillPlaces => ({
  envFile: join(config, 'pay.env'),
  secretsDir: join(config, 'secrets'),
  dataDir,
  dbPath: join(dataDir, 'pay.db'),
  unitFile: join(units, 'grinpay-pay.service'),
  dropInDir: join(units, 'grinpay-pay.service.d'),
})

/** Of the name authority; its secrets and data lie apart from those of a till on the same machine. */
export const nameauthPlaces = (prefix?: string): Places =>
  prefix === undefined
    ? namePlacesOf('/etc/grinpay', '/var/lib/grinpay-nameauth', '/etc/systemd/system')
    : namePlacesOf(resolve(prefix), resolve(prefix, 'nameauth', 'data'), resolve(prefix, 'systemd'))

const namePlacesOf = (config: string, dataDir: string, units: string): Places => ({
  envFile: join(config, 'nameauth.env'),
  secretsDir: join(config, 'nameauth', 'secrets'),
  dataDir,
  dbPath: join(dataDir, 'names.db'),
  unitFile: join(units, 'grinpay-nameauth.service'),
  dropInDir: join(units, 'grinpay-nameauth.service.d'),
})

/** Env files that the authority looks for when none is named, first hit wins (specification: names, 11). Throws SETTINGS_OF_SOMEBODY_ELSE. */
export const nameauthEnvFiles = (): readonly string[] => withWorkingFolder([nameauthPlaces().envFile], '.env')

/** Of the relay. The configuration file is TOML, and what it may hold beside it lies in the environment. */
export const relayPlaces = (prefix?: string): Places =>
  prefix === undefined
    ? relayPlacesOf('/etc/grinpay', '/var/lib/grinpay-relay', '/etc/systemd/system')
    : relayPlacesOf(resolve(prefix), resolve(prefix, 'relay', 'data'), resolve(prefix, 'systemd'))

const relayPlacesOf = (config: string, dataDir: string, units: string): Places => ({
  envFile: join(config, 'relay.toml'),
  secretsDir: join(config, 'relay', 'secrets'),
  dataDir,
  dbPath: join(dataDir, 'relay.db'),
  unitFile: join(units, 'grinpay-relay.service'),
  dropInDir: join(units, 'grinpay-relay.service.d'),
})

/** Configuration files that the relay looks for when none is named, first hit wins. Throws SETTINGS_OF_SOMEBODY_ELSE. */
export const relayConfigFiles = (): readonly string[] =>
  withWorkingFolder([relayPlaces().envFile, relayPlaces(homePrefix()).envFile], 'relay.toml')

/** The file of the working folder comes last. Who can write to that folder must not decide what root runs: a stranger's file is refused. */
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

/** Root sets up the machine, everybody else their own folder. */
export const defaultPrefix = (uid: number | undefined = process.getuid?.()): string | undefined =>
  uid === 0 ? undefined : homePrefix()

/** The saved tills of this user account. */
export const tillProfilesFile = (): string => join(homePrefix(), 'tills.json')

/** Env files that commands look for when none is named, first hit wins. */
export const usualEnvFiles = (): readonly string[] => [tillPlaces(homePrefix()).envFile, tillPlaces().envFile]

/** Files inside the data directory. */
export const dataFiles = (dataDir: string) => ({
  /** The sealed seed. */
  seed: join(dataDir, 'wallet', 'seed.json'),
  /** Stands beside a new wallet until its database is made: without it, a missing database is a lost one. */
  noDatabaseYet: join(dataDir, 'wallet', 'no-database-yet'),
  /** The till's Nostr key, encrypted (specification: invoicing, 4.1). */
  identity: join(dataDir, 'nostr', 'identity.json'),
})
