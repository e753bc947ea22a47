// Two lives of one till: it is backed up in the middle of traffic, goes on, is killed, and comes back from the archive somewhere else.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { createSandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { startHookReceiver } from '../support/hook-receiver.js'
import { cleanEnvironment, freePort, ROOT, startTillProcess, type TillProcess } from '../support/till-process.js'
import { emptyLedger, keepBusy, type Ledger } from './till-load.js'

const API_TOKEN = `pay_live_${'ab'.repeat(32)}`
const HOOK_SECRET = `whsec_${'ef'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const AMOUNT = 1_250_000_000n
const PATIENCE_MS = 120_000

interface Ran {
  readonly exit: number | null
  readonly output: string
}

export interface BackupWorld {
  readonly folder: string
  readonly archive: string
  readonly restored: string
  readonly identityFile: string
  readonly passwordFile: string
  /** What was acknowledged before the backup began, and after it ended. */
  readonly before: Ledger
  readonly lost: Ledger
  /** What the restored till acknowledged. */
  readonly after: Ledger
  /** One slate that the lost till answered after the backup, pasted again. */
  readonly again: { readonly slateId: string; readonly lostReply: string; readonly reply: string }
  readonly hookFaults: readonly string[]
  grinpay(...args: readonly string[]): Promise<Ran>
  close(): Promise<void>
}

/** The built command, while the load goes on in this process. */
function runner(home: string) {
  return (...args: readonly string[]) =>
    new Promise<Ran>((resolve) => {
      const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
        env: cleanEnvironment({ HOME: home }),
        cwd: home,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      child.once('close', (exit) => resolve({ exit, output }))
    })
}

async function reached(what: string, isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 50) {
    if (waited > PATIENCE_MS) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const copyOf = ({ invoices, keys, held, replies, pushed }: Ledger): Ledger => ({
  invoices: new Map(invoices),
  keys: new Map(keys),
  held: new Map(held),
  replies: new Map(replies),
  pushed: new Set(pushed),
  contradictions: [],
})

/** Lives through it once. */
export async function liveTwice(): Promise<BackupWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-backup-'))
  const workers = createRangeWorkers({ threads: 1 })
  const chain = { verify: workers.verify, clock: systemClock, random: systemRandom, blockEvery: 200 }
  const node = await startSandboxNode(chain)
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const hooks = await startHookReceiver(HOOK_SECRET)
  const bind = `127.0.0.1:${await freePort()}`
  const grinpay = runner(folder)
  const identity = await generateIdentity()
  const at = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const identityFile = at('backup.key', `# a key\n${identity}\n`)
  const passwordFile = at('password', 'two lives')
  mkdirSync(join(folder, 'old'))
  const envFile = at(
    'old/pay.env',
    [
      'PAY_CHAIN=usernet',
      `PAY_NODE_URL=${node.url}`,
      'PAY_CONFIRMATIONS=2',
      `PAY_DATA_DIR=${join(folder, 'old/data')}`,
      `PAY_DB_PATH=${join(folder, 'old/data/pay.db')}`,
      `PAY_MNEMONIC_FILE=${at('words', WORDS)}`,
      `PAY_WALLET_PASSWORD_FILE=${passwordFile}`,
      `PAY_API_TOKEN_FILE=${at('token', API_TOKEN)}`,
      `PAY_WEBHOOK_SECRET_FILE=${at('hook-secret', HOOK_SECRET)}`,
      `PAY_WEBHOOK_URL=${hooks.url}`,
      'PAY_RATE_LIMITS=off',
      'PAY_BUNDLED_RELAY_BIND=off',
      '',
    ].join('\n'),
  )
  const start = (file: string): Promise<TillProcess> => startTillProcess({ PAY_BIND: bind }, ['--settings', file])
  const busy = (till: TillProcess, ledger: Ledger, shop: string) => {
    const stop = new AbortController()
    const done = keepBusy({ url: till.url, apiToken: API_TOKEN, payer, ledger, shop, stop: stop.signal })
    return () => {
      stop.abort()
      return done
    }
  }

  await payer.fund(40)
  const lost = emptyLedger()
  const old = await start(envFile)
  const stopOld = busy(old, lost, 'before')
  await reached('payments before the backup', () => lost.pushed.size >= 3)
  const before = copyOf(lost)
  const target = await createInvoice(old.url)
  const out = join(folder, 'archives')
  const recipient = await identityToRecipient(identity)
  const made = await grinpay('backup', 'create', '--settings', envFile, '--out', out, '--encrypt-to', recipient, '-q')
  if (made.exit !== 0) throw new Error(made.output)
  const answered = lost.replies.size
  const held = payer.begin(AMOUNT)
  const lostReply = await payer.paste(target, held)
  await reached('payments after the backup', () => lost.replies.size >= answered + 3)
  await old.kill()
  await stopOld()

  const archive = made.output.trim()
  const restored = join(folder, 'new')
  const back = await grinpay('restore', archive, '--to', restored, '--identity-file', identityFile, '--daemon', 'pay')
  if (back.exit !== 0) throw new Error(back.output)
  const after = emptyLedger()
  const till = await start(join(restored, 'pay.env'))
  // The browser of a customer who was answered by the lost till asks again.
  const reply = await payer.paste(target, held)
  const stopNew = busy(till, after, 'after')
  await reached('payments of the restored till', () => after.pushed.size >= 3)
  await stopNew()
  await reached('a confirmed payment of the restored till', () =>
    hooks.events.some(
      ({ json }) => json.event_type === 'payment.confirmed' && after.pushed.has(String(json.payment.slate_id)),
    ),
  )
  await till.stop()

  return {
    ...{ folder, archive, restored, identityFile, passwordFile, before, lost, after, grinpay },
    again: { slateId: held.slateId, lostReply, reply },
    hookFaults: hooks.faults,
    async close() {
      await hooks.close()
      await node.close()
      await workers.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function createInvoice(url: string): Promise<string> {
  const answer = await fetch(`${url}/invoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_grin: Number(AMOUNT) }),
  })
  const { token } = (await answer.json()) as { token: string }
  return `${url}/pay/${token}`
}

interface UsedKey {
  readonly index: number
  readonly slateId: string
  readonly commitment: string
}

/** Every key that this database says was used for a payment. */
export function usedKeys(path: string): readonly UsedKey[] {
  const db = openSqlite(path, 'reading')
  try {
    return db.all('SELECT key_index, id, hex(commitment) FROM payment').map(([index, slateId, commitment]) => ({
      index: Number(index),
      slateId: String(slateId),
      commitment: String(commitment),
    }))
  } finally {
    db.close()
  }
}

/**
 * Keys and outputs that both lives used, or one life twice. A payment that the backup knows is in both databases under one slate with one reply: that
 * is the same use.
 */
export function doubledKeys(
  lost: readonly UsedKey[],
  restored: readonly UsedKey[],
  known: ReadonlySet<string>,
): readonly string[] {
  const uses = [...lost, ...restored.filter(({ slateId }) => !known.has(slateId))]
  const seen = new Set<string>()
  return uses.flatMap(({ index, commitment, slateId }) =>
    [`key ${index}`, `output ${commitment}`].flatMap((use) => {
      if (!seen.has(use)) {
        seen.add(use)
        return []
      }
      return [`${use} was used again for ${slateId}`]
    }),
  )
}
