// A till, or a name authority, as an operator runs it: the built command in a process of its own, with its own data folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const ENTRY = join(ROOT, 'bin/run.js')

export interface TillProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Ends it as systemd would; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Only what the process needs: the caller's own PAY_, NAMEAUTH_ and GRINPAY_ variables would leak into the test. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PAY_|GP_|NAMEAUTH_|FLOONET_|GOBLINPAY_|GRINPAY_|CREDENTIALS_)/.test(name),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...extra }
}

/** Starts `serve pay` with these settings and waits until it answers `/health`; `spawned` gets the process before that. */
export const startTillProcess = (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  spawned: (child: ChildProcess) => void = () => undefined,
): Promise<TillProcess> => startProcess(['serve', 'pay', ...args], settings, settings.PAY_BIND, spawned)

/** `serve nameauth`, likewise. */
export const startNameProcess = (settings: Readonly<Record<string, string>>): Promise<TillProcess> =>
  startProcess(['serve', 'nameauth'], settings, settings.NAMEAUTH_NAMES_BIND, () => undefined)

async function startProcess(
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
  bind: string | undefined,
  spawned: (child: ChildProcess) => void,
): Promise<TillProcess> {
  if (!existsSync(join(ROOT, 'dist/commands'))) throw new Error('not built: npm run build')
  const child = spawn(process.execPath, [ENTRY, ...command], {
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  spawned(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = `http://${bind}`
  await answering(url, child, () => text)
  return {
    url,
    child,
    output: () => text,
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function answering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the daemon ended:\n${output()}`)
    const alive = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (alive) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the daemon does not answer:\n${output()}`)
}
