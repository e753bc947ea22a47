// The checkout of a whole sandbox till in a browser without JavaScript: every tab, and payments over all rails while the page is open.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvoicingClient, type InvoicingClient } from '../../src/client/index.js'
import { type Sandbox, startSandbox } from '../../src/daemons/sandbox.js'
import { Secret } from '../../src/lib/secret.js'
import { noBrowser, openBrowser } from '../support/browser.js'

if (noBrowser) console.log(`checkout of the rails in a browser skipped: ${noBrowser}`)

const TABS = ['goblin', 'invoice', 'address', 'slatepack'] as const
const WIDTHS = [320, 768, 1100] as const
const SCHEMES = ['light', 'dark'] as const

describe.skipIf(noBrowser)('the checkout of a till with all rails', () => {
  let sandbox: Sandbox
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let api: InvoicingClient
  /** No two invoices over the same amount: the address tab is for amounts that tell which one is meant. */
  let amount = 1_500_000_000

  beforeAll(async () => {
    let said = ''
    const write = (text: string) => {
      said += text
    }
    sandbox = await startSandbox({ version: '0', port: 0, nodePort: 0, blockEveryMs: 400, story: false, write })
    await sandbox.scriptResult
    api = createInvoicingClient({ baseUrl: sandbox.url, apiToken: new Secret(/pay_live_\w+/.exec(said)?.[0] ?? '') })
    browser = await openBrowser()
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await sandbox?.close()
  })

  const invoice = () => api.createInvoice({ amount_grin: ++amount, memo: 'Two bags of coffee', order_ref: 'order-1' })
  const open = (url: string, method: string) => page.goto(`${url}?method=${method}`, { waitUntil: 'domcontentloaded' })
  const card = () => page.frameLocator('iframe').frameLocator('iframe')
  const status = () => card().getByRole('status')
  const pay = async (target: string, rail: string) => {
    const body = JSON.stringify({ target, rail })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${sandbox.nodeUrl}/sandbox/pay`, { method: 'POST', headers, body })
    expect([rail, answer.status, await answer.text()]).toEqual([rail, 200, expect.stringContaining('kernel_excess')])
  }

  describe.each(SCHEMES)('in the %s scheme', (colorScheme) => {
    test.each(WIDTHS)('every tab fits into %i px, its code large enough for a camera', async (width) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const { pay_url } = await invoice()
      for (const tab of TABS) {
        await open(pay_url, tab)
        const sideways = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect([tab, await sideways()]).toEqual([tab, 0])
        if (tab === 'slatepack') continue
        const code = (tab === 'invoice' ? page : card()).locator('.qr')
        const box = await code.boundingBox()
        const modules = Number((await code.getAttribute('viewBox'))?.split(' ')[2])
        expect([tab, (box?.width ?? 0) / modules > 2]).toEqual([tab, true])
      }
    })
  })

  test('on a phone the button comes first and the code second, both on the first screen', async () => {
    const [width, height] = [390, 844]
    await page.setViewportSize({ width, height })
    const { pay_url } = await invoice()
    await open(pay_url, 'goblin')
    const button = await card().getByRole('link', { name: 'Open in wallet' }).boundingBox()
    const code = await card().locator('.qr').boundingBox()
    const ends = [button, code].map((box) => (box ? box.y + box.height : Number.NaN))
    expect(ends[0]).toBeLessThan(code?.y ?? 0)
    expect(ends[1]).toBeLessThanOrEqual(height)
  })

  test('the Nostr tab holds the code, the link for this device, and both as text', async () => {
    const { pay_url, pay_link, nprofile } = await invoice()
    await page.goto(pay_url, { waitUntil: 'domcontentloaded' })
    await card().getByRole('link', { name: 'Grin wallet app' }).and(card().locator('[aria-current=page]')).waitFor()
    expect(await card().getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(pay_link)
    await card()
      .getByRole('img', { name: /^Code to pay 1\.5\d+ GRIN$/ })
      .waitFor()
    await card().getByText('Copy instead of scanning').click({ noWaitAfter: true })
    await card().getByText('Hide the texts').waitFor()
    expect(await card().locator('.copy .value').allTextContents()).toEqual([pay_link, nprofile])
  })

  test.each([
    ['goblin', 'nostr'],
    ['address', 'grin1'],
  ])('on the %s tab the page says so by itself when it is paid over %s', async (tab, rail) => {
    const { invoice_id, pay_url } = await invoice()
    await open(pay_url, tab)
    await status().getByText('Waiting for your payment').waitFor()
    await pay(invoice_id, rail)
    await status()
      .getByText(/Reply ready|Seen on the network|Confirming|Paid/)
      .waitFor()
    await card().getByRole('heading', { name: 'Paid' }).waitFor()
    const receipt = await card().getByRole('link', { name: 'Download the receipt' }).getAttribute('href')
    expect((await fetch(new URL(receipt ?? '', pay_url))).status).toBe(200)
  })

  test('tabs, link and details are reached by keyboard, and each shows that it has the focus', async () => {
    const { pay_url } = await invoice()
    await open(pay_url, 'goblin')
    const reached: string[] = []
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const shown = await page.evaluate(() => {
        let focused = document.activeElement
        while (focused?.tagName === 'IFRAME')
          focused = (focused as HTMLIFrameElement).contentDocument?.activeElement ?? null
        const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
        const isHidden = focused?.ownerDocument.elementFromPoint(left + width / 2, top + height / 2) !== focused
        const ring = focused && (isHidden && top < innerHeight ? 'hidden' : getComputedStyle(focused).outlineStyle)
        return [focused?.textContent?.trim().slice(0, 40) ?? '', ring ?? '']
      })
      if (shown[0] !== '') reached.push(shown.join(': '))
    }
    for (const name of [
      'Open it in full',
      'Grin wallet app',
      'Pay an invoice',
      'Send over Tor',
      'Copy & paste',
      'Open in wallet',
      'Copy instead of scanning',
    ])
      expect(reached).toContain(`${name}: solid`)
  })
})
