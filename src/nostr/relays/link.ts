// A reconnecting client: back-off with jitter, reset after a minute of uptime.

import { backoff } from '../../lib/backoff.js'
import { messageOf } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { RelayClient } from './client.js'

const RETRY_MS = 1000
const RETRY_MOST_MS = 60_000
const HEALTHY_MS = 60_000

export type RelayLinkState = 'connected' | 'connecting' | 'waiting'

export interface RelayLinkParts {
  readonly clock: Clock
  readonly random: RandomBytes
  /** Monotonic time before which no attempt starts, whatever the back-off. */
  readonly notBefore: () => number
  /** Opens a client; calls `onClosed` once at its end. Rejects if it cannot open. */
  readonly open: (signal: AbortSignal, onClosed: (reason: string) => void) => Promise<RelayClient>
  readonly onUp: (client: RelayClient) => void
  readonly onDown: (reason: string) => void
}

export interface RelayLink {
  client(): RelayClient | undefined
  state(): RelayLinkState
  /** Epoch ms of the last change of state. */
  since(): number
  start(): void
  /** Ends this connection; the link reconnects. */
  drop(reason: string): void
  close(): void
}

/** Between half the delay and all of it, so that the clients of one relay do not reconnect at once. */
export function withJitter(ms: number, random: RandomBytes): number {
  const [byte = 0] = random.bytes(1)
  return Math.round(ms * (0.5 + byte / 510))
}

export function createLink({ clock, random, notBefore, open, onUp, onDown }: RelayLinkParts): RelayLink {
  const life = new AbortController()
  let client: RelayClient | undefined
  let state: RelayLinkState = 'waiting'
  let since = clock.now()
  let failures = 0
  let end: (reason: string) => void = () => undefined

  function enter(next: RelayLinkState): void {
    state = next
    since = clock.now()
  }

  function hangUp(reason: string): string {
    client?.close(reason)
    return reason
  }

  /** Runs one connection from opening to end; resolves with the reason. */
  async function live(): Promise<string> {
    enter('connecting')
    const closed = new Promise<string>((resolve) => {
      end = resolve
    })
    try {
      client = await open(life.signal, (reason) => end(reason))
      if (life.signal.aborted) return hangUp('closing')
      enter('connected')
      onUp(client)
      client.start()
    } catch (thrown) {
      return hangUp(messageOf(thrown))
    }
    const upAt = clock.monotonic()
    const reason = await closed
    if (clock.monotonic() - upAt >= HEALTHY_MS) failures = 0
    return reason
  }

  async function run(): Promise<void> {
    for (;;) {
      while (notBefore() > clock.monotonic() && !life.signal.aborted)
        await clock.sleep(notBefore() - clock.monotonic(), life.signal)
      if (life.signal.aborted) return
      const reason = await live()
      client = undefined
      if (life.signal.aborted) return
      enter('waiting')
      onDown(reason)
      await clock.sleep(withJitter(backoff(++failures, RETRY_MS, RETRY_MOST_MS), random), life.signal)
    }
  }

  function drop(reason: string): void {
    client?.terminate(reason)
    end(reason)
  }

  return {
    client: () => client,
    state: () => state,
    since: () => since,
    start: () => void run(),
    drop,
    close() {
      life.abort()
      client?.close('closing')
      end('closing')
      client = undefined
    },
  }
}
