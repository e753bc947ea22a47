// A Chromium, by default without JavaScript, as a payer in Tor Browser's safest mode has it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why browser tests cannot run here, or undefined. */
export const noBrowser = existsSync(EXECUTABLE) ? undefined : `${EXECUTABLE} is not installed`

/** Opens a browser with an own, empty profile. */
export async function openBrowser({
  scripts = false,
} = {}): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'grinpay-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: EXECUTABLE,
    headless: true,
    javaScriptEnabled: scripts,
    args: FLAGS,
  })
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
