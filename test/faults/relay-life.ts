// One process of a relay, as built, from its start to its end.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cleanEnvironment, freePort, ROOT } from '../support/till-process.js'
import type { Society } from './relay-people.js'

export type Durability = 'commit' | 'fsync'

export interface RelayStart {
  readonly folder: string
  readonly durability: Durability
  readonly society: Society
  readonly settings?: Readonly<Record<string, string>>
  /** A program that starts it. */
  readonly through?: readonly string[]
}

export interface LivingRelay {
  readonly url: string
  readonly http: string
  readonly child: ChildProcess
  /** True as soon as it answers; false when it ended before. */
  readonly up: Promise<boolean>
  /** Exit code; null of a killed one. */
  readonly ended: Promise<number | null>
  output(): string
  kill(): Promise<void>
  stop(): Promise<number | null>
}

const ENTRY = join(ROOT, 'bin/run.js')

export async function startRelayLife(start: RelayStart): Promise<LivingRelay> {
  const { folder, durability, society, settings = {}, through = [] } = start
  const port = await freePort()
  const env = cleanEnvironment({
    HOME: folder,
    RELAY_NETWORK_PORT: String(port),
    RELAY_DATABASE_DURABILITY: durability,
    RELAY_AUTHORIZED_AUTHORS: society.writers.map(({ pubkey }) => pubkey).join(),
    ...settings,
  })
  const [program = '', ...args] = [...through, process.execPath, ENTRY, 'serve', 'relay', '--db', folder]
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const http = `http://127.0.0.1:${port}`
  return {
    url: `ws://127.0.0.1:${port}`,
    http,
    child,
    up: answering(child, `${http}/health`),
    ended,
    output: () => text,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function answering(child: ChildProcess, url: string): Promise<boolean> {
  for (let tries = 0; tries < 3000 && child.exitCode === null && child.signalCode === null; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return true
    await pause(20)
  }
  return false
}
