// A sale at the point of sale of `grinpay sandbox`, as a shop's staff makes it in Chromium: with scripts and without.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { type BuiltSandbox, startBuiltSandbox } from '../support/built-sandbox.js'

if (noBrowser) console.log(`a sale in a browser skipped: ${noBrowser}`)

/** From the moment the till has signed to the amber screen. */
const AT_ONCE_MS = 2000
/** To the green one: the node has the transaction by then, and the till looks every two seconds. */
const SOON_MS = 10_000
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

describe.skipIf(noBrowser)('a sale in the sandbox', () => {
  let sandbox: BuiltSandbox
  /** GRIN. */
  let sold = 0
  beforeAll(async () => {
    sandbox = await startBuiltSandbox()
  })
  afterAll(() => sandbox?.close())

  /** When the API first calls the invoice paid: at most the till's answer to the S1 and 20 ms ago. */
  async function paidAt(id: string): Promise<number> {
    for (;;) {
      const answer = await fetch(`${sandbox.url}/invoice/${id}`, {
        headers: { authorization: `Bearer ${sandbox.apiToken}` },
      })
      const { status } = (await answer.json()) as { status: string }
      if (status !== 'open') return Date.now()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function expectToFit(page: Page): Promise<void> {
    const excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    expect(await page.evaluate(excess)).toBe(0)
  }

  /** Asked for by the browser itself, past the page's own policy; without scripts there is no asking. */
  async function expectAccessible(page: Page): Promise<void> {
    const expression = `${AXE}; axe.run().then((found) => found.violations.map(({ id }) => id))`
    const asking = await page.context().newCDPSession(page)
    const { result } = await asking.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    expect(result.value).toEqual([])
  }

  async function expectGood(page: Page, scripts: boolean): Promise<void> {
    await expectToFit(page)
    if (scripts) await expectAccessible(page)
  }

  async function typeAmount(page: Page, scripts: boolean): Promise<void> {
    if (!scripts) return page.getByLabel('Amount', { exact: true }).fill('1,5')
    for (const key of ['1', 'Decimal sign', '5', '5', 'Delete the last digit'])
      await page.getByRole('button', { name: key, exact: true }).click()
    await page.getByText('10 %').click()
    expect(await page.locator('#total').textContent()).toBe(' 1.65 EUR')
    await page.getByText('None').click()
  }

  test.each([true, false])('scripts: %s', async (scripts) => {
    const browser = await openBrowser({ scripts })
    const page = await browser.context.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(await sandbox.consoleLink())
    await page.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
    await page.waitForURL(/\/console\/(?!enter)/, { waitUntil: 'commit' })

    await page.goto(new URL('/console/pos', page.url()).href)
    expect(await page.locator('.keys').isVisible()).toBe(scripts)
    await page.locator('label', { hasText: /^EUR$/ }).click()
    await typeAmount(page, scripts)
    await expectGood(page, scripts)
    await page.getByRole('button', { name: /^Charge/ }).click({ noWaitAfter: true })
    await page.locator('.qr').waitFor()
    expect((await page.locator('.qr').boundingBox())?.width).toBeGreaterThan(300)
    await page.getByText('30 GRIN').waitFor()
    await expectGood(page, scripts)

    const id = /sales\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? ''
    const shown = (name: RegExp | string) =>
      page
        .getByRole('heading', { name })
        .waitFor()
        .then(() => Date.now())
    const paying = Promise.all([paidAt(id), shown(/^(Signed: waiting for the network|Paid)$/), sandbox.pay(id)])
    const green = await shown('Paid')
    const [signed, amber] = await paying
    expect(amber - signed).toBeLessThan(AT_ONCE_MS)
    expect(green - signed).toBeLessThan(SOON_MS)
    await page.getByText('Confirmed 3 of 3').waitFor()
    await expectGood(page, scripts)

    await page.getByRole('link', { name: 'Next sale' }).click({ noWaitAfter: true })
    await page
      .getByRole('link', { name: /^1\.50 EUR confirmed/ })
      .first()
      .waitFor()
    await page.goto(new URL('/console/reports', page.url()).href)
    sold += 30
    await page.getByText(`${sold} GRIN`).first().waitFor()
    await page.goto(new URL('/console/names', page.url()).href)
    await page.getByText('No name was claimed yet').waitFor()
    await browser.close()
  })
})
