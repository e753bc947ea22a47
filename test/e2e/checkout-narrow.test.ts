// The steps of a payment on a narrow phone, in every language: no word is broken, no label runs into the next, nothing scrolls sideways.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../src/till/pages/texts/index.js'
import { noBrowser, openBrowser } from '../support/browser.js'
import { createFakeTill, type FakeTill, REPLY } from '../support/fake-till.js'
import { tillApp } from '../support/till-app.js'
import { aPayment } from '../support/till-builders.js'

const WIDTHS = [390, 320]
const SETTLEMENTS = ['replied', 'seen', 'mined'] as const
const folder = process.env.CHECKOUT_SHOTS

/** An invoice whose payment is so far; the steps stand on the card, and beside the form of the lost reply. */
function pathsOf(till: FakeTill): readonly (readonly [name: string, path: string])[] {
  return SETTLEMENTS.flatMap((settlement) => {
    const payment = aPayment({ rail: 'slatepack', settlement, reply: REPLY })
    till.payments.set(payment.id, payment)
    const { token } = till.put({ status: 'paid', paymentId: payment.id, confirmations: settlement === 'mined' ? 2 : 0 })
    const card = [settlement, `/pay/${token}`] as const
    return settlement === 'replied' ? [card, ['reply', `/pay/${token}?method=slatepack`] as const] : [card]
  })
}

/** What is wrong with the steps of a document: words on two lines, labels that touch. Runs in the page. */
const faultsIn = (frame: Frame): Promise<readonly string[]> =>
  frame.evaluate(() => {
    const found: string[] = []
    const spans = [...document.querySelectorAll('.track span')]
    let end = Number.NEGATIVE_INFINITY
    for (const span of spans) {
      const node = span.firstChild as Text
      const text = node.data
      // A language without spaces breaks anywhere.
      const words = /[一-鿿]/.test(text) ? [] : [...text.matchAll(/\S+/g)]
      for (const word of words) {
        const range = document.createRange()
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) found.push(`${word[0]} is broken`)
      }
      const whole = document.createRange()
      whole.selectNodeContents(node)
      const { left, right } = whole.getBoundingClientRect()
      if (left < end + 2) found.push(`${text} touches the label before it`)
      if (left < 0 || right > innerWidth) found.push(`${text} leaves the page`)
      end = right
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('it scrolls sideways')
    return found
  })

describe.skipIf(noBrowser)('the steps of a payment', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser({ scripts: true })
  })
  afterAll(() => browser?.close())

  test.each(Object.keys(LANGUAGES) as Language[])('in %s', { timeout: 120_000 }, async (language) => {
    const till = createFakeTill({ confirmations: 10 })
    const { app } = await tillApp({ till, methods: ['nostr', 'slatepack'] })
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    const page = await browser.context.newPage()
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    const faults: string[] = []
    for (const width of WIDTHS)
      for (const [name, path] of pathsOf(till)) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(`${base}${path}`, { waitUntil: 'domcontentloaded' })
        await page.frameLocator('iframe').frameLocator('iframe').locator('.track').waitFor()
        for (const frame of page.frames())
          faults.push(...(await faultsIn(frame)).map((fault) => `${width} px, ${name}: ${fault}`))
        if (folder === undefined) continue
        mkdirSync(folder, { recursive: true })
        await page.screenshot({ path: join(folder, `steps-${language}-${width}-${name}.png`), animations: 'disabled' })
      }
    await page.close()
    app.server.closeAllConnections()
    await app.close()
    expect(faults).toEqual([])
  })
})
