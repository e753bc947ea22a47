// The checkout in a real browser without JavaScript, over a till that only pretends.
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/till/pages/texts/index.js'
import { noBrowser, openBrowser } from '../support/browser.js'
import { CHECKOUT_STATES, putState } from '../support/checkout-states.js'
import { createFakeTill, type FakeTill, I1, REPLY } from '../support/fake-till.js'
import { tillApp } from '../support/till-app.js'
import { aPayment, grin, MINUTE, NOON } from '../support/till-builders.js'

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
    ;({ app } = await tillApp({ till, methods: ['nostr', 'slatepack'] }))
    base = await app.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    app?.server.closeAllConnections()
    await app?.close()
  })

  const open = (token: string) =>
    page.goto(`${base}/pay/${token}${token.includes('?') ? '' : '?method=slatepack'}`, {
      waitUntil: 'domcontentloaded',
    })
  /** The document that survives outages, and in it what it loads. */
  const card = () => page.frameLocator('iframe').frameLocator('iframe')
  const status = () => card().getByRole('status')
  const sidewaysScroll = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  /** Pixels of the frame beside a form that do not fit, or of a card that is wider than its page. */
  const frameOverflow = async () => {
    const frame = page.frames().find((one) => one.url().includes('/frame'))
    return frame?.evaluate(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth + (document.body.classList.contains('beside') ? scrollHeight - clientHeight : 0)
    })
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
      const { token } = till.put({ ...STATES.open, offeredRail: 'grin1', slateId: LONG, slatepack: I1 })
      for (const method of ['invoice', 'address', 'slatepack']) {
        await open(`${token}?method=${method}`)
        expect([method, await sidewaysScroll()]).toEqual([method, 0])
        const code = (method === 'address' ? card() : page).locator('.qr')
        if (method !== 'slatepack') expect((await code.boundingBox())?.width).toBeGreaterThan(150)
      }
    })
  })

  describe('on a phone of 390 × 844', () => {
    /** Where something ends, in pixels of the screen. */
    const endOf = async (found: ReturnType<typeof page.locator>) => {
      const box = await found.boundingBox()
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height
    }

    test.each(Object.keys(LANGUAGES))(
      'the button comes first, the code second, both on the first screen (%s)',
      async (language) => {
        await page.setViewportSize({ width: 390, height: 844 })
        await page.setExtraHTTPHeaders({ 'accept-language': language })
        await page.goto(`${base}${putState(till, CHECKOUT_STATES['open-app'] ?? {})}`, {
          waitUntil: 'domcontentloaded',
        })
        const [button, code] = [card().locator('.button.large'), card().locator('.qr')]
        await code.waitFor()
        expect(await endOf(button)).toBeLessThan((await code.boundingBox())?.y ?? 0)
        expect(await endOf(code)).toBeLessThanOrEqual(844)
        expect((await code.boundingBox())?.width).toBeGreaterThan(240)
        await page.setExtraHTTPHeaders({})
      },
    )

    test.each(Object.keys(LANGUAGES))('every status fits into the frame beside a form (%s)', async (language) => {
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      for (const width of [320, 390, 1280])
        for (const name of ['open-paste', 'reply-again', 'confirming', 'seen', 'expired', 'paid']) {
          await page.setViewportSize({ width, height: 844 })
          const path = putState(till, CHECKOUT_STATES[name] ?? {}).split('?')[0]
          // As wide as the frame is at this width of the page.
          await page.setViewportSize({ width: width === 1280 ? 320 : width - 64, height: width === 320 ? 248 : 224 })
          await page.goto(`${base}${path}/frame?view=status`, { waitUntil: 'domcontentloaded' })
          const overflow = await page.evaluate(
            () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
          )
          expect([language, width, name, overflow]).toEqual([language, width, name, 0])
        }
      await page.setExtraHTTPHeaders({})
    })

    test('once it is paid, the whole card tells it by itself, with nothing left to pay', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const path = putState(till, CHECKOUT_STATES['open-app'] ?? {})
      await page.goto(`${base}${path}`, { waitUntil: 'domcontentloaded' })
      await card().getByRole('link', { name: 'Open in wallet' }).waitFor()
      const id = idOf(path.split(/[/?]/)[2] ?? '')
      const payment = aPayment({ invoiceId: id, rail: 'nostr', settlement: 'replied' })
      till.payments.set(payment.id, payment)
      till.put({ id, status: 'paid', paymentId: payment.id })
      await card().getByRole('heading', { name: 'Reply ready: finish in your wallet' }).waitFor()
      till.payments.set(payment.id, { ...payment, settlement: 'seen' })
      till.put({ id })
      await card().getByRole('heading', { name: 'Seen on the network' }).waitFor()
      expect(await card().locator('.qr').count()).toBe(0)
      till.put({ id, confirmations: 1 })
      await card().getByRole('heading', { name: 'Confirming 1 of 10' }).waitFor()
      till.put({ id, status: 'confirmed', confirmations: 10, confirmedAt: NOON })
      await card().getByRole('heading', { name: 'Paid' }).waitFor()
      expect(await card().getByRole('link', { name: 'Open in wallet' }).count()).toBe(0)
      expect(await card().getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
        'https://shop.example/orders/1001',
      )
    })

    test('the texts to copy stay shown when the card loads itself again', async () => {
      const { id, token } = till.put({ amount: grin(1.5), payLink: 'goblin:nprofile1x?amount=1.5' })
      await page.goto(`${base}/pay/${token}?method=goblin`, { waitUntil: 'domcontentloaded' })
      await card().getByRole('link', { name: 'Copy instead of scanning' }).click({ noWaitAfter: true })
      await card().getByText('goblin:nprofile1x?amount=1.5').waitFor()
      const news = () => {
        till.put({ id, memo: 'changed' })
        return card().getByText('changed').count()
      }
      await expect.poll(news, { timeout: 10_000 }).toBe(1)
      expect(await card().getByText('goblin:nprofile1x?amount=1.5').count()).toBe(1)
    })
  })

  test('a payer hands in the answer to our invoice', async () => {
    const { token } = till.put({ amount: grin(1.5), offeredRail: 'grin1', slateId: 'slate', slatepack: I1 })
    await open(token)
    await page.getByRole('link', { name: 'Pay an invoice' }).click({ noWaitAfter: true })
    expect(await page.getByRole('textbox', { name: 'Invoice slatepack' }).inputValue()).toBe(I1)
    await page.getByLabel('Slatepack from your wallet').fill('bad')
    await page.getByRole('button', { name: 'Submit' }).click({ noWaitAfter: true })
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Slatepack from your wallet').fill('good I2')
    await page.getByRole('button', { name: 'Submit' }).click({ noWaitAfter: true })
    await status().getByRole('heading', { name: 'Payment complete, being sent' }).waitFor()
    await status().getByText('Nothing is left for you to do').waitFor()
  })

  test('a payer pays', async () => {
    const { token } = till.put({ amount: grin(1.5), memo: 'Coffee' })
    await open(token)
    await paste('BEGINSLATEPACK. good. ENDSLATEPACK.')
    await page.getByRole('heading', { name: 'Almost done: finish in your wallet' }).waitFor()
    expect(await page.getByLabel('Slatepack for your wallet').inputValue()).toBe(REPLY)
    await status().getByText('Reply ready: finish in your wallet').waitFor()

    till.put({ id: idOf(token), confirmations: 1 })
    await status().getByText('Confirming 1 of 10').waitFor()
    till.put({ id: idOf(token), status: 'confirmed', confirmations: 10 })
    await status().getByText('Thank you! The payment is settled.').waitFor()
    await card().getByRole('link', { name: 'Show the payment' }).click({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(await page.getByRole('link', { name: 'Download the receipt' }).getAttribute('href')).toMatch(/^\/payment\//)
  })

  test('a half-typed slatepack survives the news', async () => {
    const { id, token } = till.put({})
    await open(token)
    await page.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. half')
    await status().getByText('Waiting for your payment').waitFor()
    till.put({ id, status: 'paid' })
    await status().getByText('Reply ready: finish in your wallet').waitFor()
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
    await card().getByRole('heading', { name: 'Amount due' }).waitFor()
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
        - region "Payment status":
          - heading "Pay 1.5 GRIN" [level=1]
          - iframe
          - term: For
          - definition: Coffee
          - term: Invoice
          - definition: c0ffee000000
        - region "Ways to pay":
          - navigation "Ways to pay":
            - list:
              - listitem:
                - link "Grin wallet app":
                  - /url: /pay/token?method=goblin
              - listitem:
                - link "Copy & paste":
                  - /url: /pay/token?method=slatepack
          - list:
            - listitem:
              - heading "Send from your Grin wallet" [level=2]
              - paragraph: Works with every Grin wallet. Send exactly this amount to this address; if your wallet asks how, choose Slatepack.
              - term: Amount in GRIN
              - definition: "1.5"
              - term: To this address
              - definition: tgrin1qq7mx6xsfhvv7t3r8ztfrtjr2dxqq8m0n3yz9lk6gp0sxk7xv4aqsn3v8e
              - paragraph: A click selects the whole value.
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
              - paragraph: You get it on the next page. Nothing moves until your wallet finishes the payment with it.
      - contentinfo:
        - paragraph: Only your wallet and this till sign the payment. No scripts, no trackers."
    `)
  })

  function idOf(token: string): string {
    return [...till.invoices.values()].find((invoice) => invoice.token === token)?.id ?? ''
  }
})
