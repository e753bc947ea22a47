// A built till on a private chain, with a shop that checks its webhooks: what the interop suites of the payment rails share.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'
import type { Usernet } from '../support/usernet.js'

const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const API_TOKEN = `pay_live_${'a1'.repeat(32)}`
const ADMIN_TOKEN = `pay_admin_${'b2'.repeat(32)}`
const HOOK_SECRET = `whsec_${'c3'.repeat(32)}`
const NANO = 1_000_000_000

export interface InvoiceAnswer {
  readonly invoice_id: string
  readonly token: string
  readonly pay_url: string
  readonly pay_link: string
  readonly nprofile: string
  readonly recipient_pubkey: string
  readonly status: string
  readonly confirmations: number
  readonly payment_id: string | null
}

export interface RealTill {
  readonly url: string
  readonly hooks: HookReceiver
  /** For files of the test; goes away with the till. */
  readonly dir: string
  output(): string
  createInvoice(grin: number, extra?: object): Promise<InvoiceAnswer>
  /** As the shop. */
  get<T>(path: string): Promise<T>
  invoice(id: string): Promise<InvoiceAnswer>
  /** Asks every quarter of a second. */
  until(id: string, reached: (now: InvoiceAnswer) => boolean, ms?: number): Promise<InvoiceAnswer>
  /** Ends the process as systemd would. */
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again with the same data on the same port. */
  start(): Promise<void>
  clean(): Promise<void>
}

/** Starts the till beside that node; `settings` come on top of what every till needs. */
export async function startRealTill(net: Usernet, settings: Readonly<Record<string, string>> = {}): Promise<RealTill> {
  const dir = mkdtempSync(join(tmpdir(), 'grinpay-rails-'))
  const hooks = await startHookReceiver(HOOK_SECRET)
  const all = {
    PAY_BIND: `127.0.0.1:${await freePort()}`,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: net.nodeUrl,
    PAY_DATA_DIR: join(dir, 'data'),
    PAY_DB_PATH: join(dir, 'pay.db'),
    PAY_MNEMONIC: WORDS,
    PAY_WALLET_PASSWORD: 'interop password',
    PAY_API_TOKEN: API_TOKEN,
    PAY_ADMIN_TOKEN: ADMIN_TOKEN,
    PAY_WEBHOOK_URL: hooks.url,
    PAY_WEBHOOK_SECRET: HOOK_SECRET,
    ...settings,
  }
  let process: TillProcess = await startTillProcess(all)
  let earlier = ''

  async function api<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${process.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const invoice = (id: string) => api<InvoiceAnswer>('GET', `/invoice/${id}`)
  const output = () => earlier + process.output()

  async function until(id: string, reached: (now: InvoiceAnswer) => boolean, ms = 60_000): Promise<InvoiceAnswer> {
    for (let waited = 0; ; waited += 250) {
      const now = await invoice(id)
      if (reached(now)) return now
      if (waited > ms)
        throw new Error(`still ${now.status}, ${now.confirmations} confirmations\n${output().slice(-4000)}`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  return {
    url: process.url,
    hooks,
    dir,
    output,
    get: (path) => api('GET', path),
    createInvoice: (grin, extra = {}) => api('POST', '/invoice', { amount_grin: Math.round(grin * NANO), ...extra }),
    invoice,
    until,
    async stop() {
      await process.stop()
      earlier = output()
    },
    async kill() {
      await process.kill()
      earlier = output()
    },
    async start() {
      process = await startTillProcess(all)
    },
    async clean() {
      await process.stop()
      await hooks.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
