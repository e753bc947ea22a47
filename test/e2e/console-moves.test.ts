// The page of exports and imports in Chromium: nothing for axe to find, no page wider than its screen, progress with scripts and without.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMoveArea } from '../../src/relay/console/index.js'
import { noBrowser, openBrowser } from '../support/browser.js'
import { openTestConsole } from '../support/console-app.js'
import { aFile, aMove, anImport, createFakeMoves } from '../support/fake-moves.js'
import { NOON } from '../support/till-builders.js'

const SCREENS = [
  [390, 'light'],
  [768, 'dark'],
  [1280, 'light'],
] as const
const LONG = `${'strfry-of-the-reading-circle-'.repeat(4)}.jsonl`
const problem = { code: 'CONSOLE_MOVE_RELAY', text: 'the relay did not take the events', hint: 'check that it runs' }
const PAST = [
  anImport({ id: '3', state: 'failed', endedAt: NOON, problem, file: LONG }),
  aMove({ id: '2', state: 'stopped', endedAt: NOON }),
  aMove({ id: '1', state: 'done', endedAt: NOON }),
]
const STATES = {
  idle: PAST,
  'an export': [aMove(), ...PAST],
  'an export that is counted': [aMove({ totalEvents: null, events: 0, bytes: 0 })],
  'an import': [anImport({ file: LONG }), ...PAST],
  'an import that stops': [anImport({ state: 'stopping' })],
}

describe.skipIf(noBrowser)('the page of exports and imports', () => {
  const moves = createFakeMoves()
  let pages: Awaited<ReturnType<typeof openTestConsole>>
  let browsers: Awaited<ReturnType<typeof openBrowser>>[]
  let page: Page
  let still: Page
  let base: string

  beforeAll(async () => {
    pages = await openTestConsole({ areas: [createMoveArea(moves)] })
    base = (await pages.app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost')
    const [scripted, plain] = await Promise.all([openBrowser({ scripts: true }), openBrowser({ scripts: false })])
    browsers = [scripted, plain]
    page = await scripted.context.newPage()
    still = await plain.context.newPage()
  })
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.close()))
    pages.app.server.closeAllConnections()
    await pages.remove()
  })
  beforeEach(async () => {
    const [, value = ''] = (await pages.signIn()).cookie.split('=')
    for (const { context } of browsers) {
      await context.addCookies([{ name: `grinpay-${new URL(base).port}`, value, url: base }])
    }
    moves.movesNow = []
    moves.filesNow = [
      aFile('strfry.jsonl'),
      aFile(LONG),
      aFile('events-20261122-101010.jsonl.part', { isWhole: false }),
    ]
  })

  test.each(SCREENS)('axe finds nothing, and nothing is wider than the screen (%i, %s)', async (width, colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const found: string[] = []
    for (const [name, jobs] of Object.entries(STATES)) {
      moves.movesNow = [...jobs]
      await page.goto(`${base}/console/relay/moves`)
      for (const details of await page.locator('details').all())
        await details.evaluate((one) => one.setAttribute('open', ''))
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${name}: too wide`)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
      for (const { id, nodes } of violations) found.push(`${name}: ${id} ${nodes[0]?.html}`)
    }
    expect(found).toEqual([])
  })

  test('a form starts an import after its second step; progress and end come by themselves', async () => {
    await page.goto(`${base}/console/relay/moves`)
    await page.selectOption('#file', 'strfry.jsonl')
    await page.click('text=Import …')
    await page.click('text=Import the file')
    expect(await page.locator('progress').getAttribute('value')).toBe('25')
    moves.movesNow = [anImport({ bytes: 60_000_000 })]
    moves.markNow += 1
    await expect.poll(() => page.locator('progress').getAttribute('value'), { timeout: 10_000 }).toBe('60')
    expect(await page.locator('#file').count()).toBe(0)
    moves.movesNow = [anImport({ state: 'done', endedAt: NOON })]
    moves.markNow += 1
    await expect.poll(() => page.locator('#file').count(), { timeout: 10_000 }).toBe(1)
    expect(await page.locator('#move-past').textContent()).toContain('29,000 stored')
  })

  test('what is chosen stays while another page reloads nothing', async () => {
    await page.goto(`${base}/console/relay/moves`)
    await page.selectOption('#file', 'strfry.jsonl')
    await page.fill('#kinds', '0, 1')
    moves.movesNow = [aMove({ id: '9', state: 'done', endedAt: NOON })]
    moves.markNow += 1
    await expect.poll(() => page.locator('#move-past article').count(), { timeout: 10_000 }).toBe(1)
    expect([await page.inputValue('#file'), await page.inputValue('#kinds')]).toEqual(['strfry.jsonl', '0, 1'])
  })

  test('without scripts the page loads itself again while something is under way, and an export can be stopped', async () => {
    await still.goto(`${base}/console/relay/moves`)
    await still.click('text=Start the export')
    expect(await still.locator('progress').getAttribute('value')).toBe('25')
    moves.movesNow = [aMove({ events: 90_000 })]
    await expect.poll(() => still.locator('progress').getAttribute('value'), { timeout: 15_000 }).toBe('75')
    await still.click('text=Stop the export')
    expect(await still.locator('main').textContent()).toContain('It stops …')
    expect(moves.done.map(([verb]) => verb)).toContain('stop')
  })
})
