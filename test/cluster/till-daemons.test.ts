// Two tills of one wallet on one cluster: the daemons as they are, against the simulated chain. Each has a folder of its own, as on two machines.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { checkStore, listInstances, migrateStore } from '../../src/daemons/store-admin.js'
import { openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { payI1, planSpend } from '../../src/grin/payer/index.js'
import { armorSlate, readSlatepack } from '../../src/grin/slatepack/index.js'
import { type SandboxNode, startSandboxNode } from '../../src/sandbox/index.js'
import { makeCoinbase } from '../../src/sandbox/payer.js'
import { steer } from '../../src/sandbox/payer-http.js'
import { databaseUnavailable } from '../../src/storage/errors.js'
import { TILL_SERVICE } from '../../src/storage/postgres/services.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { codeOf } from '../support/till-parts.js'
import { freePort } from '../support/till-process.js'

const PRICE = 1_500_000_000n
const COIN = 60_000_000_000n
const PREFIX = 'tgrin'
const workers = createRangeWorkers({ inline: true })
const keychain = openKeychain(new Uint8Array(32).fill(9))
const parts = { keychain, prove: workers.prove, random: systemRandom }

let cluster: Cluster
let folder: string
let node: SandboxNode
let schemas = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grinpay-tills-'))
  cluster = await startCluster()
  node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom })
  const { json } = await makeCoinbase(outputIdentifier(0, 0), COIN, parts)
  await steer(node.url, 'coinbase', json)
  await steer(node.url, 'mine', { blocks: 3 })
})
afterAll(async () => {
  await cluster?.stop()
  await node?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Settings of `count` instances of one new till; the schema is migrated. `apartMs`: how far the clock of each is behind that of the one before. */
async function someTills(count: number, more: Readonly<Record<string, string>> = {}, { apartMs = 0 } = {}) {
  const schema = `pay_${++schemas}`
  const first = join(folder, `${schema}-0`)
  const { variables } = await sandboxTill(first, { nodeUrl: node.url })
  const { PAY_DB_PATH: _, ...common } = variables
  async function configOf(at: number) {
    const dataDir = join(folder, `${schema}-${at}`)
    return loadPayConfig(
      openEnvironment({
        variables: {
          ...common,
          PAY_DATA_DIR: dataDir,
          PAY_BIND: `127.0.0.1:${await freePort()}`,
          PAY_DATABASE_URL: cluster.url(),
          PAY_DATABASE_SCHEMA: schema,
          PAY_INGEST: 'on',
          PAY_GRIN1_RAIL: 'on',
          PAY_GRIN1_FOREIGN_PORT: String(await freePort()),
          ...more,
        },
      }),
      { allowSandbox: true },
    )
  }
  const config = await configOf(0)
  const settings = { daemon: 'pay' as const, path: config.dbPath, ...config }
  expect((await migrateStore(settings)).steps).toEqual(TILL_SERVICE.steps.map((_, at) => at + 1))
  const daemons: PayDaemon[] = []
  const urls: string[] = []
  for (let at = 0; at < count; at++) {
    // The identity is made by the first start; the operator copies it.
    if (at > 0)
      for (const name of ['wallet', 'nostr'])
        await cp(join(first, name), join(folder, `${schema}-${at}`, name), { recursive: true })
    const own = await configOf(at)
    const clock = { ...systemClock, now: () => systemClock.now() - at * apartMs }
    const daemon = await openSandboxTill(own, { workers, clock })
    urls.push(`http://${own.bind.host}:${own.bind.port}`)
    onTestFinished(() => daemon.stop())
    await daemon.start()
    daemons.push(daemon)
  }
  return { daemons, urls, settings, schema, apiToken: common.PAY_API_TOKEN ?? '' }
}

/** What the payer's wallet makes of an invoice's slatepack. */
async function answerTo({ slatepack }: { readonly slatepack: string | null }, change = 1): Promise<string> {
  const { slate: i1 } = await readSlatepack(slatepack ?? '', { prefix: PREFIX })
  const coins = [{ identifier: outputIdentifier(0, 0), value: COIN, coinbase: true }]
  const spend = planSpend(coins, i1.amount, outputIdentifier(0, change))
  const { slate } = await payI1({ ...parts, slate: i1, spend })
  return armorSlate(slate, { prefix: PREFIX })
}

const railsOf = async (daemon: PayDaemon) => (await daemon.checks()).find(({ name }) => name === 'rails')
const isHolder = async (daemon: PayDaemon): Promise<boolean> => (await railsOf(daemon))?.informative !== true

async function holders(daemons: readonly PayDaemon[]): Promise<number> {
  return (await Promise.all(daemons.map(isHolder))).filter(Boolean).length
}

test('an invoice of one is paid on the other, whose page learns of it; one webhook is owed', async () => {
  const { daemons, settings } = await someTills(2)
  const [one, two] = daemons as [PayDaemon, PayDaemon]
  const { invoice } = await one.till.createInvoice({ amountNanogrin: PRICE })
  const seen = await two.till.findInvoice(invoice.id)
  expect(seen).toMatchObject({ id: invoice.id, status: 'open' })

  const waiting = one.till.changed(invoice, 10_000)
  await sleep(200)
  const paidAt = Date.now()
  const { slatepack } = await two.till.pasteSlatepack(invoice.token, await answerTo(invoice))
  expect(slatepack).toContain('BEGINSLATE')
  expect((await waiting).status).toBe('paid')
  expect(Date.now() - paidAt).toBeLessThan(5000)
  expect((await one.till.listDeliveries({ invoiceId: invoice.id, limit: 10 })).items).toHaveLength(1)
  expect(await checkStore(settings)).toMatchObject({ invoices: 1, payments: 1 })
})

test('the rails run on one of two; when it stops, on the other; an instance that starts closes no slate', async () => {
  const { daemons, settings } = await someTills(2)
  const [one, two] = daemons as [PayDaemon, PayDaemon]
  await expect.poll(() => holders(daemons), { timeout: 8000 }).toBe(1)
  const does = async () =>
    (await listInstances(settings)).map(({ daemon, leases }) => [daemon, ...leases].join(' ')).sort()
  await expect.poll(does, { timeout: 8000 }).toEqual(['pay', 'pay rails'])
  const { invoice } = await one.till.createInvoice({ amountNanogrin: PRICE })
  const [holder, other] = (await isHolder(one)) ? [one, two] : [two, one]
  const answer = await answerTo(invoice, 2)
  await holder.stop()
  await expect.poll(() => isHolder(other), { timeout: 12_000 }).toBe(true)
  expect((await other.till.pasteSlatepack(invoice.token, answer)).slatepack).toContain('BEGINSLATE')
  expect(settings.database?.schema).toMatch(/^pay_/)
})

test('of two answers to one invoice slate, pasted at once on two instances whose clocks are 30 s apart, one is signed', async () => {
  const { daemons, schema } = await someTills(2, {}, { apartMs: 30_000 })
  const [one, two] = daemons as [PayDaemon, PayDaemon]
  for (let round = 0; round < 4; round++) {
    const { invoice } = await (round % 2 ? one : two).till.createInvoice({ amountNanogrin: PRICE })
    const answers = [await answerTo(invoice, 10 + round), await answerTo(invoice, 20 + round)]
    const outcomes = await Promise.all(
      [one, two].map(({ till }, at) => till.pasteSlatepack(invoice.token, answers[at] ?? '').catch(codeOfError)),
    )
    const signed = outcomes.filter((outcome) => typeof outcome !== 'string')
    expect(signed).toHaveLength(1)
    expect(outcomes.find((outcome) => typeof outcome === 'string')).toMatch(/^(INVOICE|SLATE)_/)
    const [slate, ...others] = await cluster.nodes[0].sql(
      `SELECT state FROM ${schema}.invoice_slate WHERE invoice_id = '${invoice.id}' AND state <> 'closed'`,
    )
    expect([slate?.state, others]).toEqual(['finalized', []])
    const rows = await cluster.nodes[0].sql(`SELECT body FROM ${schema}.push`)
    expect(rows).toHaveLength(round + 1)
    expect((await two.till.listDeliveries({ invoiceId: invoice.id, limit: 10 })).items).toHaveLength(1)
  }
})

/** As the answer of a refusal has it. */
const codeOfError = (error: unknown): string => String((error as { readonly code?: string }).code)

test('PAY_ROLE=front never takes the rails', async () => {
  const { daemons } = await someTills(1, { PAY_ROLE: 'front' })
  await sleep(1500)
  expect(await railsOf(daemons[0] as PayDaemon)).toBeUndefined()
})

// Last: the cluster has another primary afterwards.
test('while the primary is away nothing is acknowledged; after a promotion no key comes again and old slates are not signed', async () => {
  const { daemons, urls, apiToken } = await someTills(2)
  const [one, two] = daemons as [PayDaemon, PayDaemon]
  const order = (url: string, key: string) =>
    fetch(`${url}/invoice`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ amount_grin: Number(PRICE), order_ref: key }),
    })
  const [url = '', otherUrl = ''] = urls
  const ordered = (await (await order(url, 'before')).json()) as { readonly invoice_id: string; readonly token: string }
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, at) => (at % 2 ? one : two).till.createInvoice({ amountNanogrin: PRICE })),
  )
  const answer = await answerTo((made[0] as { invoice: { slatepack: string | null } }).invoice, 3)
  const [primary, ...standbys] = cluster.nodes
  await primary.kill()
  const asked = Date.now()
  await expect(one.till.createInvoice({ amountNanogrin: PRICE })).rejects.toSatisfy(databaseUnavailable.is)
  expect(Date.now() - asked).toBeLessThan(6500)
  const refused = await order(url, 'meanwhile')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect((await fetch(`${otherUrl}/ready`)).status).toBe(503)
  const page = await fetch(`${otherUrl}/pay/${ordered.token}`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '5'])
  expect(page.headers.get('content-type')).toContain('text/html')
  // Lists and sums come from a standby meanwhile, what decides does not.
  expect((await one.till.listInvoices({ limit: 20 })).items).toHaveLength(7)
  expect((await one.till.balance()).received?.count).toBe(0)
  expect((await two.till.status()).webhooks).toMatchObject({ pending: 0 })
  await expect(two.till.findInvoice(ordered.invoice_id)).rejects.toSatisfy(databaseUnavailable.is)
  await cluster.promote(await cluster.foremost(standbys))
  await expect
    .poll(async () => await two.till.createInvoice({ amountNanogrin: PRICE }).then(() => 'made', String), {
      timeout: 15_000,
    })
    .toBe('made')

  expect(await (await order(otherUrl, 'before')).json()).toMatchObject({ invoice_id: ordered.invoice_id })
  await expect.poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 15_000 }).toBe(200)

  for (const { invoice } of made) expect(await one.till.findInvoice(invoice.id)).toMatchObject({ id: invoice.id })
  expect(await codeOf(one.till.pasteSlatepack((made[0] as { invoice: { token: string } }).invoice.token, answer))).toBe(
    'INVOICE_SLATE_CLOSED',
  )
})
