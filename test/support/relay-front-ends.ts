// Front ends of one relay: processes of `serve relay` on the same log, which can be killed and started again on the same files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { idsIn } from './event-store.js'
import { freePort, startDaemon, type TillProcess } from './till-process.js'

export interface RelayFrontEnd {
  /** The file of its settings. */
  readonly config: string
  readonly dbPath: string
  /** `ws://` */
  readonly address: string
  /** `http://` */
  readonly url: string
  process(): TillProcess
  /** After it was killed or stopped; with more settings from now on. Rejects with what it printed when it ends at once. */
  start(more?: Settings): Promise<void>
  remove(): Promise<void>
}

/** Settings by their dotted names. */
type Settings = Readonly<Record<string, string | number | boolean>>

const OPEN: Settings = {
  'limits.event_kind_allowlist': 'all',
  'authorization.public_note_authors': 'everyone',
  'limits.max_subscriptions': 1000,
  'limits.max_filters_per_connection': 10_000,
}

interface FrontEndOptions {
  /** Of `serve relay`. */
  readonly flags?: readonly string[]
  /** False: it is only set up. */
  readonly isStarted?: boolean
}

export async function relayFrontEnd(
  settings: Settings,
  { flags = [], isStarted = true }: FrontEndOptions = {},
): Promise<RelayFrontEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-front-'))
  const bind = `127.0.0.1:${await freePort()}`
  const config = join(folder, 'relay.toml')
  const port = Number(bind.split(':')[1])
  const own = { ...OPEN, ...settings, 'network.port': port, 'database.data_directory': folder }
  let running: TillProcess | undefined

  function configure(more: Settings): void {
    const lines = Object.entries({ ...own, ...more }).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    writeFileSync(config, lines.join(''))
  }

  async function start(more: Settings = {}): Promise<void> {
    configure(more)
    const command = ['serve', 'relay', '--config', config, ...flags]
    running = await startDaemon({ command, settings: { HOME: folder }, bind, cwd: folder })
  }

  configure({})
  if (isStarted) await start()
  return {
    config,
    dbPath: join(folder, 'relay.db'),
    address: `ws://${bind}`,
    url: `http://${bind}`,
    process() {
      if (!running) throw new Error('it was not started')
      return running
    },
    start,
    async remove() {
      await running?.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const STOPPING = 'error: the relay is stopping'

/** A client that counts what it gets. */
export interface CountingClient {
  /** Opens a subscription. */
  subscribe(name: string, filter: object): void
  /** Publishes; resolves with accepted or not, and the text. Rejects when the connection ends before. */
  publish(event: NostrEvent): Promise<readonly [boolean, string]>
  /** How often each event came, by subscription and id. */
  readonly counts: ReadonlyMap<string, number>
  isOpen(): boolean
  close(): void
}

export async function countingClient({ address }: Pick<RelayFrontEnd, 'address'>): Promise<CountingClient> {
  const socket = new WebSocket(address, { perMessageDeflate: false })
  const counts = new Map<string, number>()
  const waiting = new Map<string, { resolve(answer: readonly [boolean, string]): void; reject(error: Error): void }>()
  socket.on('message', (data) => {
    const [verb, first, second, third] = JSON.parse(String(data)) as readonly [string, string, unknown, unknown]
    if (verb === 'EVENT') {
      const key = `${first} ${(second as NostrEvent).id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    } else if (verb === 'OK') {
      waiting.get(first)?.resolve([second === true, String(third)])
      waiting.delete(first)
    } else if (verb === 'CLOSED' && second !== STOPPING)
      throw new Error(`subscription ${first} was closed: ${String(second)}`)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the relay hung up'))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    subscribe: (name, filter) => socket.send(JSON.stringify(['REQ', name, filter])),
    publish: (event) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) reject(new Error('the relay hung up'))
        waiting.set(event.id, { resolve, reject })
        socket.send(JSON.stringify(['EVENT', event]))
      }),
    counts,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.terminate(),
  }
}

/** Publishes until the event is acknowledged, whatever happens to the relay meanwhile. */
export async function publishSurely(front: RelayFrontEnd, event: NostrEvent): Promise<void> {
  for (;;) {
    const client = await countingClient(front).catch(() => undefined)
    const answer = await client?.publish(event).catch(() => undefined)
    client?.close()
    if (answer?.[0]) return
    await sleep(100)
  }
}

/** What a stopped front end holds: events, position and digest of decisions. */
export function stateIn({ dbPath }: RelayFrontEnd): unknown {
  const db = openSqlite(dbPath, 'reading')
  try {
    const [pos, digest] = db.get('SELECT pos, hex(digest) FROM log_position') ?? []
    return { ids: idsIn(dbPath), pos, digest }
  } finally {
    db.close()
  }
}
