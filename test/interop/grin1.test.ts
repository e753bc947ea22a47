// The grin1 rail against real programs: a stock grin-wallet sends to the till's address, and pays the till's invoice slate, both
// times delivering by itself. It believes that it goes through Tor: stand-in-tor/ leads it to the port behind the onion service
// (a real tor has its own test, tor.test.ts, and needs no network there).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeSlate, formatSlateJson } from '../../src/grin/slate/index.js'
import { addressOfSeed, formatAddress, formatOnion, readSlatepack } from '../../src/grin/slatepack/index.js'
import { walletOf } from '../support/grin.js'
import { freePort, startTillProcess, type TillProcess } from '../support/till-process.js'
import { missingOracles, startUsernet, type Usernet } from '../support/usernet.js'

const missing = missingOracles()
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const API_TOKEN = `pay_live_${'a1'.repeat(32)}`
const CONFIRMATIONS = 3
const GRIN = 1_000_000_000

interface InvoiceJson {
  readonly invoice_id: string
  readonly token: string
  readonly status: string
  readonly confirmations: number
}

describe.skipIf(missing)(`the grin1 rail beside real grin programs${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let net: Usernet
  let till: TillProcess
  let dir: string
  let foreign: string
  const seed = walletOf(WORDS).addressSeed(0, 0)
  const address = formatAddress('tgrin', addressOfSeed(seed))

  const path = (name: string) => join(dir, name)
  const slatepack = (name: string) => readFileSync(path(name), 'utf8')
  const wallet = (...args: readonly string[]) => net.wallet('miner', ...args)

  async function api<T>(method: string, where: string, body?: object): Promise<T> {
    const answer = await fetch(`${till.url}${where}`, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const createInvoice = (grin: number, extra: object = {}) =>
    api<InvoiceJson>('POST', '/invoice', { amount_grin: Math.round(grin * GRIN), ...extra })

  async function until(id: string, reached: (now: InvoiceJson) => boolean, ms = 90_000): Promise<InvoiceJson> {
    for (let waited = 0; ; waited += 250) {
      const now = await api<InvoiceJson>('GET', `/invoice/${id}`)
      if (reached(now)) return now
      if (waited > ms) throw new Error(`still ${now.status}, ${now.confirmations} confirmations\n${till.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** Mines until the transaction, which may still be in Dandelion's stem, is deep enough. */
  async function untilConfirmed(id: string): Promise<void> {
    for (let blocks = 0; blocks < 40; blocks += 1) {
      await net.mine(1)
      const { status } = await api<InvoiceJson>('GET', `/invoice/${id}`)
      if (status === 'confirmed') return
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    }
    await until(id, ({ status }) => status === 'confirmed', 1)
  }

  /** The slatepack that the invoice tab of the page shows. */
  async function invoiceSlatepack(token: string): Promise<string> {
    const page = await (await fetch(`${till.url}/pay/${token}?method=invoice`)).text()
    return /<textarea id="invoice"[^>]*>([^<]*)</.exec(page)?.[1] ?? ''
  }

  const paste = async (token: string, text: string) =>
    (
      await fetch(`${till.url}/pay/${token}/slatepack`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ slatepack: text }).toString(),
      })
    ).json() as Promise<{ ok: boolean; slatepack?: string; error?: string }>

  async function call(method: string, params: readonly unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(`${foreign}/v2/foreign`, { method: 'POST', body })
    return (await answer.json()) as { result?: { Ok?: { sta?: string } }; error?: { message: string } }
  }

  /** The I2 of stock `pay` for the invoice of this token, as armor and as the JSON a wallet posts. */
  async function answered(token: string, name: string): Promise<{ armor: string; json: unknown }> {
    writeFileSync(path(`${name}.I1`), await invoiceSlatepack(token))
    await net.pay('miner', path(`${name}.I1`), path(`${name}.I2`))
    const armor = slatepack(`${name}.I2`)
    const { bytes } = await readSlatepack(armor, { prefix: 'tgrin', decryptWith: [seed] })
    return { armor, json: JSON.parse(formatSlateJson(decodeSlate(bytes))) }
  }

  /** The wallet's settings as an operator has them, with the stand-in's port. */
  async function goThroughTor(): Promise<void> {
    const file = join(net.dir, 'wallets/miner/grin-wallet.toml')
    const text = readFileSync(file, 'utf8')
      .replace(/^use_integrated = .*/m, 'use_integrated = false')
      .replace(/^skip_send_attempt = .*/m, 'skip_send_attempt = false')
      .replace(/^socks_proxy_addr = .*/m, `socks_proxy_addr = "127.0.0.1:${await freePort()}"`)
    writeFileSync(file, text)
  }
  const walletLog = () => readFileSync(join(net.dir, 'wallets/miner/grin-wallet.log'), 'utf8')

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'grinpay-grin1-'))
    const port = await freePort()
    foreign = `http://127.0.0.1:${port}`
    process.env.STAND_IN_ONION = formatOnion(addressOfSeed(seed))
    process.env.STAND_IN_PORT = String(port)
    process.env.PATH = `${join(import.meta.dirname, 'stand-in-tor')}:${process.env.PATH}`
    net = await startUsernet(33_500 + (process.pid % 400) * 20)
    await net.mine(12)
    await goThroughTor()
    till = await startTillProcess({
      PAY_BIND: `127.0.0.1:${await freePort()}`,
      PAY_CHAIN: 'usernet',
      PAY_NODE_URL: net.nodeUrl,
      PAY_CONFIRMATIONS: String(CONFIRMATIONS),
      PAY_DATA_DIR: path('data'),
      PAY_DB_PATH: path('pay.db'),
      PAY_MNEMONIC: WORDS,
      PAY_WALLET_PASSWORD: 'interop password',
      PAY_API_TOKEN: API_TOKEN,
      PAY_CHECKOUT_METHODS: 'slatepack',
      PAY_BUNDLED_RELAY_URL: 'ws://127.0.0.1:9',
      PAY_GRIN1_RAIL: 'on',
      PAY_GRIN1_FOREIGN_PORT: String(port),
      PAY_TOR_CONTROL: 'off',
    })
  })

  afterAll(async () => {
    await till?.stop()
    await net?.clean()
    if (dir) rmSync(dir, { recursive: true, force: true })
  })

  test('a stock send to the Foreign API pays the invoice of its amount, made in mode derived', async () => {
    const { invoice_id: id } = await createInvoice(1.5, { match_mode: 'derived' })
    await wallet('send', '-c', '1', '-d', address, '1.5')
    expect((await until(id, ({ status }) => status === 'paid')).status).toBe('paid')
    await untilConfirmed(id)
  })

  test('a stock send of an amount without an invoice gets the reason, and prints a slatepack instead', async () => {
    const printed = await wallet('send', '-c', '1', '-d', address, '7.77')
    expect(walletLog()).toContain('this payment fits no single open invoice: none asks for this amount')
    const [, id = ''] = /cancel -t ([0-9a-f-]{36})/.exec(printed) ?? []
    await wallet('cancel', '-t', id)
  })

  test("a stock wallet pays the page's invoice slate, and delivers its answer by itself", async () => {
    const { invoice_id: id, token } = await createInvoice(1.25)
    writeFileSync(path('delivered.I1'), await invoiceSlatepack(token))
    await net.pay('miner', path('delivered.I1'), path('delivered.I2'), true)
    await until(id, ({ status }) => status === 'paid')
    await untilConfirmed(id)
  })

  test('a stock wallet pays an invoice slate, and its answer is pasted', async () => {
    const { invoice_id: id, token } = await createInvoice(2.25)
    const { armor } = await answered(token, 'pasted')
    const reply = await paste(token, armor)
    expect(reply).toMatchObject({ ok: true, slatepack: expect.stringMatching(/^BEGINSLATEPACK\. /) })
    await untilConfirmed(id)
  })

  test('its answer posted twice is answered twice with the same I3', async () => {
    const { invoice_id: id, token } = await createInvoice(0.75)
    const { json } = await answered(token, 'posted')
    const answer = await call('finalize_tx', [json])
    expect(answer.result?.Ok?.sta).toBe('I3')
    expect(await call('finalize_tx', [json])).toEqual(answer)
    await untilConfirmed(id)
    expect((await api<InvoiceJson>('GET', `/invoice/${id}`)).confirmations).toBeGreaterThanOrEqual(CONFIRMATIONS)
  })
})
