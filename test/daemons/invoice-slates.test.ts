// Payments by invoice slate against the simulated chain: the till pushes by itself, after a restart, through reorganisations and
// an absent node, and gives up only what can never be mined. Real wallet, store and arithmetic on both sides; only time is moved by hand.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWalletSeed } from '../../src/daemons/parts/pay/seed.js'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { payI1, planSpend } from '../../src/grin/payer/index.js'
import type { Slate } from '../../src/grin/slate/index.js'
import { armorSlate, readSlatepack } from '../../src/grin/slatepack/index.js'
import { type SandboxNode, startSandboxNode } from '../../src/sandbox/index.js'
import { makeCoinbase } from '../../src/sandbox/payer.js'
import { steer } from '../../src/sandbox/payer-http.js'
import { systemRandom } from '../../src/system/index.js'
import type { Invoice } from '../../src/till/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { alarmsOf, openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { codeOf } from '../support/till-parts.js'
import { type Answered, blindFrom } from './nonce-attack.js'

const PRICE = 1_500_000_000n
const COIN = 60_000_000_000n
const MINUTE = 60_000
const PREFIX = 'tgrin'
const workers = createRangeWorkers({ inline: true })
const keychain = openKeychain(new Uint8Array(32).fill(9))
const parts = { keychain, prove: workers.prove, random: systemRandom }

let folder: string
let node: SandboxNode
/** The till's pay.db. */
let database: string
/** The words of the till, as another wallet has them that was restored from them. */
let openSeed: () => ReturnType<typeof openWalletSeed>
let daemon: PayDaemon
let now: number
const clock = { now: () => now, monotonic: () => now, sleep: async () => undefined }

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z')
  folder = await mkdtemp(join(tmpdir(), 'grinpay-slates-'))
  node = await startSandboxNode({ verify: workers.verify, clock, random: systemRandom })
  const { json } = await makeCoinbase(outputIdentifier(0, 0), COIN, parts)
  await steer(node.url, 'coinbase', json)
  await steer(node.url, 'mine', { blocks: 3 })
  daemon = await reopen()
})

async function reopen(): Promise<PayDaemon> {
  const rails = { PAY_INGEST: 'on', PAY_GRIN1_RAIL: 'on' }
  const { config } = await sandboxTill(join(folder, 'till'), { nodeUrl: node.url }, rails)
  database = config.dbPath
  openSeed = () => openWalletSeed(config, systemRandom)
  return openSandboxTill(config, { clock, workers })
}

afterEach(async () => {
  await daemon.stop()
  await node.close()
  await rm(folder, { recursive: true })
})

const make = async (): Promise<Invoice> => (await daemon.till.createInvoice({ amountNanogrin: PRICE })).invoice

/** What the payer's wallet makes of the page's slatepack; it always spends the same coin. */
async function answerTo({ slatepack }: Pick<Invoice, 'slatepack'>, change = 1): Promise<string> {
  const { slate: i1 } = await readSlatepack(slatepack ?? '', { prefix: PREFIX })
  const coins = [{ identifier: outputIdentifier(0, 0), value: COIN, coinbase: true }]
  const spend = planSpend(coins, i1.amount, outputIdentifier(0, change))
  const { slate } = await payI1({ ...parts, slate: i1, spend })
  return armorSlate(slate satisfies Slate, { prefix: PREFIX })
}

/** Time goes on, the till pushes and looks once; what the invoice says then. */
async function look({ id }: Invoice, ms = MINUTE) {
  now += ms
  await daemon.till.passes.push()
  await daemon.till.passes.confirm()
  const invoice = await daemon.till.findInvoice(id)
  const payment = await daemon.till.findPayment(invoice?.paymentId ?? '')
  return { status: invoice?.status, depth: invoice?.confirmations, settlement: payment?.settlement }
}

const inPool = () => node.chain.pool().length

test('the till pushes the transaction itself, and the invoice is confirmed', async () => {
  const invoice = await make()
  await daemon.till.pasteSlatepack(invoice.token, await answerTo(invoice))
  expect(await look(invoice)).toEqual({ status: 'paid', depth: 0, settlement: 'seen' })
  expect(inPool()).toBe(1)
  node.mine(3)
  expect(await look(invoice)).toEqual({ status: 'confirmed', depth: 3, settlement: 'confirmed' })
})

