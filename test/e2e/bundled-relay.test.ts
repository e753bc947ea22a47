// PAY_RELAY_MODE=bundled: a till whose only relay is its own, in its own process, is paid over gift wraps, and both survive a restart.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createInvoicingClient, createWebhookReceiver, type InvoicingClient } from '../../src/client/index.js'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon } from '../../src/daemons/pay.js'
import { Secret } from '../../src/lib/secret.js'
import {
  type Customers,
  createCustomers,
  createSandboxPayer,
  openHome,
  type SandboxNode,
  sandboxVariables,
  startSandboxNode,
} from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { relayClient } from '../support/relay-client.js'
import { bundledRelay, NO_RAIL_ADDRESSES } from '../support/sandbox-till.js'
import { freePort } from '../support/till-process.js'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const events: string[] = []
let node: SandboxNode
let customers: Customers
let api: InvoicingClient
let relayUrl: string
let open: () => Promise<Awaited<ReturnType<typeof openPayDaemon>>>
let till: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  const workers = createRangeWorkers()
  closers.push(() => workers.close())
  const clock = systemClock
  const random = systemRandom
  node = await startSandboxNode({ verify: workers.verify, clock, random, blockEvery: 300 })
  closers.push(() => node.close())
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random })
  customers = createCustomers({ payer, foreignUrl: 'http://127.0.0.1:9', clock, random })
  const home = await openHome(undefined, random)
  closers.push(() => home.leave())
  const { webhookSecret: secret, apiToken, adminToken } = home.secrets
  const now = () => clock.now()
  const onEvent = ({ body }: { readonly body: string }) => void events.push(JSON.parse(body).event_type)
  const hooks = await createWebhookReceiver({ port: 0, secret, now, onEvent, onRefusal: (why) => events.push(why) })
  closers.push(() => hooks.close())

  const [port, relayPort] = [await freePort(), await freePort()]
  relayUrl = `ws://127.0.0.1:${relayPort}`
  const addresses = { ...NO_RAIL_ADDRESSES, port, nodeUrl: node.url, webhookUrl: hooks.url }
  const variables = {
    ...sandboxVariables(home, addresses),
    ...bundledRelay(relayPort),
  }
  const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: true })
  const log = createLog({ human: false, level: 'error', write: (line) => void events.push(line) })
  open = async () => {
    const daemon = await openPayDaemon(config, { version: '0', log, workers, confirmEverySeconds: 0.5 })
    await daemon.start()
    return daemon
  }
  api = createInvoicingClient({
    baseUrl: config.publicUrl,
    apiToken: new Secret(apiToken.reveal()),
    adminToken: new Secret(adminToken.reveal()),
  })
  till = await open()
  closers.push(() => till.stop())
  await payer.fund(2)
})

/** Ids of the gift wraps that the relay has, as anybody sees them. */
async function wraps(): Promise<readonly string[]> {
  const client = await relayClient(relayUrl)
  client.send(['REQ', 'w', { kinds: [1059] }])
  const seen = await client.until('EOSE')
  client.close()
  return seen
    .flatMap(([, , event]) => (typeof event === 'object' ? [(event as { readonly id: string }).id] : []))
    .sort()
}

async function paid(amount: number): Promise<string> {
  const invoice = await api.createInvoice({ amount_grin: amount })
  await customers.nostr(invoice)
  await vi.waitFor(async () => expect(await api.invoice(invoice.invoice_id)).toMatchObject({ status: 'confirmed' }), {
    timeout: 60_000,
    interval: 200,
  })
  return invoice.invoice_id
}

test('the pay link leads to the own relay, and a payment over it is confirmed', async () => {
  expect((await till.till.status()).relays).toMatchObject([{ url: expect.stringContaining(relayUrl) }])
  await paid(1_500_000_000)
  // The payment in, the answer out.
  expect((await wraps()).length).toBeGreaterThanOrEqual(2)
  await vi.waitFor(() => expect(events).toEqual(['payment.received', 'payment.confirmed']), 20_000)
})

test('after a restart the wraps are there, nothing is taken twice, and the next customer pays', async () => {
  const before = await wraps()
  await till.stop()
  await expect(relayClient(relayUrl)).rejects.toThrow('ECONNREFUSED')
  till = await open()
  expect(await wraps()).toEqual(before)
  await paid(1_250_000_000)
  await vi.waitFor(() => expect(events).toHaveLength(4), 20_000)
  expect(events.filter((type) => type === 'payment.received')).toHaveLength(2)
})
