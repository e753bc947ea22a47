// The checkout in a real browser without JavaScript, over a till that only pretends.
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { createFakeTill, type FakeTill, I1, REPLY } from '../support/fake-till.js'
import { tillApp } from '../support/till-app.js'
import { grin, MINUTE, NOON } from '../support/till-builders.js'

if (noBrowser) console.log(`checkout in a browser skipped: ${noBrowser}`)

const WIDTHS = [320, 768, 1280] as const
const SCHEMES = ['light', 'dark'] as const
const fiat = { amount: '12.50', currency: 'usd', rate: '0.083333', source: 'coingecko' }
const LONG = 'x'.repeat(120)

/** Every state that a payer can see, with the widest content that fits into it. */
const STATES = {
  open: { amount: grin(9_007_199.25474099), fiat, memo: LONG, orderRef: LONG, expiresAt: NOON + MINUTE },
  paid: { status: 'paid' },
  confirming: { status: 'paid', confirmations: 4 },
  confirmed: { status: 'confirmed', confirmations: 10 },
  expired: { status: 'expired', fiat, expiresAt: NOON },
  cancelled: { status: 'cancelled' },
} as const

describe.skipIf(noBrowser)('the checkout without JavaScript', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let till: FakeTill
  let app: FastifyInstance
  let base: string

  beforeAll(async () => {
    till = createFakeTill({ chain: 'testnet' })
    ;({ app } = await tillApp({ till }))
    base = await app.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    app?.server.closeAllConnections()
    await app?.close()
  })

  const open = (token: string) => page.goto(`${base}/pay/${token}`, { waitUntil: 'domcontentloaded' })
  const status = () => page.frameLocator('iframe').getByRole('status')
  const sidewaysScroll = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  const frameOverflow = async () => {
    const frame = page.frames().find((one) => one.url().includes('/frame'))
    return frame?.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight)
  }
  const paste = async (text: string) => {
    await page.getByLabel('Slatepack from your wallet').fill(text)
    await page.getByRole('button', { name: 'Get the reply' }).click({ noWaitAfter: true })
  }

  describe.each(SCHEMES)('in the %s scheme', (colorScheme) => {
    test.each(WIDTHS)('fits into %i px in every state', async (width) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      for (const [name, invoice] of Object.entries(STATES)) {
        await open(till.put(invoice).token)
        expect([name, await sidewaysScroll()]).toEqual([name, 0])
        if (!['open', 'paid', 'confirming'].includes(name)) continue
        await status().waitFor()
        expect([name, await frameOverflow()]).toEqual([name, 0])
      }
      await open('nope')
      expect(await sidewaysScroll()).toBe(0)
    })
  })

  describe.each(SCHEMES)('the tabs of the grin1 rail in the %s scheme', (colorScheme) => {
    test.each(WIDTHS)('fit into %i px', async (width) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const { token } = till.put({ ...STATES.open, rail: 'grin1', slateId: LONG, slatepack: I1 })
      for (const method of ['invoice', 'address', 'slatepack']) {
        await open(`${token}?method=${method}`)
        expect([method, await sidewaysScroll()]).toEqual([method, 0])
        const code = page.locator('.qr')
        if (method !== 'slatepack') expect((await code.boundingBox())?.width).toBeGreaterThan(150)
      }
    })
  })

  test('a payer hands in the answer to our invoice', async () => {
    const { token } = till.put({ amount: grin(1.5), rail: 'grin1', slateId: 'slate', slatepack: I1 })
    await open(token)
    await page.getByRole('link', { name: 'Invoice', exact: true }).click({ noWaitAfter: true })
    expect(await page.getByRole('textbox', { name: 'Invoice slatepack' }).inputValue()).toBe(I1)
    await page.getByLabel('Slatepack from your wallet').fill('bad')
    await page.getByRole('button', { name: 'Hand it in' }).click({ noWaitAfter: true })
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Slatepack from your wallet').fill('good I2')
    await page.getByRole('button', { name: 'Hand it in' }).click({ noWaitAfter: true })
    await page.getByText('Nothing is left for you to do').waitFor()
    await status().getByText('The till is broadcasting it.').waitFor()
  })

  test('a payer pays', async () => {
    const { token } = till.put({ amount: grin(1.5), memo: 'Coffee' })
    await open(token)
    await paste('BEGINSLATEPACK. good. ENDSLATEPACK.')
    await page.getByRole('heading', { name: 'Almost done: finish in your wallet' }).waitFor()
    expect(await page.getByLabel('Slatepack for your wallet').inputValue()).toBe(REPLY)
    await status().getByText('Received, confirming 0 of 10').waitFor()

    till.put({ id: idOf(token), confirmations: 1 })
    await status().getByText('Received, confirming 1 of 10').waitFor()
    till.put({ id: idOf(token), status: 'confirmed', confirmations: 10 })
    await status().getByText('Paid. Thank you!').waitFor()
    await page.frameLocator('iframe').getByRole('link', { name: 'Show the next step' }).click({ noWaitAfter: true })
    await page.getByText('Settled with 10 confirmations.').waitFor()
  })

  test('a half-typed slatepack survives the news', async () => {
    const { id, token } = till.put({})
    await open(token)
    await page.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. half')
    await status().getByText('Waiting for payment').waitFor()
    till.put({ id, status: 'paid' })
    await status().getByText('Received, confirming 0 of 10').waitFor()
    expect(await page.getByLabel('Slatepack from your wallet').inputValue()).toBe('BEGINSLATEPACK. half')
  })

  test('a refused slatepack stays in the field, beside the reason', async () => {
    const { token } = till.put({ amount: grin(1.5) })
    await open(token)
    await paste('BEGINSLATEPACK. bad. ENDSLATEPACK.')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('This slatepack is for 2 GRIN, the invoice is 1.5.')
    expect(await page.getByLabel('Slatepack from your wallet').inputValue()).toBe('BEGINSLATEPACK. bad. ENDSLATEPACK.')
    await alert.getByRole('link').click()
    expect(new URL(page.url()).hash).toBe('#slatepack')
  })

  test('an expired price is renewed by one click', async () => {
    const { token } = till.put({ status: 'expired', fiat, amount: grin(150), expiresAt: NOON })
    await open(token)
    await page.getByRole('button', { name: 'Get a new price' }).click({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Amount due' }).waitFor()
    expect(page.url()).toBe(`${base}/pay/${token}`)
  })

  test('can be used by keyboard alone', async () => {
    const { token } = till.put({})
    await open(token)
    const reached: string[] = []
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.tagName ?? ''))
    }
    expect(reached).toEqual(expect.arrayContaining(['A', 'SUMMARY', 'TEXTAREA', 'BUTTON']))
  })

  test('reads in order', async () => {
    const { token } = till.put({ amount: grin(1.5), memo: 'Coffee', id: 'c0ffee'.padEnd(32, '0'), token: 'token' })
    await open(token)
    await status().waitFor()
    expect(await page.locator('body').ariaSnapshot()).toMatchInlineSnapshot(`
      "- note "Not real money":
        - strong: TESTNET
        - text: Test coins without value. Do not send real Grin here.
      - banner: Grin payment
      - main:
        - region "What to pay":
          - heading "Amount due 1.5 GRIN" [level=1]
          - term: For
          - definition: Coffee
          - term: Invoice
          - definition: c0ffee000000
          - iframe
          - paragraph:
            - text: "This updates by itself. If it does not:"
            - link "check the status in a new window":
              - /url: /pay/token/frame?page=open
            - text: .
        - region "How to pay":
          - list:
            - listitem:
              - heading "Send from your Grin wallet" [level=2]
              - paragraph: Works with every Grin wallet. Start a payment of exactly this amount to this address; if your wallet asks how, choose Slatepack.
              - term: Amount in GRIN
              - definition: "1.5"
              - term: To this till
              - definition: tgrin1qq7mx6xsfhvv7t3r8ztfrtjr2dxqq8m0n3yz9lk6gp0sxk7xv4aqsn3v8e
              - paragraph: A click selects the whole value. With the address your wallet can encrypt, and ask for a payment proof.
              - group: With grin-wallet in a terminal
            - listitem:
              - heading "Paste what your wallet shows" [level=2]
              - paragraph: Copy all of it, from BEGINSLATEPACK to ENDSLATEPACK.
              - text: Slatepack from your wallet
              - textbox "Slatepack from your wallet":
                - /placeholder: BEGINSLATEPACK. …
              - button "Get the reply"
            - listitem:
              - heading "Give our reply back to your wallet" [level=2]
              - paragraph: You get it on the next page. Your wallet then finishes the payment and broadcasts it; nothing has moved until it does.
      - contentinfo:
        - paragraph: Only your wallet and this till sign the payment. No scripts, no trackers."
    `)
  })

  function idOf(token: string): string {
    return [...till.invoices.values()].find((invoice) => invoice.token === token)?.id ?? ''
  }
})
