// The page of examples/wallet as its user handles it: a Chromium with a profile of its own, fields, buttons and texts.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { openBrowser } from './browser.js'
import { ROOT } from './till-process.js'

const SERVER = join(ROOT, 'examples/wallet/serve.mjs')
const PASSPHRASE = 'correct horse battery'

export interface PageServer {
  readonly url: string
  close(): void
}

/** Serves the page with the library's bundle from `bundle`, as `npm start` of the example does. */
export async function servePage(bundle: string): Promise<PageServer> {
  const child = spawn(process.execPath, [SERVER, '--port', '0', '--bundle', bundle], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => resolve(/http:\S+/.exec(`${chunk}`)?.[0] ?? ''))
    child.once('exit', (code) => reject(new Error(`the server of the page ended with ${code}`)))
  })
  return { url, close: () => void child.kill() }
}

export interface PageOptions {
  readonly url: string
  readonly nodeUrl: string
  readonly chain: 'sandbox' | 'usernet'
}

export interface WalletPage {
  readonly page: Page
  /** Everything the page logged or threw that is no plain answer of a node. */
  readonly faults: readonly string[]
  /** Makes a wallet; answers its words. */
  make(): Promise<string>
  /** Begins a restore; does not wait for its end. */
  restore(words: string): Promise<void>
  unlock(): Promise<void>
  /** In GRIN, once it is this. */
  balanceIs(grin: string): Promise<void>
  balance(): Promise<string>
  address(): Promise<string>
  /** S1 in, S2 out. */
  receive(s1: string): Promise<string>
  /** S1 out. */
  send(grin: string, recipient?: string): Promise<string>
  /** S2 in; the page posts. */
  finish(s2: string): Promise<void>
  /** I1 in; what it asks for and the I2. */
  pay(i1: string): Promise<{ readonly asked: string; readonly i2: string }>
  /** Presses a button of the newest entry of the history that has it; answers what the page says then. */
  inHistory(button: string): Promise<string>
  history(): Promise<readonly string[]>
  open(view: string): Promise<void>
  /** Submits a form; answers what the page says when it is done. */
  submit(form: string, fields: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

/** Opens the page in a new profile. */
export async function openWalletPage({ url, nodeUrl, chain }: PageOptions): Promise<WalletPage> {
  const { context, close } = await openBrowser({ scripts: true })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (entry) => {
    if (entry.type() === 'error' && !/Failed to load resource/.test(entry.text())) faults.push(entry.text())
  })
  await page.goto(url)

  async function settled(form: Locator): Promise<string> {
    const message = form.locator('.message')
    await page.waitForFunction(
      (element) => !element?.textContent?.startsWith('One moment'),
      await message.elementHandle(),
    )
    const text = (await message.textContent()) ?? ''
    if ((await message.getAttribute('class'))?.includes('error')) throw new Error(text)
    return text
  }
  async function submit(id: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const form = page.locator(`#${id}`)
    await form.waitFor()
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name=${name}]`)
      if (name === 'chain') await field.selectOption(value)
      else await field.fill(value)
    }
    await form.locator('[type=submit]').click()
    return settled(form)
  }
  const open = async (view: string) => {
    await page.locator(`nav a[href="#${view}"]`).click()
    await page.locator(`section#${view}`).waitFor()
  }
  const replyIn = async (view: string) => {
    const field = page.locator(`[data-reply=${view}] textarea`)
    await field.waitFor()
    return field.inputValue()
  }
  const settings = { chain, nodeUrl, passphrase: PASSPHRASE, again: PASSPHRASE }
  const isOpen = () => page.locator('section#receive').waitFor({ timeout: 60_000 })

  return {
    page,
    faults,
    open,
    submit,
    async make() {
      await page.getByRole('link', { name: 'Make a wallet' }).click()
      const words = await page.locator('#new-words li').allTextContents()
      await page.getByRole('button', { name: 'I wrote them down' }).click()
      const asked: Record<string, string> = {}
      for (const name of await page
        .locator('#asked-words input')
        .evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? '')))
        asked[name] = words[Number(name.slice('word'.length))] ?? ''
      await submit('make-form', { ...asked, ...settings })
      await isOpen()
      return words.join(' ')
    },
    async restore(words) {
      await page.getByRole('link', { name: 'Restore from words' }).click()
      await submit('restore-form', { words, ...settings })
    },
    async unlock() {
      await page.goto(url)
      await submit('unlock-form', { passphrase: PASSPHRASE })
      await isOpen()
    },
    async balanceIs(grin) {
      await page.locator('#balance-total', { hasText: new RegExp(`^${grin.replace('.', '\\.')}$`) }).waitFor()
    },
    balance: async () => (await page.locator('#balance-total').textContent()) ?? '',
    address: async () => (await page.locator('#address').textContent()) ?? '',
    async receive(s1) {
      await open('receive')
      await submit('receive-form', { slatepack: s1 })
      return replyIn('receive')
    },
    async send(grin, recipient = '') {
      await open('send')
      await submit('send-form', { amount: grin, recipient })
      return replyIn('send')
    },
    async finish(s2) {
      await open('send')
      await submit('finish-form', { slatepack: s2 })
    },
    async pay(i1) {
      await open('pay')
      await submit('pay-form', { slatepack: i1 })
      const asked = (await page.locator('#invoice-amount').textContent()) ?? ''
      await submit('confirm-form', {})
      return { asked, i2: await replyIn('pay') }
    },
    async inHistory(button) {
      await open('history')
      await page.locator('#history-list').getByRole('button', { name: button }).first().click()
      return settled(page.locator('section#history'))
    },
    async history() {
      await open('history')
      return page.locator('#history-list > li').allTextContents()
    },
    close,
  }
}
