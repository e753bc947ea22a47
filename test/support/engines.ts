// The browsers of this machine, one per engine. A page that they open says by itself what it found.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noBrowser, openBrowser } from './browser.js'
import type { PageSite } from './page-server.js'

/** Opens the address; answers how to end the browser. */
type Start = (url: string) => Promise<() => Promise<void>>

interface Engine {
  readonly name: string
  /** Why it cannot run here. */
  readonly missing: string | undefined
  /** What its user agent contains. */
  readonly agent: RegExp
  readonly start: Start
}

const FIREFOX = '/usr/bin/firefox-esr'
const XVFB = '/usr/bin/xvfb-run'
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** A program with an empty home, in a process group of its own, which ends as a whole. */
async function inOwnHome(program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'grinpay-browser-'))
  const env = { PATH: process.env.PATH, HOME: home, ...variables }
  const child = spawn(program, args, { env, cwd: home, detached: true, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const notInstalled = (...programs: readonly string[]): string | undefined => {
  const missing = programs.find((program) => !existsSync(program))
  return missing && `${missing} is not installed`
}

export const engines: readonly Engine[] = [
  {
    name: 'Chromium',
    missing: noBrowser,
    agent: /Chrome\/\d/,
    async start(url) {
      const { context, close } = await openBrowser({ scripts: true })
      await (await context.newPage()).goto(url)
      return close
    },
  },
  {
    name: 'Firefox',
    missing: notInstalled(FIREFOX),
    agent: /Gecko\/\d.* Firefox\/\d/,
    start: (url) => inOwnHome(FIREFOX, ['--headless', '--no-remote', url]),
  },
  {
    // As in GNOME's browser; the sandbox of its processes needs rights that containers do not have.
    name: 'WebKitGTK',
    missing: notInstalled(XVFB, MINI_BROWSER),
    agent: /Version\/\d.* Safari\/\d/,
    start: (url) => inOwnHome(XVFB, ['-a', MINI_BROWSER, url], { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  },
]

export interface PageReport {
  readonly agent: string
  readonly error?: string
  readonly results?: unknown
}

/** Opens the site's page with that query, waits for its report, and ends the browser. */
export async function openPage(start: Start, site: PageSite, query: string, ms: number): Promise<PageReport> {
  const report = site.report(ms) as Promise<PageReport>
  report.catch(() => {}) // the browser may fail first
  const close = await start(`${site.url}/${query}`)
  try {
    return await report
  } finally {
    await close()
  }
}