test('after a reorganisation that forgot it the transaction is pushed again', async () => {
  const invoice = await make()
  await daemon.till.pasteSlatepack(invoice.token, await answerTo(invoice))
  await look(invoice)
  node.mine(1)
  expect(await look(invoice)).toMatchObject({ depth: 1, settlement: 'mined' })
  node.reorg(1, { forget: true })
  expect(await look(invoice)).toMatchObject({ depth: 0, settlement: 'replied' })
  expect(await look(invoice)).toMatchObject({ settlement: 'seen' })
  node.mine(3)
  expect(await look(invoice)).toMatchObject({ status: 'confirmed' })
})

test('a till that ends before the push, and finds no node at first, still gets it onto the chain', async () => {
  const invoice = await make()
  node.goAway()
  const text = await answerTo(invoice)
  const { slatepack } = await daemon.till.pasteSlatepack(invoice.token, text)
  await daemon.stop()
  daemon = await reopen()
  expect(await look(invoice)).toEqual({ status: 'paid', depth: 0, settlement: 'replied' })
  node.comeBack()
  await look(invoice, 10 * MINUTE)
  expect(inPool()).toBe(1)
  expect((await daemon.till.pasteSlatepack(invoice.token, text)).slatepack).toBe(slatepack)
  node.mine(3)
  expect(await look(invoice)).toMatchObject({ status: 'confirmed' })
})

test('a coin that was spent elsewhere meanwhile: given up with an alarm, and the other payment stands', async () => {
  const [first, second] = [await make(), await make()]
  const [one, two] = [await answerTo(first, 1), await answerTo(second, 2)]
  await daemon.till.pasteSlatepack(first.token, one)
  await look(first)
  node.mine(1)
  await daemon.till.pasteSlatepack(second.token, two)
  expect(await look(second)).toMatchObject({ status: 'paid' })
  for (let minutes = 0; minutes < 5; minutes += 1) await look(second)
  expect(await look(second)).toMatchObject({ status: 'expired', settlement: 'abandoned' })
  expect(await alarmsOf(daemon)).toEqual([expect.stringContaining(`payment ${second.slateId}: given up`)])
  node.mine(2)
  expect(await look(first)).toMatchObject({ status: 'confirmed' })
})

const slateIn = async (text: string): Promise<Slate> => (await readSlatepack(text, { prefix: PREFIX })).slate

/** The till ends; its database is that of the snapshot again, as when a volume or a virtual machine is put back. */
async function putBack(snapshot: string): Promise<void> {
  await daemon.stop()
  const place = dirname(database)
  const files = (await readdir(place)).filter((name) => name.startsWith('pay.db'))
  for (const name of files) await rm(join(place, name), { recursive: true })
  await cp(snapshot, place, { recursive: true })
  daemon = await reopen()
}

test('an older pay.db that was put back signs no second I2 for the same slate', async () => {
  const invoice = await make()
  const snapshot = join(folder, 'snapshot')
  await cp(dirname(database), snapshot, {
    recursive: true,
    filter: (path) => !path.endsWith('.lock') && !path.endsWith('-shm'),
  })
  const first = await answerTo(invoice, 1)
  const answer = await daemon.till.pasteSlatepack(invoice.token, first)
  await putBack(snapshot)
  const second = await answerTo(invoice, 2)
  const reply = await daemon.till.pasteSlatepack(invoice.token, second).catch(() => undefined)
  const answered = async (i2: string, i3: string): Promise<Answered> => ({
    i2: await slateIn(i2),
    i3: await slateIn(i3),
  })
  const stolen =
    reply && blindFrom(await answered(first, answer.slatepack), await answered(second, reply.slatepack), PRICE)
  expect(stolen, 'blinding factor of the output of the till').toBeUndefined()
  expect(await codeOf(daemon.till.pasteSlatepack(invoice.token, second))).toBe('INVOICE_SLATE_CLOSED')
})

