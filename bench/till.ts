// The whole till as an operator runs it, in a process of its own, with a wallet and a database; only the node is missing.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startDaemon } from '../test/support/till-process.js'
import type { Server } from './load.js'
import { preloadInvoices } from './preload.js'
import { residentMb } from './process.js'

const TOKEN = `pay_live_${'ab'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'

export const API = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

export interface BenchTill extends Server {
  /** The same settings as a file, for commands. */
  readonly envFile: string
  readonly residentMb: () => number
  stop(): Promise<unknown>
}

export interface BenchTillOptions {
  /** Finished invoices that are there before it starts. */
  readonly preloaded?: number
  /** Fills its database instead, while it does not run. */
  readonly fill?: (path: string) => void
  /** Instead of, or beside, the usual ones. */
  readonly settings?: Readonly<Record<string, string>>
  /** Of another build. */
  readonly entry?: string
}

/** Everything it keeps goes into the folder. */
export async function startTill(
  folder: string,
  { preloaded = 0, fill, ...other }: BenchTillOptions = {},
): Promise<BenchTill> {
  mkdirSync(folder, { recursive: true })
  const settings = { ...(await settingsIn(folder)), ...other.settings }
  const envFile = join(folder, 'pay.env')
  writeFileSync(
    envFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  )
  const preload = fill ?? (preloaded > 0 ? (path: string) => preloadInvoices(path, preloaded, Date.now()) : undefined)
  const start = () => startDaemon({ ...other, command: ['serve', 'pay'], settings, bind: settings.PAY_BIND })
  if (preload) {
    await (await start()).stop()
    preload(settings.PAY_DB_PATH)
  }
  const { url, child, stop } = await start()
  const pid = child.pid ?? 0
  return { url, pid, envFile, stop, residentMb: () => residentMb(pid) }
}

const settingsIn = async (folder: string) => ({
  PAY_BIND: `127.0.0.1:${await freePort()}`,
  PAY_CHAIN: 'usernet',
  PAY_NODE_URL: 'http://127.0.0.1:9',
  PAY_DATA_DIR: join(folder, 'data'),
  PAY_DB_PATH: join(folder, 'pay.db'),
  PAY_MNEMONIC: WORDS,
  PAY_WALLET_PASSWORD: 'bench-wallet',
  PAY_API_TOKEN: TOKEN,
  PAY_RATE_LIMITS: 'off', // all requests come from one address
  PAY_RELAY_MODE: 'external',
  PAY_RELAYS: 'wss://relay.one.example,wss://relay.two.example',
})
