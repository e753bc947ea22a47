// The name authority as an operator runs it, in a process of its own: every limit on, and wide enough for a load from one machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { dirname, join } from 'node:path'
import { cleanEnvironment, freePort, ROOT } from '../test/support/till-process.js'
import type { Server } from './load.js'

export interface NameServer extends Server {
  /** From the start of the process until it answered, in milliseconds by the clock. */
  readonly startMs: number
  stop(): Promise<void>
}

const WIDE = '1000000000'

/** Serves the database at `path`; further settings stand beside the usual ones, or instead. */
export async function startNames(
  path: string,
  settings: Readonly<Record<string, string>> = {},
  entry = join(ROOT, 'bin/run.js'),
): Promise<NameServer> {
  const bind = `127.0.0.1:${await freePort()}`
  const url = `http://${bind}`
  const env = cleanEnvironment({
    NAMEAUTH_DOMAIN: 'names.example',
    NAMEAUTH_BASE_URL: url,
    NAMEAUTH_NAMES_BIND: bind,
    NAMEAUTH_NAMES_DB: path,
    NAMEAUTH_DATA_DIR: dirname(path),
    NAMEAUTH_READ_RATE_MAX: WIDE,
    NAMEAUTH_WRITE_RATE_MAX: WIDE,
    NAMEAUTH_AUTH_MAX_AGE_SECS: '3600', // claims are signed ahead
    ...settings,
  })
  const begun = performance.now()
  const child = spawn(process.execPath, [entry, 'serve', 'nameauth'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await answering(`${url}/api/v1/health`, () => child.exitCode !== null)
  const startMs = performance.now() - begun
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const ASK_EVERY_MS = 5
const MOST_ASKS = 6000

async function answering(url: string, hasEnded: () => boolean): Promise<void> {
  const agent = new Agent()
  const asked = () =>
    new Promise<boolean>((resolve) => {
      get(url, { agent }, (answer) => {
        answer.resume()
        resolve(answer.statusCode === 200)
      }).on('error', () => resolve(false))
    })
  for (let asks = 0; asks < MOST_ASKS && !hasEnded(); asks++) {
    if (await asked()) return
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  throw new Error('the name authority does not answer')
}
