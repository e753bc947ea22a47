// The whole till when its own arithmetic goes wrong: the payment is refused, the wallet stops, and everybody who asks hears why.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { takeKeychain } from '../../src/grin/seedfile/index.js'
import { createSandboxPayer, type SandboxNode, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { createFaultyKeychain } from '../support/faulty-keychain.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { codeOf } from '../support/vectors.js'

const PRICE = 1_500_000_000n
const workers = createRangeWorkers({ inline: true })
const clock = { now: () => Date.parse('2026-01-01T00:00:00Z'), monotonic: () => 0, sleep: async () => undefined }

let folder: string
let node: SandboxNode
let payer: SandboxPayer
let daemon: PayDaemon
let fault: { on: boolean }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grinpay-stop-'))
  node = await startSandboxNode({ verify: workers.verify, clock, random: systemRandom })
  payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  await payer.fund(2)
  daemon = await open()
})

async function open(): Promise<PayDaemon> {
  const { config } = await sandboxTill(join(folder, 'till'), { nodeUrl: node.url })
  return openSandboxTill(config, {
    clock,
    workers,
    keychainOf(seed) {
      const faulty = createFaultyKeychain(takeKeychain(seed))
      fault = faulty.fault
      return faulty.keychain
    },
  })
}

afterEach(async () => {
  await daemon.stop()
  await node.close()
  await rm(folder, { recursive: true })
})

const walletCheck = async () => (await daemon.checks()).find(({ name }) => name === 'wallet')

test('one wrong output refuses that payment and stops the wallet until the till is started again', async () => {
  const { till } = daemon
  const [first, second] = [
    await till.createInvoice({ amountNanogrin: PRICE }),
    await till.createInvoice({ amountNanogrin: PRICE }),
  ]
  const pay = (invoice: { readonly token: string }) => codeOf(() => till.pasteSlatepack(invoice.token, held.s1))
  const [answered, held] = [payer.begin(PRICE), payer.begin(PRICE)]
  expect(await codeOf(() => till.pasteSlatepack(second.invoice.token, answered.s1))).toBe('ok')
  expect(await walletCheck()).toMatchObject({ ok: true })

  fault.on = true
  expect(await pay(first.invoice)).toBe('OUTPUT_MISMATCH')
  fault.on = false
  expect(await pay(first.invoice)).toBe('WALLET_STOPPED')
  // Not even a stored reply leaves; the page of a paid invoice says that it is paid.
  expect(await codeOf(() => till.pasteSlatepack(second.invoice.token, answered.s1))).toBe('INVOICE_ALREADY_PAID')
  expect(await codeOf(() => till.createInvoice({ amountNanogrin: PRICE }))).toBe('WALLET_STOPPED')
  expect((await till.findInvoice(first.invoice.id))?.status).toBe('open')
  expect(await walletCheck()).toMatchObject({ ok: false, detail: expect.stringContaining('computed a second time') })
  expect((await till.status()).alarms).toEqual([expect.stringMatching(/^wallet: .*computed a second time/)])

  await daemon.stop()
  daemon = await open()
  expect(await walletCheck()).toMatchObject({ ok: true })
  expect(await codeOf(() => daemon.till.pasteSlatepack(first.invoice.token, held.s1))).toBe('ok')
})