test('a start closes every slate and gives open invoices fresh ones; a start that was cut short is made good by the next', async () => {
  const made = [await make(), await make(), await make()] as const
  const [held] = made
  await daemon.stop()
  daemon = await reopen()
  const closed = await Promise.all(made.map(({ id }) => daemon.till.findInvoice(id)))
  expect(closed.map((invoice) => invoice?.slatepack)).toEqual([null, null, null])
  now += MINUTE
  // Killed after the first of three fresh slates.
  const cut = new AbortController()
  const inner = daemon.till.passes.issueSlates(cut.signal)
  while ((await daemon.till.listInvoices({ limit: 9 })).items.every(({ slatepack }) => slatepack === null))
    await new Promise((resolve) => setTimeout(resolve, 5))
  cut.abort()
  await inner
  await daemon.stop()
  daemon = await reopen()
  now += MINUTE
  await daemon.till.passes.issueSlates()
  const fresh = (await daemon.till.listInvoices({ limit: 9 })).items
  expect(fresh.every(({ slatepack, status }) => slatepack !== null && status === 'open')).toBe(true)
  const before = new Set(made.map(({ slateId }) => slateId))
  expect(fresh.filter(({ slateId }) => before.has(slateId))).toEqual([])
  const refused = await daemon.till.pasteSlatepack(held.token, await answerTo(held)).catch(String)
  expect(refused).toContain('load the payment page again')
  const again = await daemon.till.findInvoice(held.id)
  await daemon.till.pasteSlatepack(held.token, await answerTo({ slatepack: again?.slatepack ?? null }))
  expect(await look(held)).toMatchObject({ status: 'paid', settlement: 'seen' })
})

test('after a start fresh slates take one key a second, whatever waits: a database put back a moment later is never behind them', async () => {
  for (let made = 0; made < 4; made += 1) await make()
  await daemon.stop()
  daemon = await reopen()
  const shown = async () =>
    (await daemon.till.listInvoices({ limit: 9 })).items.filter(({ slatepack }) => slatepack !== null).length
  await daemon.till.passes.issueSlates()
  expect(await shown()).toBe(0)
  now += 2000
  await daemon.till.passes.issueSlates()
  await daemon.till.passes.issueSlates()
  expect(await shown()).toBe(2)
  now += MINUTE
  await daemon.till.passes.issueSlates()
  expect(await shown()).toBe(4)
})

test('a slate that was answered is kept over a start: its I3 is repeated, and nothing is issued for its invoice', async () => {
  const invoice = await make()
  const text = await answerTo(invoice)
  const { slatepack } = await daemon.till.pasteSlatepack(invoice.token, text)
  await daemon.stop()
  daemon = await reopen()
  await daemon.till.passes.issueSlates()
  expect((await daemon.till.pasteSlatepack(invoice.token, text)).slatepack).toBe(slatepack)
  expect(await codeOf(daemon.till.pasteSlatepack(invoice.token, await answerTo(invoice, 2)))).toBe('INVOICE_SLATE_USED')
  expect(await daemon.till.findInvoice(invoice.id)).toMatchObject({ slatepack: null, slateId: invoice.slateId })
  expect(await look(invoice)).toMatchObject({ settlement: 'seen' })
})

test('coins that were swept with the same seed before the till looked: confirmed at the required depth, with a note', async () => {
  const invoice = await make()
  await daemon.till.pasteSlatepack(invoice.token, await answerTo(invoice))
  await daemon.till.passes.push()
  node.mine(1)
  const payment = await daemon.till.findPayment(invoice.slateId ?? '')
  const seed = await openSeed()
  const elsewhere = { ...parts, keychain: openKeychain(seed.reveal()) }
  const { invoice: other } = await daemon.till.createInvoice({ amountNanogrin: PRICE / 2n })
  const i1 = await slateIn(other.slatepack ?? '')
  const coins = [{ identifier: outputIdentifier(0, payment?.keyIndex ?? 0), value: PRICE, coinbase: false }]
  const spend = planSpend(coins, i1.amount, outputIdentifier(0, 77))
  const { slate } = await payI1({ ...elsewhere, slate: i1, spend })
  await daemon.till.pasteSlatepack(other.token, armorSlate(slate, { prefix: PREFIX }))
  await daemon.till.passes.push()
  node.mine(1)
  expect(await look(invoice)).toEqual({ status: 'paid', depth: 2, settlement: 'mined' })
  expect(await alarmsOf(daemon)).toEqual([expect.stringContaining('its output is not on the chain')])
  node.mine(1)
  expect(await look(invoice)).toEqual({ status: 'confirmed', depth: 3, settlement: 'confirmed' })
  expect((await daemon.till.findPayment(invoice.slateId ?? ''))?.output).toBe('spent-or-missing')
  expect(await alarmsOf(daemon)).toEqual([])
})
