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
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
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
    ([name]) => !/^(PAY_|GP_|NAMEAUTH_|RELAY_|FLOONET_|GOBLINPAY_|GRINPAY_|CREDENTIALS_)/.test(name),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...extra }
}

/** Starts `serve pay` with these settings and waits until it answers `/health`; `spawned` gets the process before that. */
export const startTillProcess = (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  spawned: (child: ChildProcess) => void = () => undefined,
): Promise<TillProcess> =>
  startDaemon({ command: ['serve', 'pay', ...args], settings, bind: settings.PAY_BIND, spawned })

export interface DaemonStart {
  /** Of the built command, unless it is installed somewhere else. */
  readonly entry?: string
  readonly command: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  /** Where it will answer, as host:port. */
  readonly bind: string | undefined
  readonly cwd?: string
  /** Gets the process before it answers. */
  readonly spawned?: (child: ChildProcess) => void
}

/** Any daemon, likewise. Rejects with what it printed when it ends instead. */
export async function startDaemon(start: DaemonStart): Promise<TillProcess> {
  const { entry = ENTRY, command, settings, bind, cwd, spawned } = start
  if (entry === ENTRY && !existsSync(join(ROOT, 'dist/commands'))) throw new Error('not built: npm run build')
  const child = spawn(process.execPath, [entry, ...command], {
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  spawned?.(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = `http://${bind}`
  await until(() => answers(url), { child, output: () => text })
  return {
    url,
    child,
    output: () => text,
    ended,
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

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Resolves when it is true. Rejects with what the process printed when that ends before, or after half a minute. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { child, output }: Pick<TillProcess, 'child' | 'output'>,
): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue()) return
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the daemon ended:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`waited in vain for the daemon:\n${output()}`)
}
