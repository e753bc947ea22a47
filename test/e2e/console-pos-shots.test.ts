// Pictures of every state of the point of sale, for eyes: POS_SHOTS=/tmp/shots npx vitest run --project e2e test/e2e/console-pos-shots.test.ts
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { openTestConsole } from '../support/console-app.js'
import { createTestPos } from '../support/pos.js'
import { aPayment, grin, MINUTE, NOON } from '../support/till-builders.js'

const folder = process.env.POS_SHOTS
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]
const LINK = `goblin:nprofile1${'q'.repeat(150)}?amount=156.25&memo=Table%204&proof=grin1${'q'.repeat(58)}`
const fiat = { amount: '12.50', currency: 'eur', rate: '0.08', source: 'fixed' }
const common = {
  orderRef: 'pos-20260701-115500-000000',
  memo: 'Table 4 (incl. tip 1.20 EUR)',
  fiat,
  amount: grin(156.25),
  payLink: LINK,
  createdAt: NOON - MINUTE,
}

const STATES = {
  waiting: { ...common, expiresAt: NOON + 14 * MINUTE },
  'waiting-long': {
    ...common,
    fiat: null,
    amount: grin(9007199.254740991),
    memo: '<b>x</b> '.repeat(13),
    expiresAt: NOON + MINUTE,
  },
  signed: { ...common, status: 'paid', paidAt: NOON - 4000, settlement: 'replied' },
  seen: { ...common, status: 'paid', paidAt: NOON - 9000, settlement: 'seen' },
  mined: { ...common, status: 'paid', paidAt: NOON - MINUTE, confirmations: 2, settlement: 'mined' },
  'confirmed-long': {
    ...common,
    fiat: null,
    amount: grin(9007199.254740991),
    status: 'confirmed',
    paidAt: NOON - MINUTE,
    confirmations: 3,
  },
  old: { ...common, status: 'confirmed', paidAt: NOON - 60 * MINUTE, confirmations: 3 },
  expired: { ...common, status: 'expired', expiresAt: NOON - MINUTE },
  cancelled: { ...common, status: 'cancelled' },
} as const

describe.skipIf(noBrowser || folder === undefined)('pictures', () => {
  test('of the point of sale', { timeout: 300_000 }, async () => {
    const pos = createTestPos()
    const console_ = await openTestConsole({ areas: [pos.area] })
    const base = (await console_.app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost')
    mkdirSync(folder ?? '', { recursive: true })
    for (const scripts of [true, false]) {
      const browser = await openBrowser({ scripts })
      const page = await browser.context.newPage()
      const ids = Object.entries(STATES).map(([name, state]) => {
        const { settlement, ...invoice } = { settlement: undefined, ...state }
        const payment = settlement && aPayment({ settlement })
        if (payment) pos.till.payments.set(payment.id, payment)
        return [name, pos.till.put({ ...invoice, paymentId: payment?.id ?? null }).id] as const
      })
      const shots: [string, string, (() => Promise<unknown>)?][] = [
        ['keypad', '/console/pos', async () => page.fill('#amount', '12,5')],
        ['keypad-tip', '/console/pos?amount=100&currency=grin&tip=other&tip_amount=1,5&note=Table+4'],
        ...ids.map(([name, id]): [string, string] => [name, `/console/pos/sales/${id}`]),
      ]
      for (const colorScheme of ['light', 'dark'] as const) {
        // Time stands still, and a session has so many requests a minute.
        await page.goto(`${base}${await console_.link('cashier', 'Till 1')}`)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL('**/console/pos', { waitUntil: 'commit' })
        for (const size of SIZES)
          for (const [name, path, act] of scripts ? shots : shots.slice(0, 3)) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize(size)
            await page.goto(`${base}${path}`, { waitUntil: 'domcontentloaded' })
            await act?.()
            const shot = `${scripts ? '' : 'noscript-'}${size.width}-${colorScheme}-${name}.png`
            await page.screenshot({
              path: join(folder ?? '', shot),
              animations: 'disabled',
              fullPage: name.startsWith('keypad'),
            })
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            )
            expect([shot, overflow]).toEqual([shot, 0])
          }
      }
      await browser.close()
    }
    console_.app.server.closeAllConnections()
    await console_.remove()
  })
})
