// Relays for the benches of the Nostr rail, and a connection to them that says when what was heard.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { NostrEvent } from '../src/nostr/event/index.js'
import { startRealRelay } from '../test/support/nostr-relay.js'
import { firstLine } from './load.js'

export interface BenchRelay {
  readonly url: string
  readonly pid: number | undefined
  stop(): Promise<unknown>
}

/** The plain one of the sandbox; with GRINPAY_BENCH_RELAY=real nostr-rs-relay, where it is installed. */
export async function startRelay(): Promise<BenchRelay> {
  if (process.env.GRINPAY_BENCH_RELAY === 'real') {
    const { url, clean } = await startRealRelay()
    return { url, pid: undefined, stop: clean }
  }
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'relay-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(child)
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { url, pid: child.pid, stop }
}

/** The first event to a key, and when it came (as `performance.now()` counts). */
export interface Heard {
  readonly at: number
  readonly event: NostrEvent
}

export interface RelayLine {
  /** Resolves when the relay took it. Rejects with its words when it did not. */
  publish(event: NostrEvent): Promise<void>
  /** Hears events to these keys from now on; resolves when the relay listens. */
  listen(pubkeys: readonly string[]): Promise<void>
  /** What came first to the key; rejects after `ms`. */
  hear(pubkey: string, ms: number): Promise<Heard>
  close(): void
}

/** One connection for all payers of a bench. */
export async function dial(url: string): Promise<RelayLine> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await once(socket, 'open')
  const heard = new Map<string, Heard>()
  const answers = new Map<string, (refusal?: string) => void>()
  const hearers = new Map<string, (heard: Heard) => void>()
  let subscriptions = 0

  const takers: Readonly<Record<string, (rest: readonly unknown[]) => void>> = {
    EVENT: ([, value]) => arrived(value as NostrEvent),
    OK: ([id, ok, text]) => answers.get(String(id))?.(ok === true ? undefined : String(text)),
    EOSE: ([id]) => answers.get(String(id))?.(),
    CLOSED: ([id, text]) => answers.get(String(id))?.(String(text)),
  }
  socket.on('message', (data) => {
    const [verb, ...rest] = JSON.parse(String(data)) as [string, ...unknown[]]
    takers[verb]?.(rest)
  })

  function arrived(event: NostrEvent): void {
    const to = event.tags.find(([name]) => name === 'p')?.[1] ?? ''
    if (heard.has(to)) return
    const first = { at: performance.now(), event }
    heard.set(to, first)
    hearers.get(to)?.(first)
  }

  const ask = (id: string, ...message: readonly unknown[]) =>
    new Promise<void>((resolve, reject) => {
      answers.set(id, (refusal) => (refusal === undefined ? resolve() : reject(new Error(refusal))))
      socket.send(JSON.stringify(message))
    })

  return {
    publish: (event) => ask(event.id, 'EVENT', event),
    listen(pubkeys) {
      const id = `payers-${subscriptions++}`
      return ask(id, 'REQ', id, { kinds: [1059], '#p': pubkeys })
    },
    hear: (pubkey, ms) =>
      new Promise((resolve, reject) => {
        const first = heard.get(pubkey)
        if (first) return resolve(first)
        const timer = setTimeout(() => reject(new Error(`nothing for ${pubkey} in ${ms} ms`)), ms)
        hearers.set(pubkey, (found) => {
          clearTimeout(timer)
          resolve(found)
        })
      }),
    close: () => socket.terminate(),
  }
}
