// Every page of the console in Chromium: nothing for axe to find, no page wider than its screen, and pages that refresh themselves.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createNamesArea } from '../../src/authority/console/index.js'
import { createRelayArea } from '../../src/relay/console/index.js'
import { createReportsArea, createTillArea } from '../../src/till/console/index.js'
import { noBrowser, openBrowser } from '../support/browser.js'
import { openTestConsole } from '../support/console-app.js'
import { BANNED, createFakeRelay } from '../support/fake-relay-view.js'
import { createFakeReportJobs, SLOW_ZONE } from '../support/fake-report-jobs.js'
import { createBusyTill, HEALTHY, troubled } from '../support/fake-till-view.js'
import { anOffer, openNamesWorld } from '../support/names-world.js'
import { createTestPos } from '../support/pos.js'
import { anInvoice, aPayment, HOUR, MINUTE, NOON } from '../support/till-builders.js'

const WIDTHS = [390, 768, 1280]
const SCHEMES = ['light', 'dark'] as const

/** A point of sale with a sale in every stage that looks different; their ids. */
function aBusyCounter() {
  const pos = createTestPos()
  const base = {
    orderRef: 'pos-20260701-115500-000000',
    memo: 'Table 4',
    payLink: `goblin:nprofile1${'q'.repeat(150)}`,
  }
  const [signed, seen] = [aPayment({ settlement: 'replied' }), aPayment({ settlement: 'seen' })]
  for (const payment of [signed, seen]) pos.till.payments.set(payment.id, payment)
  const sales = [
    { expiresAt: NOON + 14 * MINUTE },
    { status: 'paid', paidAt: NOON - 4000, paymentId: seen.id },
    { status: 'confirmed', paidAt: NOON - HOUR, confirmations: 3 },
    { status: 'expired', expiresAt: NOON - MINUTE },
    { status: 'paid', paidAt: NOON - 4000, paymentId: signed.id },
  ] as const
  return { area: pos.area, ids: sales.map((sale) => pos.till.put({ ...base, ...sale }).id) }
}

