// Starts a relay in a process of its own and waits until it takes connections.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

export interface RunningRelay {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly child: ChildProcess
  /** By SIGTERM, as systemd would; by SIGKILL when it has not ended after ten seconds. */
  stop(): Promise<void>
  /** As a power cut would. */
  kill(): Promise<void>
}

export interface Program {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly port: number
}

const ASK_EVERY_MS = 5
const MOST_ASKS = 24_000
const STOP_MS = 10_000

export async function launch({ name, command: [file, ...args], env, cwd, port }: Program): Promise<RunningRelay> {
  const child = spawn(file, args, {
    ...(env ? { env } : {}),
    ...(cwd ? { cwd } : {}),
    stdio: [
      'ignore',
      process.env.GRINPAY_BENCH_LOG ? 'inherit' : 'ignore',
      process.env.GRINPAY_BENCH_LOG ? 'inherit' : 'ignore',
    ],
  })
  const ended = once(child, 'exit')
  await listening(port, () => child.exitCode !== null || child.signalCode !== null)

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(late)
  }
  return { name, port, pid: child.pid ?? 0, child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** Resolves when somebody listens on the port. Throws when the process ends first. */
async function listening(port: number, hasEnded: () => boolean): Promise<void> {
  for (let asks = 0; asks < MOST_ASKS && !hasEnded(); asks++) {
    if (await answers(port)) return
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  throw new Error('the relay does not listen')
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
