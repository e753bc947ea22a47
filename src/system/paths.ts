// Where things lie: the machine-wide places under root, one folder otherwise.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** All places that setup writes to and commands read from. */
export interface TillPlaces {
  readonly envFile: string
  readonly secretsDir: string
  readonly dataDir: string
  readonly dbPath: string
  readonly unitFile: string
  /** Drop-ins of the unit. */
  readonly dropInDir: string
}

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

/** The folder of a till that an ordinary user set up. */
const homePrefix = (): string => join(homedir(), '.grinpay')

/** Root sets up the machine, everybody else their own folder. */
export const defaultPrefix = (uid: number | undefined = process.getuid?.()): string | undefined =>
  uid === 0 ? undefined : homePrefix()

/** Env files that commands look for when none is named, first hit wins. */
export const usualEnvFiles = (): readonly string[] => [tillPlaces(homePrefix()).envFile, tillPlaces().envFile]

/** Files inside the data directory. */
export const dataFiles = (dataDir: string) => ({
  /** The sealed seed. */
  seed: join(dataDir, 'wallet', 'seed.json'),
  /** The till's Nostr key, encrypted (specification: invoicing, 4.1). */
  identity: join(dataDir, 'nostr', 'identity.json'),
})