describe.skipIf(noBrowser)('the pages of the console', () => {
  const till = createBusyTill()
  const relay = createFakeRelay()
  let world: Awaited<ReturnType<typeof openNamesWorld>>
  const counter = aBusyCounter()
  let pages: Awaited<ReturnType<typeof openTestConsole>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let base: string

  beforeAll(async () => {
    world = await openNamesWorld()
    pages = await openTestConsole({
      areas: [
        createTillArea(till),
        createReportsArea(createFakeReportJobs()),
        createNamesArea(world.names),
        createRelayArea(relay.open, relay.mark),
        counter.area,
      ],
    })
    base = (await pages.app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost')
    browser = await openBrowser({ scripts: true })
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser.close()
    pages.app.server.closeAllConnections()
    await pages.remove()
    await world.remove()
  })
  // A session answers 120 requests a minute, and ten people sign in.
  beforeEach(async () => {
    pages.time.now += MINUTE
    const [, value = ''] = (await pages.signIn()).cookie.split('=')
    await browser.context.addCookies([{ name: `grinpay-${new URL(base).port}`, value, url: base }])
    till.healthNow = HEALTHY
  })

  const paths = () => [
    '/today',
    '/invoices?q=coffees',
    `/invoices/${till.ids.open}`,
    `/invoices/${till.ids.mined}`,
    '/payments?show=waiting',
    `/payments/${till.ids.waits}`,
    '/webhooks',
    `/webhooks/${till.ids.failing}`,
    '/network',
    '/names',
    '/names/bakery.shop',
    '/reserved',
    '/offers?show=all',
    `/offers/${'e'.repeat(64)}`,
    '/relay/today',
    '/relay/lists',
    `/relay/lists/entry?list=bannedKeys&entry=${BANNED.key}`,
    '/reports',
    `/reports?zone=${SLOW_ZONE}`,
    '/people',
    '/sessions',
    '/audit',
    '/sign-in',
    '/pos',
    ...counter.ids.map((id) => `/pos/sales/${id}`),
  ]

  /** Evaluated by the browser's debugger, which the content policy of the page does not bind. */
  async function violations(): Promise<readonly string[]> {
    await page.evaluate(axe.source)
    const found = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    return found.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
  }

  test.each(WIDTHS)(
    'axe finds nothing, and nothing is wider than the screen (%i)',
    { timeout: 120_000 },
    async (width) => {
      await page.setViewportSize({ width, height: 900 })
      till.healthNow = troubled()
      const found: string[] = []
      for (const path of paths()) {
        const answer = await page.goto(`${base}/console${path}`)
        if (!answer?.ok()) found.push(`${path}: ${answer?.status()}`)
        for (const details of await page.locator('details').all())
          await details.evaluate((one) => one.setAttribute('open', ''))
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${path}: too wide`)
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme })
          for (const one of await violations()) found.push(`${path}, ${colorScheme}: ${one}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  test.each(SCHEMES)(
    '"Paid" and its button are in sight at once, its tick as white as its words (%s)',
    async (colorScheme) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${base}/console/pos/sales/${counter.ids[1]}`)
      const colourOf = (selector: string) => page.locator(selector).evaluate((node) => getComputedStyle(node).color)
      expect(await colourOf('.paid .tick')).toBe(await colourOf('.paid h1'))
      const box = await page.getByRole('link', { name: 'Next sale' }).boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
    },
  )

  test('on a small screen the button in the head opens the menu, which leads to every page', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/console/today`)
    const link = page.getByRole('link', { name: 'Audit log' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await violations()).toEqual([])
    await link.click()
    await page.waitForURL('**/console/audit')
  })

  test('a change is on the page within seconds; what is typed and open stays', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${base}/console/invoices`)
    const rows = page.locator('tbody tr')
    const before = await rows.count()
    await page.fill('#q', 'half a wor')
    const invoice = anInvoice({ memo: 'new' })
    till.records.set(invoice.id, { invoice, payments: [], deliveries: [] })
    till.mark += 1
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(before + 1)
    expect(await page.inputValue('#q')).toBe('half a wor')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q')
  })

  test('an open table stays open, and the figures behind it change', async () => {
    await page.goto(`${base}/console/today`)
    await page.locator('#chart-table summary').click()
    expect(await page.locator('#health').textContent()).toBe('Ready')
    till.healthNow = troubled()
    till.mark += 1
    await expect.poll(() => page.locator('#health').textContent(), { timeout: 10_000 }).toBe('Not ready')
    expect(await page.locator('#chart-table').getAttribute('open')).not.toBeNull()
  })

  test('an offer that is made while the list is open is on it within seconds', async () => {
    await world.claim('quay', '9e'.repeat(32))
    await page.goto(`${base}/console/offers?show=all`)
    const rows = page.locator('tbody tr')
    const before = await rows.count()
    const offer = anOffer({
      id: 'c'.repeat(64),
      name: 'quay',
      seller: '9e'.repeat(32),
      proofAddress: `grin1${'p'.repeat(58)}`,
    })
    expect(await world.store.createOffer(offer)).toBe('stored')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(before + 1)
  })

  test("the relay's pages hear of changes by a stream of their own", async () => {
    await page.goto(`${base}/console/relay/today`)
    const { storedNow } = relay
    relay.storedNow = { stored: undefined, problem: undefined }
    relay.markNow += 1
    await expect.poll(() => page.locator('main').textContent(), { timeout: 10_000 }).toContain('are being counted')
    relay.storedNow = storedNow
  })

  test('a session that ends while a page is open ends on the page too', async () => {
    await page.goto(`${base}/console/today`)
    await pages.store.endAllSessions({ at: 0, by: 'command line' })
    till.mark += 1
    await expect.poll(() => page.locator('body').textContent(), { timeout: 20_000 }).toContain('session has ended')
  })

  test('a till that stops is said on the page, which stays readable', async () => {
    const stream = page.waitForResponse('**/console/live')
    await page.goto(`${base}/console/network`)
    await stream // a connection that is only on its way would not be closed
    await page.route('**/console/live', (route) => route.abort())
    pages.app.server.closeAllConnections()
    await expect
      .poll(() => page.locator('main').textContent(), { timeout: 20_000 })
      .toContain('No connection to the console')
    expect(await page.locator('#relays').count()).toBe(1)
  })
})
