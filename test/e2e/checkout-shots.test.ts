// Pictures of every state of the checkout, for eyes: CHECKOUT_SHOTS=/tmp/shots npx vitest run --project e2e test/e2e/checkout-shots.test.ts
// CHECKOUT_SHOTS_LANG=de,ru takes them in other languages than English too.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { CHECKOUT_STATES, putState, SHOP } from '../support/checkout-states.js'
import { createFakeTill } from '../support/fake-till.js'
import { tillApp } from '../support/till-app.js'

const folder = process.env.CHECKOUT_SHOTS
const languages = ['en', ...(process.env.CHECKOUT_SHOTS_LANG?.split(',') ?? [])]
const schemes = process.env.CHECKOUT_SHOTS_DARK ? (['light', 'dark'] as const) : (['light'] as const)
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
]

describe.skipIf(noBrowser || folder === undefined)('pictures', () => {
  test.each(languages)('in %s', { timeout: 300_000 }, async (language) => {
    const till = createFakeTill({ confirmations: 3 })
    const { app } = await tillApp({ till, shop: SHOP, methods: ['nostr', 'slatepack'] })
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    const browser = await openBrowser()
    const page = await browser.context.newPage()
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    mkdirSync(folder ?? '', { recursive: true })
    for (const colorScheme of schemes)
      for (const size of SIZES)
        for (const [name, state] of Object.entries(CHECKOUT_STATES)) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize(size)
          await page.goto(`${base}${putState(till, state)}`, { waitUntil: 'domcontentloaded' })
          if (state.paste !== undefined) {
            await page.locator('textarea[name=slatepack]').fill(state.paste)
            await page.locator('button').click({ noWaitAfter: true })
            await page.locator('textarea[aria-invalid], #reply').first().waitFor()
          }
          for (const frame of page.frames()) await frame.locator('main, [role=status]').first().waitFor()
          const shot = `${language}-${size.width}-${colorScheme}-${name}.png`
          await page.screenshot({ path: join(folder ?? '', shot), fullPage: true, animations: 'disabled' })
        }
    expect(await page.title()).not.toBe('')
    await browser.close()
    app.server.closeAllConnections()
    await app.close()
  })
})
