// Two tills of one wallet, one of which is killed at each step of a payment: its key is taken, its reply signed, committed, handed out; its webhook and
// its message are on their way. The other one does what is left, once.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandboxPayer, type HeldPayment, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type FaultRelay, startFaultRelay } from '../faults/fault-relay.js'
import { newRailPayer, payment, readWrap, slateIn } from '../faults/rail-payers.js'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace } from '../support/postgres/schemas.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'

const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const API_TOKEN = `pay_live_${'ab'.repeat(32)}`
const HOOK_SECRET = `whsec_${'ef'.repeat(32)}`
const AMOUNT = 1_250_000_000n
const NAMES = ['one', 'two'] as const
type Name = (typeof NAMES)[number]
/** Rows that a dead instance had are free again after a minute. */
const AGAIN_MS = 100_000
/** The contract's bar. */
const TAKEN_OVER_MS = 12_000

let cluster: Cluster
let place: DatabasePlace
let folder: string
let relay: FaultRelay
let hooks: HookReceiver
let payer: SandboxPayer
let isShopSilent = false
const closers: (() => unknown)[] = []
const tills = new Map<Name, TillProcess>()
let settings: (name: Name) => Promise<Readonly<Record<string, string>>>

beforeAll(async () => {
  cluster = await startCluster()
  place = await freshTillPlace(cluster.url())
  folder = mkdtempSync(join(tmpdir(), 'grinpay-deaths-'))
  const workers = createRangeWorkers({ threads: 1 })
  const chain = { verify: workers.verify, clock: systemClock, random: systemRandom, blockEvery: 500 }
  const node = await startSandboxNode(chain)
  payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  await payer.fund(12)
  relay = await startFaultRelay()
  hooks = await startHookReceiver(HOOK_SECRET, () => !isShopSilent)
  closers.push(hooks.close, relay.close, node.close, workers.close)
  settings = async (name) => ({
    PAY_BIND: `127.0.0.1:${await freePort()}`,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: node.url,
    PAY_CONFIRMATIONS: '2',
    PAY_DATA_DIR: join(folder, name),
    PAY_DATABASE_URL: cluster.url(),
    PAY_DATABASE_SCHEMA: place.schema,
    PAY_MNEMONIC: WORDS,
    PAY_WALLET_PASSWORD: 'deaths-wallet',
    PAY_API_TOKEN: API_TOKEN,
    PAY_RATE_LIMITS: 'off',
    PAY_WEBHOOK_URL: hooks.url,
    PAY_WEBHOOK_SECRET: HOOK_SECRET,
    PAY_RELAY_MODE: 'external',
    PAY_RELAYS: relay.url,
    PAY_TOR_CONTROL: 'off',
  })
  await start('one')
  // The operator copies the identity of the first.
  cpSync(join(folder, 'one', 'nostr'), join(folder, 'two', 'nostr'), { recursive: true })
  await start('two')
}, 120_000)
afterAll(async () => {
  await Promise.all([...tills.values()].map((till) => till.kill()))
  for (const close of closers) await close()
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: Name): Promise<void> {
  tills.set(name, await startTillProcess(await settings(name)))
}

function till(name: Name): TillProcess {
  const running = tills.get(name)
  if (!running) throw new Error(`${name} was not started`)
  return running
}

const otherOf = (name: Name): Name => (name === 'one' ? 'two' : 'one')
const sql = (text: string) => cluster.nodes[0].sql(text.replaceAll('@', `${place.schema}.`))

interface Invoice {
  readonly invoice_id: string
  readonly token: string
  readonly recipient_pubkey: string
}

async function order(name: Name): Promise<Invoice> {
  const answer = await fetch(`${till(name).url}/invoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_grin: Number(AMOUNT) }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Invoice
}

const paste = (name: Name, { token }: Invoice, held: HeldPayment): Promise<string> =>
  payer.paste(`${till(name).url}/pay/${token}`, held)

/** Something that keeps a till at a step until it is over. */
interface Obstacle {
  /** Resolves when a till stands before it. */
  reached(): Promise<void>
  remove(): Promise<void>
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await isSo()); await sleep(2))
    if (Date.now() > end) throw new Error('the step was not reached')
}

const LOCK = 4242

/** Changes of such rows wait. */
async function barrierBefore(event: string, table: string, condition = ''): Promise<Obstacle> {
  const keeper = new pg.Client({
    host: '127.0.0.1',
    port: cluster.nodes[0].port,
    user: 'grinpay',
    database: 'postgres',
  })
  await keeper.connect()
  await keeper.query(`SELECT pg_advisory_lock(${LOCK})`)
  await sql(`CREATE OR REPLACE FUNCTION @wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NEW; END $$`)
  await sql(
    `CREATE TRIGGER wait_here BEFORE ${event} ON @${table} FOR EACH ROW ${condition} EXECUTE FUNCTION @wait_here()`,
  )
  return {
    reached: () =>
      waitUntil(
        async () => (await sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0,
      ),
    async remove() {
      await keeper.end()
      await sql(`DROP TRIGGER wait_here ON @${table}`)
    },
  }
}

/** Nothing is kept: the till is at work when the counter has risen. */
async function afterNextKey(): Promise<Obstacle> {
  const next = async () => Number((await sql('SELECT next_key_index FROM @wallet'))[0]?.next_key_index)
  const before = await next()
  return { reached: () => waitUntil(async () => (await next()) > before), remove: async () => {} }
}

/** No standby answers, so the commit waits. */
async function withoutStandbys(): Promise<Obstacle> {
  const [, ...standbys] = cluster.nodes
  // The key of before is committed by then.
  const barrier = await barrierBefore('INSERT', 'payment')
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%COMMIT%'"
  return {
    async reached() {
      await barrier.reached()
      for (const node of standbys) node.freeze()
      // Its removal would wait for a standby, too; the till goes on when the lock is free.
      void barrier.remove().catch(() => undefined)
      await waitUntil(async () => (await sql(waiting)).length > 0)
    },
    async remove() {
      for (const node of standbys) node.thaw()
    },
  }
}

const STEPS: Readonly<Record<string, () => Promise<Obstacle>>> = {
  'takes a key': () => barrierBefore('UPDATE', 'wallet'),
  signs: afterNextKey,
  'stores the payment': () => barrierBefore('INSERT', 'payment'),
  'waits for its commit': withoutStandbys,
  'hands out the reply': () =>
    barrierBefore('UPDATE', 'payment', "WHEN (OLD.settlement = 'received' AND NEW.settlement = 'replied')"),
}

const paid: { readonly invoice: Invoice; readonly held: HeldPayment; readonly reply: string }[] = []

test.each(Object.entries(STEPS).map(([step, open], at) => [step, open, at] as const))(
  'a till that is killed while it %s: the other one answers the payer, with one payment and one key',
  async (_step, open, at) => {
    const victim = NAMES[at % 2] ?? 'one'
    const survivor = otherOf(victim)
    const invoice = await order(survivor)
    const held = payer.begin(AMOUNT)
    const obstacle = await open()
    const lost = paste(victim, invoice, held).catch(() => undefined)
    await obstacle.reached()
    await till(victim).kill()
    await obstacle.remove()
    const first = await lost
    let reply: string | undefined
    await expect
      .poll(async () => (reply = await paste(survivor, invoice, held).catch(() => undefined)), { timeout: 20_000 })
      .toContain('BEGINSLATEPACK')
    if (first !== undefined) expect(first).toBe(reply)
    await start(victim)
    expect(await paste(victim, invoice, held)).toBe(reply)
    expect(await sql(`SELECT 1 FROM @payment WHERE id = '${held.slateId}'`)).toHaveLength(1)
    await payer.push(await payer.finish(held, reply ?? ''))
    paid.push({ invoice, held, reply: reply ?? '' })
  },
)

/** As its log says. */
const holdsRails = (name: Name): boolean => {
  const text = till(name).output()
  return text.lastIndexOf('a lease was taken') > text.lastIndexOf('a lease has ended')
}

test('a till that is killed while its webhook and its message are on their way: the other one sends both, as they are', async () => {
  await expect.poll(() => NAMES.some(holdsRails), { timeout: TAKEN_OVER_MS }).toBe(true)
  const victim = holdsRails('one') ? 'one' : 'two'
  const survivor = otherOf(victim)
  const invoice = await order(victim)
  const held = payer.begin(AMOUNT)
  const person = newRailPayer({
    ...{ s1: held.s1, slateId: held.slateId, isRival: false },
    ...{ to: invoice.recipient_pubkey, invoiceId: invoice.invoice_id },
  })
  const wraps: string[] = []
  relay.watcher = {
    posted(event) {
      if (!event.tags.some(([name, value]) => name === 'p' && value === person.pubkey)) return 'serve'
      wraps.push(event.id)
      return 'drop'
    },
  }
  const heard = () => hooks.events.filter(({ json }) => json.payment.slate_id === held.slateId)
  isShopSilent = true
  // So that it is the victim that does both.
  till(survivor).child.kill('SIGSTOP')
  relay.publish(payment(person, Date.now()))
  await expect.poll(() => [wraps.length, heard().length], { timeout: 8000, interval: 10 }).toEqual([1, 1])
  await till(victim).kill()
  const killedAt = performance.now()
  till(survivor).child.kill('SIGCONT')
  isShopSilent = false
  relay.watcher = {}
  await expect.poll(() => holdsRails(survivor), { timeout: TAKEN_OVER_MS, interval: 50 }).toBe(true)
  const takenOverMs = Math.round(performance.now() - killedAt)

  await expect
    .poll(() => [relay.wrapsTo(person.pubkey).length, heard().length], { timeout: AGAIN_MS, interval: 100 })
    .toEqual([1, 2])
  console.log({ takenOverMs, sentAgainMs: Math.round(performance.now() - killedAt) })
  const [wrap] = relay.wrapsTo(person.pubkey)
  expect(wrap?.id).toBe(wraps[0])
  const slate = wrap && slateIn(readWrap(person, wrap).content)
  expect(slate).toMatchObject({ id: held.slateId, state: 2 })
  expect(new Set(heard().map(({ body }) => body)).size).toBe(1)
  const reply = slate?.armor ?? ''
  await payer.push(await payer.finish(held, reply))
  paid.push({ invoice, held, reply })
}, 180_000)

test('in the end every payment is confirmed, each webhook came in its order and with one content, and no key was used twice', async () => {
  const slates = paid.map(({ held }) => held.slateId)
  expect(slates).toHaveLength(Object.keys(STEPS).length + 1)
  const eventsOf = (slate: string) => hooks.events.filter(({ json }) => json.payment.slate_id === slate)
  const isConfirmed = (slate: string) => eventsOf(slate).some(({ json }) => json.event_type === 'payment.confirmed')
  await expect
    .poll(() => slates.filter((slate) => !isConfirmed(slate)), { timeout: AGAIN_MS, interval: 200 })
    .toEqual([])
  for (const slate of slates) {
    const events = eventsOf(slate)
    const types = events.map(({ json }) => json.event_type)
    expect([...new Set(types)]).toEqual(['payment.received', 'payment.confirmed'])
    expect(new Set(events.map(({ body }) => body)).size).toBe(2)
    // Nothing of the first kind after the second.
    expect(types.lastIndexOf('payment.received')).toBeLessThan(types.indexOf('payment.confirmed'))
  }
  expect(hooks.faults).toEqual([])
  const rows = await sql('SELECT id, reply, key_index FROM @payment')
  expect(new Set(rows.map(({ key_index: key }) => key)).size).toBe(rows.length)
  expect(rows.map(({ id }) => String(id)).sort()).toEqual([...slates].sort())
  for (const { held, reply } of paid)
    expect(String(rows.find(({ id }) => id === held.slateId)?.reply).trim()).toBe(reply.trim())
  expect(await sql('SELECT 1 FROM @payment WHERE key_index >= (SELECT next_key_index FROM @wallet)')).toEqual([])
}, 120_000)
