// A real relay for tests: the unmodified program nostr-rs-relay (see test/interop/README.md) on a port of 127.0.0.1, with its data in a temporary folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './till-process.js'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const PROGRAM = join(ORACLES, 'bin/nostr-rs-relay')

/** Why there is no real relay here, or undefined when there is one. */
export const missingRelay = (): string | undefined =>
  existsSync(PROGRAM) ? undefined : `no nostr-rs-relay in ${ORACLES}/bin (test/interop/install-rails.sh)`

/** What the relay enforces. Left out: no limit, and everybody may read everything. */
export interface RelayLimits {
  /** EVENT messages of one connection, averaged over a minute. */
  readonly messagesPerSec?: number
  /** REQ messages of one connection, averaged over a minute. */
  readonly subscriptionsPerMin?: number
  /** Bytes of one EVENT, of one frame and of one message. */
  readonly maxBytes?: number
  /** Sends a NIP-42 challenge. With or without an answer, this version gives every client every gift wrap. */
  readonly challenges?: boolean
}

export interface RealRelay {
  readonly url: string
  readonly port: number
  /** Everything it logged so far. */
  output(): string
  /** Ends it as a power cut would; its events stay. */
  stop(): Promise<void>
  /** Starts it again on the same port with the same events. */
  start(): Promise<void>
  /** Starts it again on the same port, and it has forgotten every event. */
  wipe(): Promise<void>
  /** Ends it and deletes its data; safe to call twice. */
  clean(): Promise<void>
}

/** Starts a relay and waits until it answers. */
export async function startRealRelay(limits: RelayLimits = {}): Promise<RealRelay> {
  const dir = mkdtempSync(join(tmpdir(), 'grinpay-relay-'))
  const port = await freePort()
  const config = join(dir, 'config.toml')
  writeFileSync(config, configText(port, limits))
  let text = ''
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = spawn(PROGRAM, ['--db', dir, '--config', config], {
      cwd: dir,
      env: { ...process.env, RUST_LOG: 'warn,nostr_rs_relay=info', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (text += chunk))
    child = started
    await answering(port, started, () => text)
  }

  async function stop(): Promise<void> {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `ws://127.0.0.1:${port}`,
    port,
    output: () => text,
    stop,
    start,
    async wipe() {
      await stop()
      for (const name of readdirSync(dir)) if (name !== 'config.toml') rmSync(join(dir, name), { recursive: true })
      await start()
    },
    async clean() {
      await stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The relay's own configuration language; a limit that is not set is left out. */
function configText(port: number, limits: RelayLimits): string {
  const bytes = limits.maxBytes ?? 262_144
  const lines = [
    '[info]',
    `relay_url = "ws://127.0.0.1:${port}"`, // what the `relay` tag of an AUTH answer has to name
    '[network]',
    'address = "127.0.0.1"',
    `port = ${port}`,
    '[limits]',
    `max_event_bytes = ${bytes}`,
    `max_ws_message_bytes = ${bytes}`,
    `max_ws_frame_bytes = ${bytes}`,
    ...(limits.messagesPerSec === undefined ? [] : [`messages_per_sec = ${limits.messagesPerSec}`]),
    ...(limits.subscriptionsPerMin === undefined ? [] : [`subscriptions_per_min = ${limits.subscriptionsPerMin}`]),
    '[authorization]',
    `nip42_auth = ${limits.challenges === true}`,
  ]
  return `${lines.join('\n')}\n`
}

/** The relay serves its information document (NIP-11) as soon as it takes connections. */
async function answering(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the relay ended:\n${output()}`)
    const alive = await fetch(`http://127.0.0.1:${port}`, { headers: { accept: 'application/nostr+json' } }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (alive) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the relay does not answer:\n${output()}`)
}
