// The embedded defaults of the sandbox, as the settings of an ordinary till.
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
}

/** Few enough that an invoice is confirmed within seconds, more than one so that the depth can be seen growing. */
export const SANDBOX_CONFIRMATIONS = 3

/** Variables as `serve pay` reads them from its environment. */
export function sandboxVariables({ directory, secrets }: SandboxHome, addresses: SandboxAddresses) {
  const { port, nodeUrl, webhookUrl, relayUrl, foreignPort } = addresses
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
    PAY_RATE_LIMITS: 'off',
    PAY_RATE_CURRENCIES: 'usd,eur',
    PAY_RATE_SOURCE: 'fixed:usd=0.05,eur=0.05',
    PAY_DB_PATH: join(directory, 'pay.db'),
    PAY_DATA_DIR: directory,
    PAY_WALLET_PASSWORD: secrets.walletPassword.reveal(),
  }
}
