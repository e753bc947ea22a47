// The embedded defaults of the sandbox, as the settings of an ordinary till and an ordinary name authority.
import { join } from 'node:path'
import type { SandboxHome } from './home.js'
import type { Print } from './story.js'

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
const SANDBOX_CONFIRMATIONS = 3

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
const SANDBOX_DOMAIN = 'sandbox.example'
const SANDBOX_NAME_PRICE = '0.5'

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

// What a developer needs to point a shop at the sandbox, printed before the story begins.

export interface Introduction {
  readonly print: Print
  /** Prints a line that is copied into a shell: nothing stands before it. */
  readonly printBare: Print
  readonly url: string
  readonly namesUrl: string
  readonly salesUrl: string
  readonly nodeUrl: string
  readonly relayUrl: string
  /** Signs in to the till's console, once. */
  readonly consoleLink: string
  readonly home: SandboxHome
  readonly blockEveryMs: number
  /** Commands need `--node` when the node listens elsewhere. */
  readonly usualNodePort: number
  /** How a shell finds this program. */
  readonly command: 'grinpay' | 'npx grinpay'
}

/** What commands need besides when the node listens elsewhere. */
export function nodePortFlag(nodeUrl: string, usualNodePort: number): string {
  const port = Number(new URL(nodeUrl).port)
  return port === usualNodePort ? '' : ` --node-port ${port}`
}

/** Prints addresses, tokens (they open this sandbox only) and the lines to copy. */
export function introduce(introduction: Introduction): void {
  const {
    print,
    printBare,
    url,
    consoleLink,
    namesUrl,
    salesUrl,
    nodeUrl,
    relayUrl,
    home,
    blockEveryMs,
    usualNodePort,
    command,
  } = introduction
  const flag = nodePortFlag(nodeUrl, usualNodePort)
  const token = home.secrets.apiToken.reveal()
  print('running on this machine only; nothing here is worth anything')
  print()
  print(`console         ${consoleLink}  opens once, within 10 minutes`)
  print(`till            ${url}`)
  print(
    `node            ${nodeUrl}/v2/foreign  a block every ${blockEveryMs / 1000} s, ${SANDBOX_CONFIRMATIONS} confirm`,
  )
  print(`relay           ${relayUrl}  for gift-wrapped slatepacks`)
  print(`names           ${namesUrl}  ${SANDBOX_DOMAIN}, ${SANDBOX_NAME_PRICE} GRIN each, on the relay's port`)
  print(`sales           ${salesUrl}  the same names, to be sold on`)
  print(`folder          ${home.directory}`)
  print(`API token       ${token}`)
  print(`admin token     ${home.secrets.adminToken.reveal()}`)
  print(`webhook secret  ${home.secrets.webhookSecret.reveal()}`)
  print()
  print('create an invoice from your shop, or with')
  printBare(`  curl -s -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\`)
  printBare(`    -d '{"amount_grin":1500000000,"order_ref":"order-1"}' ${url}/invoice | grep -o '"pay_url":"[^"]*"'`)
  print('then pay it, let the chain run, or turn it back')
  printBare(`  ${command} sandbox pay <pay_url or invoice id>${flag}   (--rail nostr, slatepack or grin1)`)
  printBare(`  ${command} sandbox mine 3${flag}`)
  printBare(`  ${command} sandbox reorg 2${flag}`)
  print('another link to the console, good for a minute')
  printBare(`  ${command} sandbox console${flag}`)
  print('a name of the sandbox, and who holds it')
  printBare(`  curl ${namesUrl}/api/v1/name/alice`)
  printBare(`  curl '${namesUrl}/.well-known/nostr.json?name=alice'`)
  print('Ctrl-C ends the sandbox')
  print()
}
