// The vault and the subscription of the packed library in Chromium: two windows of one origin over one IndexedDB.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { type PageServer, servePage } from '../support/wallet-page.js'

// biome-ignore lint/suspicious/noExplicitAny: objects of the page, which no type reaches
type InPage = any

/** What the steps below share. A text: the test's compiler would replace its import. */
const SET_UP = `import('/grin/grin.js').then((grin) => {
  const cost = { N: 2 ** 14, r: 8, p: 1 }
  const open = () => grin.wallet.openIndexedDbStorage({ name: 'vault-page' })
  const codeOf = (job) => job.then(() => 'ok').catch((error) => error.code)
  globalThis.t = { grin, cost, open, codeOf, heard: [] }
})`

describe.skipIf(noBrowser)(`the vault in a page${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let project: ScratchProject
  let server: PageServer
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let first: Page
  let second: Page

  beforeAll(async () => {
    project = await installPackages(['grin'])
    server = await servePage(join(project.package('grin'), 'dist/browser'))
    browser = await openBrowser({ scripts: true })
    ;[first, second] = [await browser.context.newPage(), await browser.context.newPage()]
    for (const page of [first, second]) {
      await page.goto(server.url)
      await page.evaluate(SET_UP)
    }
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    project?.remove()
  })

  const inPage = (page: Page, step: (t: InPage) => unknown): Promise<unknown> =>
    page.evaluate(`(${step})(globalThis.t)`)

  test('is made in one window and unlocked in another; another password is told from damage', async () => {
    const made = await inPage(first, async (t) => {
      t.storage = await t.open()
      const seed = new Uint8Array(32).fill(7)
      t.vault = await t.grin.vault.createVault({ ...t, password: 'correct horse', seed, chainType: 'sandbox' })
      return t.grin.vault.inspectVault(t.storage)
    })
    expect(made).toEqual({ chainType: 'sandbox', cost: { N: 2 ** 14, r: 8, p: 1 } })
    const unlocked = await inPage(second, async (t) => {
      t.storage = await t.open()
      const unlock = (password: string) => t.grin.vault.unlockVault({ storage: t.storage, password })
      const wrong = await t.codeOf(unlock('wrong horse'))
      t.vault = await unlock('correct horse')
      return [wrong, ...(await t.vault.seed()).slice(0, 2)]
    })
    expect(unlocked).toEqual(['VAULT_WRONG_PASSWORD', 7, 7])
  })

  test('a window hears by events what another one does to the encrypted wallet', async () => {
    const openWallet = async (t: InPage) => {
      const keychain = t.grin.keychain.openKeychain(await t.vault.seed())
      t.wallet = await t.grin.wallet.openWallet({ keychain, chainType: 'sandbox', storage: t.vault.storage })
      t.wallet.subscribe((event: InPage) =>
        t.heard.push([event.type, event.transaction?.kind].filter(Boolean).join(' ')),
      )
      await t.wallet.accounts()
    }
    await inPage(second, openWallet)
    await inPage(first, openWallet)
    for (const page of [first, second]) await inPage(page, (t) => t.heard.splice(0))
    const id = await inPage(first, async (t) => {
      const { slateId } = await t.wallet.invoice({ amount: 5n })
      await t.wallet.cancel(slateId)
      return slateId
    })
    expect(id).toMatch(/-/)
    for (const page of [first, second])
      await expect
        .poll(async () => new Set((await inPage(page, (t) => t.heard)) as string[]))
        .toEqual(new Set(['created received', 'balance', 'cancelled received', 'changed']))
  })

  test('another password is known to both windows; a hostile header is refused at once', async () => {
    const codes = await inPage(second, async (t) => {
      await t.vault.changePassword({ from: 'correct horse', to: 'battery staple', cost: t.cost })
      const unlock = (password: string) => t.grin.vault.unlockVault({ storage: t.storage, password })
      return [await t.codeOf(unlock('correct horse')), await t.codeOf(unlock('battery staple'))]
    })
    expect(codes).toEqual(['VAULT_WRONG_PASSWORD', 'ok'])
    expect(await inPage(first, async (t) => (await t.wallet.transactions()).length)).toBe(1)
    const hostile = await inPage(second, async (t) => {
      const { revision, records } = await t.storage.load()
      const header = records.find(({ key }: { key: string }) => key === 'vault/header')
      const value = header.value.replace('"N":16384', '"N":16777216')
      await t.storage.commit({ revision, put: [{ key: header.key, value }], remove: [] })
      return t.grin.vault
        .unlockVault({ storage: t.storage, password: 'battery staple' })
        .catch(({ code, message }: Error & { code: string }) => `${code} ${message}`)
    })
    expect(hostile).toMatch(/^VAULT_DAMAGED .*N 16777216, r 8, p 1 is out of bounds/)
  })

  test('a locked vault gives nothing', async () => {
    const code = await inPage(first, (t) => {
      t.vault.lock()
      return t.codeOf(t.vault.seed())
    })
    expect(code).toBe('VAULT_LOCKED')
  })
})
