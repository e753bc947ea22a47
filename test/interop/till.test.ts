// A real grin-wallet pays a real till over a real node. Serial: every test builds on the chain that the ones before left.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { cleanEnvironment, freePort, ROOT, startTillProcess, type TillProcess } from '../support/till-process.js'
import { missingOracles, startUsernet, type Usernet } from '../support/usernet.js'

const missing = missingOracles()
const CHROMIUM = '/usr/bin/chromium'
const WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'
const API_TOKEN = `pay_live_${'a1'.repeat(32)}`
const ADMIN_TOKEN = `pay_admin_${'b2'.repeat(32)}`
const HOOK_SECRET = `whsec_${'c3'.repeat(32)}`
const CONFIRMATIONS = 3
const GRIN = 1_000_000_000

interface InvoiceJson {
  readonly invoice_id: string
  readonly token: string
  readonly pay_url: string
  readonly status: string
  readonly confirmations: number
  readonly payment_id: string | null
}

const run = promisify(execFile)

describe.skipIf(missing)(`a till beside real grin programs${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let net: Usernet
  let till: TillProcess
  let hooks: HookReceiver
  let dir: string
  let settings: Record<string, string>
  let tillAddress: string

  const path = (name: string) => join(dir, name)
  const slatepack = (name: string) => readFileSync(path(name), 'utf8')
  const wallet = (...args: readonly string[]) => net.wallet('miner', ...args)

  async function api<T>(method: string, where: string, body?: object, token = API_TOKEN): Promise<T> {
    const answer = await fetch(`${till.url}${where}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const createInvoice = (grin: number, extra: object = {}) =>
    api<InvoiceJson>('POST', '/invoice', { amount_grin: Math.round(grin * GRIN), ...extra })
  const invoice = (id: string) => api<InvoiceJson>('GET', `/invoice/${id}`)

  async function until(id: string, reached: (now: InvoiceJson) => boolean, ms = 60_000): Promise<InvoiceJson> {
    for (let waited = 0; ; waited += 250) {
      const now = await invoice(id)
      if (reached(now)) return now
      if (waited > ms) throw new Error(`still ${now.status}, ${now.confirmations} confirmations`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  async function paste(
    token: string,
    text: string,
  ): Promise<{ status: number; ok: boolean; slatepack?: string; error?: string }> {
    const answer = await fetch(`${till.url}/pay/${token}/slatepack`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ slatepack: text }).toString(),
    })
    return { status: answer.status, ...((await answer.json()) as { ok: boolean; slatepack?: string; error?: string }) }
  }

  /** As a customer does it: a browser without scripts, copy, paste, press the button, copy the answer. */
  async function pasteInBrowser(token: string, text: string): Promise<string> {
    if (!existsSync(CHROMIUM)) return (await paste(token, text)).slatepack ?? ''
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-sync',
      ],
    })
    try {
      const context = await browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      await page.goto(`${till.url}/pay/${token}?method=slatepack`, { waitUntil: 'domcontentloaded' })
      await page.getByRole('textbox').first().fill(text)
      await page.locator('form[action*="slatepack"] button').click()
      const reply = page.locator('textarea[readonly]').first()
      await reply.waitFor()
      return (await reply.textContent()) ?? ''
    } finally {
      await browser.close()
    }
  }

  /** S1 by grin-wallet, pasted, S2 finalised and posted. Answers the slate's file names. */
  async function pay(token: string, grin: string, name: string, options: readonly string[]): Promise<void> {
    await wallet('send', '-c', '1', '-m', ...options, '-u', path(`${name}.S1`), grin)
    const reply = await paste(token, slatepack(`${name}.S1`))
    expect(reply).toMatchObject({ status: 200, ok: true })
    writeFileSync(path(`${name}.S2`), reply.slatepack ?? '')
    await wallet('finalize', '-f', '-i', path(`${name}.S2`), '-u', path(`${name}.S3`))
  }

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'grinpay-interop-'))
    net = await startUsernet(24_500 + (process.pid % 400) * 20)
    await net.mine(12)
    hooks = await startHookReceiver(HOOK_SECRET)
    settings = {
      PAY_BIND: `127.0.0.1:${await freePort()}`,
      PAY_CHAIN: 'usernet',
      PAY_NODE_URL: net.nodeUrl,
      PAY_CONFIRMATIONS: String(CONFIRMATIONS),
      PAY_DATA_DIR: path('data'),
      PAY_DB_PATH: path('pay.db'),
      PAY_MNEMONIC: WORDS,
      PAY_WALLET_PASSWORD: 'interop password',
      PAY_API_TOKEN: API_TOKEN,
      PAY_ADMIN_TOKEN: ADMIN_TOKEN,
      PAY_WEBHOOK_URL: hooks.url,
      PAY_WEBHOOK_SECRET: HOOK_SECRET,
    }
    till = await startTillProcess(settings)
    const status = await api<{ wallet_address: string }>('GET', '/admin/status', undefined, ADMIN_TOKEN)
    tillAddress = status.wallet_address
  })

  afterAll(async () => {
    await till?.stop()
    await hooks?.close()
    await net?.clean()
    if (dir) rmSync(dir, { recursive: true, force: true })
  })

  test('(a) a wallet pays through the checkout page, and the shop hears of it twice', async () => {
    const { invoice_id: id, token } = await createInvoice(1.5, { order_ref: 'order-1', memo: 'two coffees' })
    await wallet('send', '-c', '1', '-m', '-u', path('a.S1'), '1.5')
    const reply = await pasteInBrowser(token, slatepack('a.S1'))
    expect(reply).toMatch(/^BEGINSLATEPACK\. /)
    expect((await invoice(id)).status).toBe('paid')
    const received = await hooks.waitFor('payment.received', id)
    expect(received.json.payment).toMatchObject({ amount: 1.5 * GRIN, amount_grin: '1.5', status: 'received' })
    expect(received.json.payment).not.toHaveProperty('confirmations')

    writeFileSync(path('a.S2'), reply)
    await wallet('finalize', '-f', '-i', path('a.S2'), '-u', path('a.S3'))
    await net.mine(1)
    await until(id, ({ confirmations }) => confirmations === 1)
    await net.mine(CONFIRMATIONS - 1)
    const confirmed = await until(id, ({ status }) => status === 'confirmed')
    expect(confirmed.confirmations).toBeGreaterThanOrEqual(CONFIRMATIONS)
    const event = await hooks.waitFor('payment.confirmed', id)
    expect(event.json.payment).toMatchObject({ confirmations: CONFIRMATIONS, status: 'confirmed' })
    expect(hooks.faults).toEqual([])
  })

  test('(b) the payment proof that the payer asked for verifies in its wallet', async () => {
    const { invoice_id: id, token } = await createInvoice(2.25)
    await pay(token, '2.25', 'b', ['-d', tillAddress])
    await net.mine(CONFIRMATIONS)
    const { payment_id } = await until(id, ({ status }) => status === 'confirmed')
    await wallet('export_proof', '-t', String(payment_id), path('b.proof'))
    expect(await wallet('verify_proof', path('b.proof'))).toContain("Payment proof's signatures are valid.")
    const receipt = await api<{ receipt: { proof: Record<string, unknown> } }>('GET', `/payment/${payment_id}/receipt`)
    const proof = JSON.parse(slatepack('b.proof')) as { excess: string; recipient_sig: string }
    expect(receipt.receipt.proof).toMatchObject({ kernel_excess: proof.excess, recipient_sig: proof.recipient_sig })
  })

  test('(d) a wrong amount is refused in words, and the corrected slate is taken', async () => {
    const { invoice_id: id, token } = await createInvoice(1.25)
    await wallet('send', '-c', '1', '-m', '-u', path('d0.S1'), '2')
    const refusal = await paste(token, slatepack('d0.S1'))
    expect(refusal).toMatchObject({ status: 422, ok: false })
    expect(refusal.error).toMatch(/2 GRIN.*1\.25/)
    expect((await invoice(id)).status).toBe('open')
    await wallet('cancel', '-t', slateIdOf(await wallet('unpack', '-i', path('d0.S1'))))
    await pay(token, '1.25', 'd1', [])
    await net.mine(CONFIRMATIONS)
    await until(id, ({ status }) => status === 'confirmed')
  })

  test('(f) an encrypted slatepack is read, and answered encrypted to its sender', async () => {
    const { invoice_id: id, token } = await createInvoice(0.75)
    await wallet('send', '-c', '1', '-m', '-n', '-d', tillAddress, '-u', path('f.S1'), '0.75')
    const reply = await paste(token, slatepack('f.S1'))
    expect(reply.ok).toBe(true)
    writeFileSync(path('f.S2'), reply.slatepack ?? '')
    const unpacked = await wallet('unpack', '-i', path('f.S2'))
    expect(unpacked).toMatch(/SLATEPACK CONTENTS.*encrypted|DECRYPTED|"mode": 1/is)
    await wallet('finalize', '-f', '-i', path('f.S2'), '-u', path('f.S3'))
    await net.mine(CONFIRMATIONS)
    await until(id, ({ status }) => status === 'confirmed')
  })

  test('(e) a reorganisation takes the confirmations back, and the chain forward again brings them', async () => {
    const { invoice_id: id, token } = await createInvoice(0.5)
    const { height } = await net.tip()
    await pay(token, '0.5', 'e', ['-n'])
    await net.mine(CONFIRMATIONS - 1)
    await until(id, ({ confirmations }) => confirmations === CONFIRMATIONS - 1)
    await net.rewindTo(height)
    await net.mine(1)
    const back = await until(id, ({ confirmations }) => confirmations === 0)
    expect(back.status).toBe('paid')
    expect(hooks.events.filter(({ json }) => json.invoice_id === id)).toHaveLength(1)
    await wallet('repost', '-i', await lastTransactionNumber(wallet), '-f')
    await net.mine(CONFIRMATIONS)
    await until(id, ({ status }) => status === 'confirmed')
    await hooks.waitFor('payment.confirmed', id)
    expect(hooks.events.filter(({ json }) => json.invoice_id === id)).toHaveLength(2)
    expect(hooks.faults).toEqual([])
  })

  test("(c) the till's words restored in grin-wallet show the same balance, and it can be spent", async () => {
    await net.mine(4)
    const { stdout } = await run(process.execPath, [join(ROOT, 'bin/run.js'), 'wallet', 'balance', '--quiet'], {
      env: cleanEnvironment(settings),
    })
    expect(await till.stop()).toBe(0)
    await net.newWallet('restored', WORDS)
    await net.wallet('restored', 'scan')
    const info = await net.wallet('restored', 'info', '-c', '1')
    const spendable = /Currently Spendable\s*\|\s*([\d.]+)/.exec(info)?.[1]
    expect(Number(spendable)).toBe(Number(stdout.trim()))
    expect(Number(spendable)).toBeGreaterThan(6)
    await net.wallet('restored', 'send', '-c', '1', '-m', '-u', path('c.S1'), '3')
    await net.wallet('miner', 'receive', '-m', '-i', path('c.S1'), '-u', path('c.S2'))
    await net.wallet('restored', 'finalize', '-f', '-i', path('c.S2'), '-u', path('c.S3'))
    const { height } = await net.tip()
    await net.mine(1)
    const outputs = await net.rpc<{ height: number }>('get_tip', [])
    expect(outputs.height).toBe(height + 1)
    expect(await net.wallet('restored', 'txs')).toMatch(/Sent Tx/)
  })
})

const slateIdOf = (text: string): string => /"id": "([0-9a-f-]{36})"/.exec(text)?.[1] ?? ''

/** The number of the newest transaction in `grin-wallet txs`. */
async function lastTransactionNumber(wallet: (...args: string[]) => Promise<string>): Promise<string> {
  const plain = stripVTControlCharacters(await wallet('txs'))
  const numbers = [...plain.matchAll(/^\|\s*(\d+)\s*\|\s*Sent Tx/gm)].map(([, number]) => Number(number))
  return String(Math.max(...numbers))
}
