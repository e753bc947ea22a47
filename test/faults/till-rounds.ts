// kill -9 rounds of a whole till under load: real process, real database, a chain that checks, a shop that verifies signatures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'
import { findLosses } from './till-checker.js'
import { emptyLedger, keepBusy, type Ledger } from './till-load.js'

const API_TOKEN = `pay_live_${'ab'.repeat(32)}`
const ADMIN_TOKEN = `pay_admin_${'cd'.repeat(32)}`
const HOOK_SECRET = `whsec_${'ef'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const COINS = 40
const ALIVE_MS = 900
/** Fewer replies show nothing: on a slow machine more rounds follow, three times as many at most. */
const LEAST_REPLIES = 2

export interface TillRoundsReport {
  readonly rounds: number
  readonly invoices: number
  readonly replies: number
  readonly pushed: number
  readonly events: number
  readonly losses: readonly string[]
}

/** Kills the till `rounds` times at random moments, lets it recover once, and compares. */
export async function runTillRounds(rounds: number): Promise<TillRoundsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-faults-'))
  const workers = createRangeWorkers({ threads: 1 })
  const node = await startSandboxNode({
    verify: workers.verify,
    clock: systemClock,
    random: systemRandom,
    blockEvery: 200,
  })
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const hooks = await startHookReceiver(HOOK_SECRET)
  const settings = {
    PAY_BIND: `127.0.0.1:${await freePort()}`,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: node.url,
    PAY_CONFIRMATIONS: '2',
    PAY_DATA_DIR: join(folder, 'data'),
    PAY_DB_PATH: join(folder, 'pay.db'),
    PAY_MNEMONIC: WORDS,
    PAY_WALLET_PASSWORD: 'faults-wallet',
    PAY_API_TOKEN: API_TOKEN,
    PAY_ADMIN_TOKEN: ADMIN_TOKEN,
    PAY_RATE_LIMITS: 'off',
    PAY_WEBHOOK_URL: hooks.url,
    PAY_WEBHOOK_SECRET: HOOK_SECRET,
  }
  const ledger = emptyLedger()
  try {
    await payer.fund(COINS)
    const isEnough = (done: number) => done >= (ledger.replies.size < LEAST_REPLIES ? 3 * rounds : rounds)
    let done = 0
    for (; !isEnough(done); done++) {
      const till = await startTillProcess(settings)
      await busyUntilKilled(till, payer, ledger)
    }
    await recover(await startTillProcess(settings), hooks, ledger)
    const losses = [...findLosses(settings.PAY_DB_PATH, ledger, hooks.events), ...hooks.faults]
    const { invoices, replies, pushed } = ledger
    return {
      rounds: done,
      invoices: invoices.size,
      replies: replies.size,
      pushed: pushed.size,
      events: hooks.events.length,
      losses,
    }
  } finally {
    await hooks.close()
    await node.close()
    await workers.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function busyUntilKilled(
  till: TillProcess,
  payer: Parameters<typeof keepBusy>[0]['payer'],
  ledger: Ledger,
): Promise<void> {
  const stop = new AbortController()
  const busy = keepBusy({ url: till.url, apiToken: API_TOKEN, payer, ledger, stop: stop.signal })
  await new Promise((resolve) => setTimeout(resolve, Math.random() * ALIVE_MS))
  await till.kill()
  stop.abort()
  await busy
}

/** Lets the till do what it owes: every event delivered, then a clean end. */
async function recover(till: TillProcess, hooks: HookReceiver, ledger: Ledger): Promise<void> {
  const settled = async () => {
    const answer = await fetch(`${till.url}/admin/status`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    const { webhooks } = (await answer.json()) as { webhooks: { pending: number } }
    const confirmed = hooks.events.filter(({ json }) => json.event_type === 'payment.confirmed')
    const ids = new Set(confirmed.map(({ json }) => String(json.payment.slate_id)))
    return webhooks.pending === 0 && [...ledger.pushed].every((id) => ids.has(id))
  }
  for (let tries = 0; tries < 240 && !(await settled()); tries++)
    await new Promise((resolve) => setTimeout(resolve, 500))
  await till.stop()
}
