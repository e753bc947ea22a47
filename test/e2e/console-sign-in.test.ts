// Signing in with a real browser: by link without scripts, by passkey with an authenticator of the browser.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newLink } from '../../src/console/index.js'
import { systemRandom } from '../../src/system/index.js'
import { noBrowser, openBrowser } from '../support/browser.js'
import { openTestConsole } from '../support/console-app.js'

let desk: Awaited<ReturnType<typeof openTestConsole>>
let base = ''
let browser: Awaited<ReturnType<typeof openBrowser>> | undefined

beforeAll(async () => {
  desk = await openTestConsole()
  const { port } = new URL(await desk.app.listen({ host: '127.0.0.1', port: 0 }))
  base = `http://localhost:${port}`
})
afterEach(() => browser?.close())
afterAll(() => desk.remove())

/** A page of a fresh browser. */
async function openPage(scripts: boolean) {
  browser = await openBrowser({ scripts })
  return { context: browser.context, page: await browser.context.newPage() }
}

test.skipIf(noBrowser)('a link signs in without scripts, and signing out ends it', async () => {
  const { page } = await openPage(false)
  await page.goto(base + (await desk.link()))
  await page.click('button')
  await page.waitForURL(`${base}/console/people`)
  await page.click('text=Sign out')
  expect(await page.textContent('h1')).toBe('Signed out')
  expect((await page.goto(`${base}/console/people`))?.status()).toBe(401)
})

test.skipIf(noBrowser)('an invitation makes a passkey, which signs in again', async () => {
  const { context, page } = await openPage(true)
  const authenticator = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const person = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, ...person } })
  const clock = { now: () => desk.time.now }
  const wanted = { name: 'anna', role: 'operator', purpose: 'passkey' } as const
  const { token, link } = newLink(wanted, { clock, random: systemRandom })
  await desk.store.addLink(link)

  await page.goto(`${base}/console/enter/${token}`)
  await page.click('text=Make a passkey')
  await page.waitForURL(`${base}/console/people`)
  expect(await page.textContent('td')).toContain('anna')
  await page.click('text=Sign out')
  await page.goto(`${base}/console/sign-in`)
  await page.click('text=Sign in with a passkey')
  await page.waitForURL(`${base}/console/people`)
})

test.skipIf(noBrowser)('without scripts an invitation says what it needs', async () => {
  const { page } = await openPage(false)
  const clock = { now: () => desk.time.now }
  const { token, link } = newLink({ name: 'ben', role: 'viewer', purpose: 'passkey' }, { clock, random: systemRandom })
  await desk.store.addLink(link)
  await page.goto(`${base}/console/enter/${token}`)
  expect(await page.textContent('noscript')).toContain('this browser runs none')
  expect(await page.isVisible('button')).toBe(false)
})
