// A payment by paste on `grinpay sandbox`, moment by moment, while no block comes: signed, on the network, confirmed. Pictures of what
// cashier, customer and operator see: SALE_SHOTS=/tmp/shots npx vitest run --project timed test/e2e/sale-moments.test.ts
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { type BuiltSandbox, startBuiltSandbox } from '../support/built-sandbox.js'

/** From the moment the node has the transaction in its pool. */
const SOON_MS = 6000
const LONGEST_MS = 60_000
const PHONE = { width: 390, height: 844 }

if (noBrowser) console.log(`the moments of a sale in a browser skipped: ${noBrowser}`)

let sandbox: BuiltSandbox
beforeAll(async () => {
  sandbox = await startBuiltSandbox(undefined, '1h')
})
afterAll(() => sandbox?.close())

const authorized = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function makeInvoice(): Promise<{ readonly invoice_id: string; readonly pay_url: string }> {
  const body = JSON.stringify({ amount_grin: 1_500_000_000 })
  const answer = await fetch(`${sandbox.url}/invoice`, { method: 'POST', headers: authorized(sandbox.apiToken), body })
  return (await answer.json()) as { invoice_id: string; pay_url: string }
}

/** Pastes an S1 of this amount on the page; answers the S2. The customer has not sent anything yet. */
async function sign(payUrl: string, grin: string): Promise<string> {
  const { slatepack } = await sandbox.control('send', { grin })
  const body = new URLSearchParams({ slatepack: String(slatepack) })
  const page = await (await fetch(`${payUrl}/slatepack`, { method: 'POST', body })).text()
  const reply = /BEGINSLATEPACK[^<]*ENDSLATEPACK\./.exec(page)?.[0]
  if (reply === undefined) throw new Error(page)
  return reply
}

async function settlement(): Promise<string | undefined> {
  const answer = await fetch(`${sandbox.url}/admin/payments?limit=1`, { headers: authorized(sandbox.adminToken) })
  const { payments } = (await answer.json()) as { payments: readonly { readonly status: string }[] }
  return payments[0]?.status
}

/** Milliseconds until the payment is so far. */
async function until(wanted: string): Promise<number> {
  const from = Date.now()
  for (let now = await settlement(); now !== wanted; now = await settlement()) {
    if (Date.now() - from > LONGEST_MS) throw new Error(`still ${now}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return Date.now() - from
}

describe('with the settings of every till', () => {
  test('a transaction in the pool of the node is seen within seconds, a block too', async () => {
    const { pay_url } = await makeInvoice()
    const reply = await sign(pay_url, '1.5')
    // Between two passes of the usual interval.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(await settlement()).toBe('replied')
    await sandbox.control('finish', { slatepack: reply })
    expect(await until('seen')).toBeLessThan(SOON_MS)
    await sandbox.control('mine', { blocks: 1 })
    expect(await until('mined')).toBeLessThan(SOON_MS)
    await sandbox.control('mine', { blocks: 2 })
    expect(await until('confirmed')).toBeLessThan(SOON_MS)
  })
})

const folder = process.env.SALE_SHOTS

describe.skipIf(noBrowser)('what people see of a sale', () => {
  let shot = 0
  async function picture(page: Page, who: string, moment: string): Promise<void> {
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    shot += 1
    const path = join(folder, `${String(shot).padStart(2, '0')}-${moment}-${who}.png`)
    await page.screenshot({ path, animations: 'disabled' })
  }

  async function openPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    await page.setViewportSize(PHONE)
    return page
  }

  /** The console signed in, at the sale of 1.5 GRIN that was just charged; answers also the address of its checkout page. */
  async function charge(cashier: Page) {
    await cashier.goto(await sandbox.consoleLink())
    await cashier.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
    await cashier.waitForURL(/\/console\/(?!enter)/, { waitUntil: 'commit' })
    const origin = new URL(cashier.url()).origin
    await cashier.goto(`${origin}/console/pos`)
    await cashier.locator('label', { hasText: /^GRIN$/ }).click()
    await cashier.getByLabel('Amount', { exact: true }).fill('1.5')
    await cashier.getByRole('button', { name: /^Charge/ }).click({ noWaitAfter: true })
    await cashier.locator('.qr').waitFor()
    const id = /sales\/([0-9a-f]{32})/.exec(cashier.url())?.[1] ?? ''
    const answer = await fetch(`${sandbox.url}/invoice/${id}`, { headers: authorized(sandbox.apiToken) })
    const { pay_url } = (await answer.json()) as { pay_url: string }
    return { origin, payUrl: pay_url }
  }

  test('signed is amber for the cashier until the network has it, and nobody reads "paid" before', async () => {
    const [till, phone] = [await openBrowser({ scripts: true }), await openBrowser()]
    const [cashier, operator] = [await openPage(till.context), await openPage(till.context)]
    const customer = await openPage(phone.context)
    const { origin, payUrl } = await charge(cashier)

    /** Waits until all three read the words of the moment. */
    async function moment(name: string, words: { cashier: RegExp; customer: string | RegExp; list: RegExp }) {
      await cashier.getByRole('heading', { name: words.cashier }).waitFor()
      await customer.goto(payUrl)
      const frame = customer.frameLocator('iframe').frameLocator('iframe')
      const place = name === 'confirmed' ? customer : frame
      await place.getByText(words.customer).first().waitFor()
      await operator.goto(`${origin}/console/invoices`)
      const row = operator.locator('tbody tr').first()
      expect(await row.innerText()).toMatch(words.list)
      await picture(cashier, 'cashier', name)
      await picture(customer, 'customer', name)
      await picture(operator, 'operator', name)
    }

    await customer.goto(payUrl)
    await picture(cashier, 'cashier', 'open')
    await picture(customer, 'customer', 'open')

    const reply = await sign(payUrl, '1.5')
    await moment('signed', {
      cashier: /^Signed: waiting for the network$/,
      customer: /^Reply ready/,
      list: /\bsigned\b/,
    })
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(await cashier.locator('#sale').innerText()).not.toMatch(/\bpaid\b/i)
    await operator.goto(`${origin}/console/pos`)
    expect(await operator.locator('.last-sales li').first().innerText()).toContain('signed')
    await picture(operator, 'last-sales', 'signed')

    await sandbox.control('finish', { slatepack: reply })
    const sent = Date.now()
    await cashier.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(Date.now() - sent).toBeLessThan(SOON_MS)
    await moment('seen', { cashier: /^Paid$/, customer: 'Seen on the network', list: /\bseen\b/ })
    await operator.goto(`${origin}/console/pos`)
    expect(await operator.locator('.last-sales li').first().innerText()).toContain('paid')
    await picture(operator, 'last-sales', 'seen')

    await sandbox.control('mine', { blocks: 1 })
    await cashier.getByText('Confirmed 1 of 3').waitFor()
    await moment('mined', { cashier: /^Paid$/, customer: 'Confirming 1 of 3', list: /\bmined\b/ })
    await sandbox.control('mine', { blocks: 2 })
    await cashier.getByText('Confirmed 3 of 3').waitFor()
    await moment('confirmed', { cashier: /^Paid$/, customer: /^Paid$/, list: /\bconfirmed\b/ })
    await Promise.all([till.close(), phone.close()])
  })
})
