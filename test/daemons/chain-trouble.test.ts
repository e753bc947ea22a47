// The whole till against the simulated chain: reorganisations, lost transactions, a node that goes away. Real wallet, store and
// arithmetic on both sides; only time is moved by hand.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { createSandboxPayer, type SandboxNode, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { markNewWallet, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { alarmsOf, openSandboxTill, sandboxTill } from '../support/sandbox-till.js'

const PRICE = 1_500_000_000n
const MINUTE = 60_000
const workers = createRangeWorkers({ inline: true })

let folder: string
let node: SandboxNode
let payer: SandboxPayer
let daemon: PayDaemon
let now: number
const clock = { now: () => now, monotonic: () => now, sleep: async () => undefined }

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z')
  folder = await mkdtemp(join(tmpdir(), 'grinpay-trouble-'))
  node = await startSandboxNode({ verify: workers.verify, clock, random: systemRandom })
  payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  await payer.fund()
  daemon = await reopen()
})

/** The till on its folder, which it makes when there is none. */
async function reopen(): Promise<PayDaemon> {
  const { config } = await sandboxTill(join(folder, 'till'), { nodeUrl: node.url })
  return openSandboxTill(config, { clock, workers, confirmEverySeconds: 1 })
}

afterEach(async () => {
  await daemon.stop()
  await node.close()
  await rm(folder, { recursive: true })
})

/** An invoice, its S2 with the payer, the transaction in the node's pool. */
async function paid() {
  const { till } = daemon
  const { invoice } = await till.createInvoice({ amountNanogrin: PRICE })
  const held = payer.begin(PRICE)
  const { slatepack } = await till.pasteSlatepack(invoice.token, held.s1)
  const finished = await payer.finish(held, slatepack)
  await payer.push(finished)
  return { id: invoice.id, finished }
}

/** Time goes on, the till looks once; what the invoice says then. */
async function look(id: string, ms = MINUTE) {
  now += ms
  await daemon.till.passes.confirm()
  const invoice = await daemon.till.findInvoice(id)
  const payment = await daemon.till.findPayment(invoice?.paymentId ?? '')
  return { status: invoice?.status, depth: invoice?.confirmations, settlement: payment?.settlement }
}

test('a payment that a reorganisation takes off the chain counts from zero and is confirmed when it is back', async () => {
  const { id } = await paid()
  node.mine(2)
  expect(await look(id)).toEqual({ status: 'paid', depth: 2, settlement: 'mined' })
  node.reorg(2)
  expect(await look(id)).toEqual({ status: 'paid', depth: 0, settlement: 'seen' })
  node.mine(2)
  expect(await look(id)).toEqual({ status: 'paid', depth: 2, settlement: 'mined' })
  node.mine(1)
  expect(await look(id)).toEqual({ status: 'confirmed', depth: 3, settlement: 'confirmed' })
})

test('a transaction that the network lost is not forgotten: pushed again it is confirmed', async () => {
  const { id, finished } = await paid()
  node.mine(2)
  await look(id)
  node.reorg(2, { forget: true })
  expect(await look(id)).toEqual({ status: 'paid', depth: 0, settlement: 'replied' })
  await payer.push(finished)
  node.mine(3)
  expect(await look(id)).toEqual({ status: 'confirmed', depth: 3, settlement: 'confirmed' })
})

test('an invoice stays confirmed through a deep reorganisation, with an alarm until the payment is back', async () => {
  const { id } = await paid()
  node.mine(3)
  expect((await look(id)).status).toBe('confirmed')
  node.reorg(3)
  expect((await look(id, 15 * MINUTE)).status).toBe('confirmed')
  expect(await alarmsOf(daemon)).toHaveLength(1)
  node.mine(3)
  await look(id, 15 * MINUTE)
  expect(await alarmsOf(daemon)).toEqual([])
})

test('while the node is away nothing is decided, and afterwards everything is', async () => {
  const { id } = await paid()
  node.goAway()
  node.mine(3)
  expect(await look(id)).toMatchObject({ status: 'paid', depth: 0 })
  expect((await daemon.till.status()).node.ok).toBe(false)
  node.comeBack()
  now += MINUTE
  expect(await look(id)).toMatchObject({ status: 'confirmed', depth: 3 })
  expect((await daemon.till.status()).node.ok).toBe(true)
})

test('a till whose database was lost hands out none of the keys it handed out before', async () => {
  const first = await paid()
  const before = (await daemon.till.findPayment((await daemon.till.findInvoice(first.id))?.paymentId ?? ''))?.keyIndex
  await daemon.stop()
  await rm(join(folder, 'till', 'pay.db'))
  await markNewWallet(join(folder, 'till')) // the operator begins anew
  now += MINUTE
  daemon = await reopen()
  const second = await paid()
  const after = (await daemon.till.findPayment((await daemon.till.findInvoice(second.id))?.paymentId ?? ''))?.keyIndex
  expect(after).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY)
})
