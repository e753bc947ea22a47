// The whole life of the wallet page of examples/wallet, with the packed library, in Chromium, on the sandbox's chain.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayDaemon } from '../../src/daemons/pay.js'
import {
  createPasteCustomer,
  createSandboxPayer,
  type SandboxNode,
  type SandboxPayer,
  startSandboxNode,
} from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { noBrowser } from '../support/browser.js'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { openWalletPage, type PageServer, servePage, type WalletPage } from '../support/wallet-page.js'

const GRIN = 1_000_000_000n

describe.skipIf(noBrowser)(`the wallet page${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const workers = createRangeWorkers()
  const pages: WalletPage[] = []
  let folder: string
  let project: ScratchProject
  let node: SandboxNode
  let payer: SandboxPayer
  let till: PayDaemon
  let server: PageServer
  let wallet: WalletPage
  let words: string

  const openPage = async () => {
    const opened = await openWalletPage({ url: server.url, nodeUrl: node.url, chain: 'sandbox' })
    pages.push(opened)
    return opened
  }

  /** Runs the program of the example that asks the sandbox for play money. */
  async function withCoins(args: readonly string[], exchange: (s1: string) => Promise<string>): Promise<void> {
    const child = spawn(process.execPath, ['examples/wallet/coins.mjs', ...args, '--node', node.url])
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let text = ''
    const s1 = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        text += chunk
        const [slatepack] = /BEGINSLATEPACK[\s\S]*ENDSLATEPACK\./.exec(text) ?? []
        if (slatepack) resolve(slatepack)
      })
      child.stderr.on('data', (chunk) => reject(new Error(`${chunk}`)))
    })
    child.stdin.end(`${await exchange(s1)}\n`)
    expect(await ended).toBe(0)
    expect(text).toMatch(/Posted: 10 GRIN, kernel [0-9a-f]{66}/)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'grinpay-wallet-page-'))
    project = await installPackages(['grin'])
    node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom })
    payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
    await payer.fund(2)
    const { send, finish } = createPasteCustomer(payer)
    node.offer('send', send)
    node.offer('finish', finish)
    const { config } = await sandboxTill(folder, { nodeUrl: node.url }, { PAY_GRIN1_RAIL: 'on' })
    till = await openSandboxTill(config, { workers })
    server = await servePage(join(project.package('grin'), 'dist/browser'))
    wallet = await openPage()
  })
  afterAll(async () => {
    for (const page of pages) await page.close()
    server?.close()
    await till?.stop()
    await node?.close()
    await workers.close()
    project?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('makes a wallet and receives by paste', async () => {
    words = await wallet.make()
    expect(words.split(' ')).toHaveLength(24)
    await wallet.balanceIs('0')
    await withCoins(['10', '--address', await wallet.address()], async (s1) => {
      const s2 = await wallet.receive(s1)
      expect(await wallet.receive(s1)).toBe(s2)
      return s2
    })
    node.mine(1)
    await wallet.balanceIs('10')
    expect(await wallet.history()).toEqual([expect.stringMatching(/^Received\+10 GRINconfirmed in block \d+/)])
  })

  test('sends by paste, and posts', async () => {
    const other = await openPage()
    await other.make()
    const s1 = await wallet.send('2.5', await other.address())
    await wallet.finish(await other.receive(s1))
    node.mine(1)
    await other.balanceIs('2.5')
    await wallet.balanceIs('7.477')
    await wallet.inHistory('Payment proof')
    const proof = await wallet.page.locator('[data-reply=history] textarea').inputValue()
    expect(JSON.parse(proof)).toMatchObject({ amount: '2500000000', recipient_address: await other.address() })
  })

  test("pays a till's invoice by paste", async () => {
    const { invoice } = await till.till.createInvoice({ amountNanogrin: 3n * GRIN })
    const { asked, i2 } = await wallet.pay(invoice.slatepack ?? '')
    expect(asked).toBe('3')
    await till.till.pasteSlatepack(invoice.token, i2)
    await till.till.passes.push()
    node.mine(1)
    await till.till.passes.confirm()
    expect(await till.till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', confirmations: 1 })
    await wallet.balanceIs('4.454')
  })

  test('cancels, and explains what it refuses', async () => {
    await wallet.send('1')
    expect(await wallet.inHistory('Cancel')).toMatch(/^Cancelled/)
    await wallet.balanceIs('4.454')
    await expect(wallet.send('400')).rejects.toThrow(/4\.454 GRIN can be spent now/)
    await expect(wallet.send('1', 'grin1qqqq')).rejects.toThrow(/address of mainnet/)
    const held = payer.begin(GRIN)
    await expect(wallet.finish(held.s1)).rejects.toThrow(/Paste it under Receive/)
    await expect(wallet.receive('hello')).rejects.toThrow(/\./)
    payer.abandon(held)
    await wallet.open('settings')
    await expect(wallet.submit('settings-form', { nodeUrl: 'https://node.example' })).rejects.toThrow(/on this machine/)
  })

  test('keeps its state across a reload, encrypted', async () => {
    await wallet.unlock()
    await wallet.balanceIs('4.454')
    expect(await wallet.history()).toHaveLength(4)
    const stored = await wallet.page.evaluate(async () => {
      const opening = indexedDB.open('grin-wallet-example-vault')
      await new Promise((resolve) => {
        opening.onsuccess = resolve
      })
      const all = opening.result.transaction('records').objectStore('records').getAll()
      await new Promise((resolve) => {
        all.onsuccess = resolve
      })
      opening.result.close()
      return all.result.map((record: { key: string; value: string }) => `${record.key} ${record.value}`)
    })
    const [header] = stored.filter((text) => text.startsWith('vault/header {'))
    expect(header).toContain('"N":131072')
    expect(stored.length).toBeGreaterThan(5)
    expect(stored.filter((text) => !/^[0-9a-f]{64} [A-Za-z0-9+/=]+$/.test(text))).toEqual([header])
  })

  test('refuses a node of mainnet', async () => {
    const { page } = wallet
    const mainnet = '40adad0aec27797b48840aa9e00472015c21baea118ce7a2ff1a82c0f8f5bf82'
    const later = 'ee'.repeat(32)
    await page.route('**/v2/foreign', async (route) => {
      const call: { method: string; params: unknown[] } = route.request().postDataJSON()
      const [height] = call.params
      const Ok =
        call.method === 'get_tip'
          ? { height: 3_000_000, last_block_pushed: later }
          : { height, hash: height === 0 ? mainnet : later }
      return route.fulfill({ json: { id: 1, jsonrpc: '2.0', result: { Ok } } })
    })
    await wallet.open('settings')
    await expect(wallet.submit('settings-form', { nodeUrl: node.url })).rejects.toThrow(/of mainnet/)
    await page.unrouteAll()
    await wallet.submit('settings-form', { nodeUrl: node.url })
  })

  test('refuses another passphrase', async () => {
    await wallet.page.goto(server.url)
    await expect(wallet.submit('unlock-form', { passphrase: 'something else' })).rejects.toThrow(/not the passphrase/)
    await wallet.unlock()
  })

  test('shows the same balance when its words are restored in another profile', async () => {
    const restored = await openPage()
    await restored.restore(words)
    await restored.balanceIs(await wallet.balance())
    await restored.unlock()
    await restored.balanceIs(await wallet.balance())
  })

  test('a restore stops, survives a reload and goes on where it was', async () => {
    const restored = await openPage()
    const { page } = restored
    const first: number[] = []
    let isHeld = true
    // Pages of two outputs; the third one waits until the user stops.
    await page.route('**/v2/foreign', async (route) => {
      const call: { method: string; params: unknown[] } = route.request().postDataJSON()
      if (call.method !== 'get_unspent_outputs') return route.continue()
      first.push(Number(call.params[0]))
      if (isHeld && first.length > 2) return
      const [start, end, , proofs] = call.params
      return route.continue({ postData: JSON.stringify({ ...call, params: [start, end, 2, proofs] }) })
    })
    await restored.restore(words)
    await page.getByText('4 outputs looked at').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. It goes on where it was.').waitFor()
    const asked = first.length
    isHeld = false
    await restored.unlock()
    await restored.balanceIs(await wallet.balance())
    expect(first[asked]).toBe(first[asked - 1])
    expect(first[asked]).toBeGreaterThan(first[0] ?? 0)
  })

  test('axe finds nothing, and no view is wider than a phone, light and dark', async () => {
    const { page } = wallet
    const found: string[] = []
    for (const view of ['receive', 'send', 'pay', 'history', 'settings'])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width: 360, height: 800 })
        await wallet.open(view)
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${view}: too wide`)
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
        for (const { id, nodes } of violations) found.push(`${view} ${colorScheme}: ${id} ${nodes[0]?.html}`)
      }
    expect(found).toEqual([])
  })

  test('locks, and is removed', async () => {
    const { page } = wallet
    await wallet.open('settings')
    await page.getByRole('button', { name: 'Lock' }).click()
    await page.locator('#unlock-form').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByText('Forgot the passphrase?').click()
    await page.locator('#unlock [data-remove]').click()
    await page.getByRole('link', { name: 'Make a wallet' }).waitFor()
    expect(
      await page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => /vault/.test(name ?? ''))),
    ).toEqual([])
  })

  test('threw nothing, and loaded nothing that its policy forbids', () => {
    expect(pages.flatMap(({ faults }) => faults)).toEqual([])
  })
})
