// A name authority as an operator runs it: the built command in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import type { somebody } from './nostr.js'
import { cleanEnvironment, freePort, ROOT } from './till-process.js'

export interface NameProcess {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Resolves when it has printed this. */
  printed(text: string): Promise<void>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
}

/** Starts `serve nameauth` on a free port and waits until it answers. Rejects with what it printed when it ends instead. */
export async function startNameProcess(
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<NameProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = { NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_BASE_URL: url, NAMEAUTH_NAMES_BIND: `127.0.0.1:${port}` }
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), 'serve', 'nameauth', ...args], {
    env: cleanEnvironment({ ...own, ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if (await isTrue()) return
      if (child.exitCode !== null || child.signalCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the authority ended, or waited too long:\n${text}`)
  }
  await until(() =>
    fetch(`${url}/api/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { url, port, child, ended, output: () => text, printed: (words) => until(() => text.includes(words)) }
}

/** Body and header of a claim, signed now. */
export function signedClaim(url: string, who: ReturnType<typeof somebody>, name: string) {
  const body = JSON.stringify({ name, pubkey: who.pubkey })
  const authorization = httpAuthHeader({
    url: `${url}/api/v1/register`,
    method: 'POST',
    body: Buffer.from(body),
    secret: who.secret,
    now: systemClock.now(),
    random: systemRandom,
  })
  return { body, authorization }
}
