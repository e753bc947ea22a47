// What a till with the Nostr rail needs around it, and the shop and the payers of one fault round.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandboxPayer, type HeldPayment, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { startHookReceiver } from '../support/hook-receiver.js'
import { armoredS1 } from '../support/hostile-slatepacks.js'
import { freePort } from '../support/till-process.js'
import { startFaultRelay } from './fault-relay.js'
import { purseOf, type RailWorld } from './rail-checker.js'
import { newRailPayer, payment, type RailPayer } from './rail-payers.js'

const API_TOKEN = `pay_live_${'ab'.repeat(32)}`
const ADMIN_TOKEN = `pay_admin_${'cd'.repeat(32)}`
const HOOK_SECRET = `whsec_${'ef'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
export const AMOUNT = 1_250_000_000n

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until something is so, looking often; false when it never was. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; !(await isSo()); await pause(10)) if (Date.now() > end) return false
  return true
}

export interface PayOptions {
  readonly isRival?: boolean
  /** With coins of a real purse, to be pushed later. */
  readonly isReal?: boolean
  /** Last block height at which the S1 is good. */
  readonly ttl?: bigint
}

export interface Invoice {
  readonly id: string
  readonly pubkey: string
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A node, a shop, two relays, payers. The test starts the till itself. */
export async function openStage({ coins = 0 }: { readonly coins?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-rail-faults-'))
  const workers = createRangeWorkers({ threads: 1 })
  const clock = { verify: workers.verify, clock: systemClock, random: systemRandom }
  const node = await startSandboxNode({ ...clock, blockEvery: 1000 })
  const hooks = await startHookReceiver(HOOK_SECRET)
  const relays = [await startFaultRelay(), await startFaultRelay()] as const
  const purse: SandboxPayer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  if (coins > 0) await purse.fund(coins)
  const url = `http://127.0.0.1:${await freePort()}`
  const path = join(folder, 'pay.db')
  const payers: RailPayer[] = []
  const held = new Map<string, HeldPayment>()
  const invoices = new Set<string>()
  const pushed = new Set<string>()
  const world: RailWorld = { path, relays, payers, invoices }

  async function api(path: string, body?: object): Promise<Record<string, unknown>> {
    const token = body ? API_TOKEN : ADMIN_TOKEN
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }

  function begin({ isReal = false, ttl = 0n }: PayOptions): { readonly s1: string; readonly slateId: string } {
    if (!isReal) {
      const id = systemRandom.uuid()
      return { slateId: id, s1: armoredS1({ amount: AMOUNT }, { id, ttl }) }
    }
    const one = purse.begin(AMOUNT)
    held.set(one.slateId, one)
    return one
  }

  return {
    url,
    world,
    relays,
    hooks,
    node,
    pushed,
    settings: {
      PAY_BIND: new URL(url).host,
      PAY_CHAIN: 'usernet',
      PAY_NODE_URL: node.url,
      PAY_CONFIRMATIONS: '2',
      // Rounds may last for days of the till's time.
      PAY_SETTLE_TIMEOUT: '31536000',
      PAY_DATA_DIR: join(folder, 'data'),
      PAY_DB_PATH: path,
      PAY_MNEMONIC: WORDS,
      PAY_WALLET_PASSWORD: 'faults-wallet',
      PAY_API_TOKEN: API_TOKEN,
      PAY_ADMIN_TOKEN: ADMIN_TOKEN,
      PAY_RATE_LIMITS: 'off',
      PAY_WEBHOOK_URL: hooks.url,
      PAY_WEBHOOK_SECRET: HOOK_SECRET,
      PAY_RELAY_MODE: 'external',
      PAY_RELAYS: relays.map((relay) => relay.url).join(','),
      PAY_TOR_CONTROL: 'off',
    },
    status: () => api('/admin/status'),
    async invoice(): Promise<Invoice> {
      const { invoice_id: id, recipient_pubkey: pubkey } = await api('/invoice', { amount_grin: Number(AMOUNT) })
      invoices.add(String(id))
      return { id: String(id), pubkey: String(pubkey) }
    },
    /** A payer who is about to pay this invoice. */
    payer({ id, pubkey }: Invoice, options: PayOptions = {}): RailPayer {
      const about = { ...begin(options), to: pubkey, invoiceId: id, isRival: options.isRival ?? false }
      const payer = newRailPayer(about)
      payers.push(payer)
      return payer
    },
    /** Sends the S1 to these relays, in one wrap or in one for each. True when some relay took it. */
    send(payer: RailPayer, to: readonly (typeof relays)[number][], now: number, separately = false): boolean {
      const common = payment(payer, now)
      const wraps = to.map((_, at) => (separately && at > 0 ? payment(payer, now) : common))
      return to.map((relay, at) => relay.publish(wraps[at] ?? common)).includes(true)
    },
    /** It pays with real coins, which are spent later. */
    holds: ({ slateId }: RailPayer) => held.has(slateId),
    /** Real coins are spent once the S2 is there. */
    async finish(payer: RailPayer): Promise<void> {
      const one = held.get(payer.slateId)
      const [armor] = purseOf(payer, relays).replies.keys()
      if (!one || armor === undefined || pushed.has(payer.slateId)) return
      await purse.push(await purse.finish(one, armor))
      pushed.add(payer.slateId)
    },
    async close() {
      for (const relay of relays) await relay.close()
      await hooks.close()
      await node.close()
      await workers.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
