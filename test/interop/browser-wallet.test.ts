// The wallet page of examples/wallet, with the packed library in Chromium, on a private chain of real programs: grin-wallet pays it, it pays
// a till, it pays grin-wallet, and its words restored in grin-wallet show the same balance.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser } from '../support/browser.js'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { freePort } from '../support/till-process.js'
import { missingOracles, startUsernet, type Usernet } from '../support/usernet.js'
import { openWalletPage, type PageServer, servePage, type WalletPage } from '../support/wallet-page.js'
import { type InvoiceAnswer, type RealTill, startRealTill } from './real-till.js'

const missing = missingOracles() ?? noBrowser
const CONFIRMATIONS = 3

describe.skipIf(missing)(`the wallet page beside real grin programs${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let net: Usernet
  let till: RealTill
  let dir: string
  let project: ScratchProject
  let server: PageServer
  let page: WalletPage
  let words: string

  const path = (name: string) => join(dir, name)
  const miner = (...args: readonly string[]) => net.wallet('miner', ...args)

  /** Mines until the transaction, which may still be in Dandelion's stem, is deep enough. */
  async function untilConfirmed(id: string): Promise<InvoiceAnswer> {
    for (let blocks = 0; blocks < 40; blocks += 1) {
      await net.mine(1)
      const invoice = await till.invoice(id)
      if (invoice.status === 'confirmed') return invoice
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
    throw new Error(`not confirmed\n${till.output()}`)
  }

  /** What grin-wallet can spend of a wallet. */
  async function spendable(name: string): Promise<string> {
    const info = stripVTControlCharacters(await net.wallet(name, 'info', '-c', '1'))
    return String(Number(/Currently Spendable\s*\|\s*([\d.]+)/.exec(info)?.[1]))
  }

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'grinpay-browser-wallet-'))
    project = await installPackages(['grin'])
    net = await startUsernet(41_500 + (process.pid % 400) * 20)
    await net.mine(12)
    till = await startRealTill(net, {
      PAY_CONFIRMATIONS: String(CONFIRMATIONS),
      PAY_CHECKOUT_METHODS: 'slatepack',
      PAY_BUNDLED_RELAY_URL: 'ws://127.0.0.1:9',
      PAY_GRIN1_RAIL: 'on',
      PAY_GRIN1_FOREIGN_PORT: String(await freePort()),
      PAY_TOR_CONTROL: 'off',
    })
    server = await servePage(join(project.package('grin'), 'dist/browser'))
    page = await openWalletPage({ url: server.url, nodeUrl: net.nodeUrl, chain: 'usernet' })
  })

  afterAll(async () => {
    await page?.close()
    server?.close()
    await till?.clean()
    await net?.clean()
    project?.remove()
    if (dir) rmSync(dir, { recursive: true, force: true })
  })

  test('(a) grin-wallet pays it: encrypted to its address, with a payment proof that grin-wallet verifies', async () => {
    words = await page.make()
    await miner('send', '-c', '1', '-m', '-d', await page.address(), '-u', path('a.S1'), '20')
    writeFileSync(path('a.S2'), await page.receive(readFileSync(path('a.S1'), 'utf8')))
    await miner('finalize', '-f', '-i', path('a.S2'), '-u', path('a.S3'))
    await net.mine(1)
    await page.balanceIs('20')
    const sent = [...stripVTControlCharacters(await miner('txs')).matchAll(/^\|?\s*(\d+)\s*\|?\s*Sent Tx/gm)]
    await miner('export_proof', '-i', String(Math.max(...sent.map(([, id]) => Number(id)))), path('a.proof'))
    expect(await miner('verify_proof', path('a.proof'))).toContain("Payment proof's signatures are valid.")
  })

  test('(b) it pays a till over the page of the invoice, to confirmed', async () => {
    const { invoice_id: id, token } = await till.createInvoice(3)
    const shown = await (await fetch(`${till.url}/pay/${token}?method=invoice`)).text()
    const { asked, i2 } = await page.pay(/<textarea id="invoice"[^>]*>([^<]*)</.exec(shown)?.[1] ?? '')
    expect(asked).toBe('3')
    const reply = await fetch(`${till.url}/pay/${token}/slatepack`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ slatepack: i2 }).toString(),
    })
    expect(await reply.json()).toMatchObject({ ok: true })
    expect((await untilConfirmed(id)).confirmations).toBeGreaterThanOrEqual(CONFIRMATIONS)
    await page.balanceIs('16.977')
  })

  test('(c) it pays the same till by S1 and S2', async () => {
    const { invoice_id: id, token } = await till.createInvoice(1.5)
    const reply = await fetch(`${till.url}/pay/${token}/slatepack`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ slatepack: await page.send('1.5') }).toString(),
    })
    const { slatepack } = (await reply.json()) as { slatepack?: string }
    await page.finish(slatepack ?? '')
    expect((await untilConfirmed(id)).status).toBe('confirmed')
    await page.balanceIs('15.454')
  })

  test('(d) it pays grin-wallet, encrypted, and has the proof', async () => {
    writeFileSync(path('d.S1'), await page.send('2', await net.address('miner')))
    await miner('receive', '-m', '-i', path('d.S1'), '-u', path('d.S2'))
    await page.finish(readFileSync(path('d.S2'), 'utf8'))
    // Posted by Dandelion: for a while the node keeps it from its pool, and from the blocks.
    await expect
      .poll(
        async () => {
          await net.mine(1)
          return page.balance()
        },
        { timeout: 300_000, interval: 5_000 },
      )
      .toBe('13.431')
    await page.inHistory('Payment proof')
    writeFileSync(path('d.proof'), await page.page.locator('[data-reply=history] textarea').inputValue())
    expect(await miner('verify_proof', path('d.proof'))).toContain("Payment proof's signatures are valid.")
  })

  test('(e) its words restored in grin-wallet, and in another browser, show the same balance', async () => {
    const balance = await page.balance()
    await net.newWallet('restored', words)
    await net.wallet('restored', 'scan')
    expect(await spendable('restored')).toBe(balance)
    const other = await openWalletPage({ url: server.url, nodeUrl: net.nodeUrl, chain: 'usernet' })
    try {
      await other.restore(words)
      await other.balanceIs(balance)
    } finally {
      await other.close()
    }
    expect(page.faults).toEqual([])
  })

  test('(f) what it restored, grin-wallet can spend', async () => {
    await net.wallet('restored', 'send', '-c', '1', '-m', '-u', path('f.S1'), '5')
    await miner('receive', '-m', '-i', path('f.S1'), '-u', path('f.S2'))
    await net.wallet('restored', 'finalize', '-f', '-i', path('f.S2'), '-u', path('f.S3'))
    await net.mine(1)
    // The change belongs to a key that the page did not use: it is found by a scan.
    await page.open('settings')
    await page.page.getByRole('button', { name: 'Scan the chain again' }).click()
    await page.balanceIs(await spendable('restored'))
  })
})
