// A real till in its own process, wallet and database included: creating and reading invoices over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startTillProcess } from '../test/support/till-process.js'
import { fsyncRate, offer, startBareServer } from './load.js'
import type { Measurement } from './measurement.js'

export const name = 'create'

const TOKEN = `pay_live_${'ab'.repeat(32)}`
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'

const READS = [
  { what: 'GET /invoice/{id}', bar: 5000 },
  { what: 'GET /pay/{token}/status', bar: 8000 },
  { what: 'GET /pay/{token}', bar: 2000 },
] as const

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const till = await startTillProcess(await settingsIn(folder))
  const bare = await startBareServer()
  try {
    return [...(await measureCreates(till.url)), ...(await measureReads(till.url, bare.url))]
  } finally {
    bare.stop()
    await till.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const settingsIn = async (folder: string): Promise<Record<string, string>> => ({
  PAY_BIND: `127.0.0.1:${await freePort()}`,
  PAY_CHAIN: 'usernet',
  PAY_NODE_URL: 'http://127.0.0.1:9', // no node: it must not matter here
  PAY_DATA_DIR: join(folder, 'data'),
  PAY_DB_PATH: join(folder, 'pay.db'),
  PAY_MNEMONIC: WORDS,
  PAY_WALLET_PASSWORD: 'bench',
  PAY_API_TOKEN: TOKEN,
  PAY_RATE_LIMITS: 'off',
  PAY_RELAY_MODE: 'external',
  PAY_RELAYS: 'wss://relay.one.example,wss://relay.two.example',
})

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const body = JSON.stringify({ amount_grin: 1_500_000_000, order_ref: 'order-1001', memo: 'two coffees' })

async function measureCreates(url: string): Promise<Measurement[]> {
  const results: Measurement[] = []
  for (const { connections, atLeast } of [
    { connections: 1, atLeast: 0.8 },
    { connections: 32, atLeast: 2 },
  ]) {
    const syncs = fsyncRate()
    const { perSecond } = await offer({ url: `${url}/invoice`, method: 'POST', connections, seconds: 6, headers, body })
    const clients = connections === 1 ? 'one client' : `${connections} clients`
    results.push({
      what: `POST /invoice, ${clients}`,
      value: perSecond,
      unit: '/s',
      ratio: { to: 'fsync/s', value: perSecond / syncs },
      target: { of: 'ratio', atLeast },
    })
  }
  return results
}

async function measureReads(url: string, bareUrl: string): Promise<Measurement[]> {
  const created = await fetch(`${url}/invoice`, { method: 'POST', headers, body })
  const { invoice_id, token } = (await created.json()) as { invoice_id: string; token: string }
  const paths = [`/invoice/${invoice_id}`, `/pay/${token}/status`, `/pay/${token}`]
  const results: Measurement[] = []
  for (const [index, { what, bar }] of READS.entries()) {
    const target = `${url}${paths[index]}`
    const bare = await offer({ url: bareUrl, connections: 16, seconds: 4 })
    const full = await offer({ url: target, connections: 16, seconds: 5, headers })
    const half = await offer({ url: target, connections: 16, seconds: 5, rate: bar / 2, headers })
    results.push(
      {
        what,
        value: full.perSecond,
        unit: '/s',
        ratio: { to: 'a bare fastify route', value: full.perSecond / bare.perSecond },
        target: { of: 'value', atLeast: bar },
      },
      { what: `${what}, p99 at ${bar / 2}/s`, value: half.p99Ms, unit: 'ms', target: { of: 'value', atMost: 20 } },
    )
  }
  return results
}
