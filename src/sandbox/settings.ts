// The embedded defaults of the sandbox, as the settings of an ordinary till and an ordinary name authority.
import { join } from 'node:path'
import type { SandboxHome } from './home.js'

export interface SandboxAddresses {
  /** Port of the till. */
  readonly port: number
  readonly nodeUrl: string
  readonly webhookUrl: string
  readonly relayUrl: string
  /** Where the till's Foreign API listens; there is no Tor in the sandbox. */
  readonly foreignPort: number
  /** Absent: no console. */
  readonly consolePort?: number
  /** Settings file with the names of the sandbox, for the console. */
  readonly namesFile?: string
}

/** Few enough that an invoice is confirmed within seconds, more than one so that the depth can be seen growing. */
export const SANDBOX_CONFIRMATIONS = 3

/** Variables as `serve pay` reads them from its environment. */
export function sandboxVariables({ directory, secrets }: SandboxHome, addresses: SandboxAddresses) {
  const { port, nodeUrl, webhookUrl, relayUrl, foreignPort, consolePort, namesFile } = addresses
  return {
    PAY_CHAIN: 'sandbox',
    PAY_NODE_URL: nodeUrl,
    PAY_BIND: `127.0.0.1:${port}`,
    PAY_API_TOKEN: secrets.apiToken.reveal(),
    PAY_ADMIN_TOKEN: secrets.adminToken.reveal(),
    PAY_WEBHOOK_URL: webhookUrl,
    PAY_WEBHOOK_SECRET: secrets.webhookSecret.reveal(),
    PAY_CONFIRMATIONS: String(SANDBOX_CONFIRMATIONS),
    PAY_RELAY_MODE: 'external',
    PAY_RELAYS: relayUrl,
    PAY_GRIN1_RAIL: 'on',
    PAY_GRIN1_FOREIGN_PORT: String(foreignPort),
    PAY_TOR_CONTROL: 'off',
    ...(consolePort === undefined ? {} : { PAY_CONSOLE: 'on', PAY_CONSOLE_BIND: `127.0.0.1:${consolePort}` }),
    ...(namesFile === undefined ? {} : { PAY_CONSOLE_NAMEAUTH: namesFile }),
    PAY_RATE_LIMITS: 'off',
    PAY_RATE_CURRENCIES: 'usd,eur',
    PAY_RATE_SOURCE: 'fixed:usd=0.05,eur=0.05',
    PAY_DB_PATH: join(directory, 'pay.db'),
    PAY_DATA_DIR: directory,
    PAY_WALLET_PASSWORD: secrets.walletPassword.reveal(),
  }
}

/** A domain reserved for examples. */
export const SANDBOX_DOMAIN = 'sandbox.example'
export const SANDBOX_NAME_PRICE = '0.5'

export interface RelayAddresses {
  readonly relayPort: number
  /** Who makes the invoices of its name authority. */
  readonly tillUrl: string
}

/** Variables as `serve relay` reads them from its environment: the names are sold on its port, by its process. */
export function sandboxRelayVariables({ directory, secrets }: SandboxHome, { relayPort, tillUrl }: RelayAddresses) {
  const relayUrl = `ws://127.0.0.1:${relayPort}`
  return {
    RELAY_INFO_NAME: 'Sandbox relay',
    RELAY_INFO_RELAY_URL: relayUrl,
    RELAY_NETWORK_PORT: String(relayPort),
    RELAY_DATABASE_DATA_DIRECTORY: directory,
    RELAY_NAME_AUTHORITY_ENABLED: 'true',
    RELAY_NAME_AUTHORITY_DOMAIN: SANDBOX_DOMAIN,
    RELAY_NAME_AUTHORITY_BASE_URL: `http://127.0.0.1:${relayPort}`,
    RELAY_NAME_AUTHORITY_RELAYS: relayUrl,
    // The cooldown and the limits of a public host would only be in the developer's way.
    RELAY_NAME_AUTHORITY_COOLDOWN_SECONDS: '0',
    RELAY_NAME_AUTHORITY_READ_RATE_MAX: '100000',
    RELAY_NAME_AUTHORITY_WRITE_RATE_MAX: '100000',
    RELAY_PAY_MODE: 'name',
    RELAY_PAY_NAME_PRICE_GRIN: SANDBOX_NAME_PRICE,
    RELAY_PAY_URL: tillUrl,
    RELAY_PAY_API_TOKEN: secrets.apiToken.reveal(),
    RELAY_PAY_WEBHOOK_SECRET: secrets.webhookSecret.reveal(),
    RELAY_PAY_POLL_INTERVAL_SECS: '1',
  }
}

/** What the console reads of the name authority: where the names are, and no secret. */
export const sandboxNamesFile = ({ directory }: Pick<SandboxHome, 'directory'>): string =>
  `NAMEAUTH_DOMAIN=${SANDBOX_DOMAIN}\nNAMEAUTH_DATA_DIR="${directory}"\n`

export interface NameAddresses {
  /** Port of the name authority. */
  readonly namesPort: number
  /** Who makes its invoices. */
  readonly tillUrl: string
  readonly nodeUrl: string
  readonly relayUrl: string
}

/** Variables as `serve nameauth` reads them from its environment: the same names as the relay's, and their sale. */
export function sandboxNameVariables({ directory, secrets }: SandboxHome, addresses: NameAddresses) {
  const { namesPort, tillUrl, nodeUrl, relayUrl } = addresses
  const bind = `127.0.0.1:${namesPort}`
  return {
    NAMEAUTH_DOMAIN: SANDBOX_DOMAIN,
    NAMEAUTH_BASE_URL: `http://${bind}`,
    NAMEAUTH_NAMES_BIND: bind,
    NAMEAUTH_RELAYS: relayUrl,
    NAMEAUTH_DATA_DIR: directory,
    NAMEAUTH_PAY_MODE: 'name',
    NAMEAUTH_NAME_PRICE_GRIN: SANDBOX_NAME_PRICE,
    NAMEAUTH_PAY_URL: tillUrl,
    NAMEAUTH_PAY_TOKEN: secrets.apiToken.reveal(),
    NAMEAUTH_PAY_WEBHOOK_SECRET: secrets.webhookSecret.reveal(),
    NAMEAUTH_PAID_POLL_INTERVAL_SECS: '1',
    NAMEAUTH_TRANSFERS: 'on',
    NAMEAUTH_GRIN_NODE_URL: `${nodeUrl}/v2/foreign`,
    NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: '0',
    NAMEAUTH_READ_RATE_MAX: '100000',
    NAMEAUTH_WRITE_RATE_MAX: '100000',
  }
}
