// Connections to payers' relays: a bounded pool, dialled on demand, closed when idle.

import { messageOf } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { createMinuteLimit } from '../../lib/rate-limiter.js'
import { freshSecret } from '../keys/index.js'
import { authEvent } from './auth.js'
import { openRelayClient, type RelayClient } from './client.js'
import type { OpenSocket } from './ports.js'

// Limits for sockets to untrusted relays. These need to send only OK, a few challenges and notices; without limits they could consume
// memory and CPU time on every connection.
const MAX_FRAME_BYTES = 16_384
const MINUTE_FRAMES = 1200
const MINUTE_CHARS = 1024 * 1024

interface LimitedSocketParts {
  readonly openSocket: OpenSocket
  readonly clock: Pick<Clock, 'monotonic'>
  /** The relay exceeds a limit; the frame is dropped. May be called again. */
  readonly onExcess: () => void
}

/** Opens sockets that pass on only short frames, at a limited rate. */
export const limitedSocket =
  ({ openSocket, clock, onExcess }: LimitedSocketParts): OpenSocket =>
  (request, listener) => {
    const [frames, chars] = [createMinuteLimit(MINUTE_FRAMES, clock), createMinuteLimit(MINUTE_CHARS, clock)]
    const isTooMuch = (length: number): boolean => [frames(), chars(length)].some(Boolean)
    return openSocket(
      { ...request, maxFrameBytes: Math.min(request.maxFrameBytes, MAX_FRAME_BYTES) },
      { ...listener, frame: (text) => (isTooMuch(text.length) ? onExcess() : listener.frame(text)) },
    )
  }

const OPEN_MOST = 16
const WAITING_MOST = 500
const DIAL_MS = 6000
const IDLE_MS = 30_000
const FAULTS_MOST = 5

export interface ForeignRelaysParts {
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: RandomBytes
  readonly onDefect: (thrown: unknown) => void
}

export interface ForeignRelays {
  /** Runs `act` with a client of this relay. Rejects with an Error whose message is the reason for a failed connection. */
  use<T>(url: string, timeoutMs: number, act: (client: RelayClient) => Promise<T>): Promise<T>
  tick(): void
  count(): number
  close(): void
}

interface PoolEntry {
  readonly client: Promise<RelayClient>
  open: RelayClient | undefined
  /** Aborts the attempt. */
  readonly dialling: AbortController
  users: number
  idleSince: number
}

/** A foreign relay that requires authentication sees only a fresh key, which does not identify the till. */
export function createForeignRelays({ openSocket, clock, random, onDefect }: ForeignRelaysParts): ForeignRelays {
  const entries = new Map<string, PoolEntry>()
  const waiting = new Set<() => void>()
  const life = new AbortController()

  function remove(url: string, entry: PoolEntry, reason: string): void {
    if (entries.get(url) !== entry) return
    entries.delete(url)
    entry.dialling.abort()
    // A graceful close could take time and exceed the connection limit.
    entry.open?.terminate(reason)
    wakeOne()
  }

  function wakeOne(): void {
    const [next] = waiting
    if (!next) return
    waiting.delete(next)
    next()
  }

  function dial(url: string, timeoutMs: number): PoolEntry {
    const dialling = new AbortController()
    let faults = 0
    const drop = (reason: string) => remove(url, entry, reason)
    const client = openRelayClient({
      url,
      publicOnly: true,
      timeoutMs: Math.min(timeoutMs, DIAL_MS),
      signal: dialling.signal,
      openSocket: limitedSocket({ openSocket, clock, onExcess: () => drop('it says too much') }),
      clock,
      sign: signerWithFreshKey(url, { clock, random }),
      onClosed: drop,
      onFault: () => ++faults > FAULTS_MOST && drop('it misbehaves'),
      onDefect,
    })
    const entry: PoolEntry = { client, open: undefined, dialling, users: 0, idleSince: clock.monotonic() }
    client.then(
      (open) => {
        // Removed while it opened.
        if (dialling.signal.aborted) return open.terminate('closing')
        entry.open = open
        open.start()
      },
      (thrown) => drop(messageOf(thrown)),
    )
    entries.set(url, entry)
    return entry
  }

  const idle = () => [...entries].filter(([, { users }]) => users === 0)

  /** Acquires a connection in the same synchronous step as the check for room, so that no other caller takes it. */
  function tryAcquire(url: string, timeoutMs: number): PoolEntry | undefined {
    const [longest] = idle().sort(([, a], [, b]) => a.idleSince - b.idleSince)
    if (!entries.has(url) && entries.size >= OPEN_MOST && longest)
      remove(...longest, 'another relay needs the connection')
    const entry = entries.get(url) ?? (entries.size < OPEN_MOST ? dial(url, timeoutMs) : undefined)
    if (entry) entry.users++
    return entry
  }

  async function acquire(url: string, timeoutMs: number): Promise<PoolEntry> {
    const until = clock.monotonic() + timeoutMs
    for (;;) {
      if (life.signal.aborted) throw new Error('closing')
      const entry = tryAcquire(url, timeoutMs)
      if (entry) return entry
      const waitMs = until - clock.monotonic()
      if (waitMs <= 0 || waiting.size >= WAITING_MOST) throw new Error('too many other relays are in use')
      await roomWithin(waitMs)
    }
  }

  async function roomWithin(ms: number): Promise<void> {
    const timer = new AbortController()
    await new Promise<void>((resolve) => {
      waiting.add(resolve)
      void clock.sleep(ms, timer.signal).then(() => {
        waiting.delete(resolve)
        resolve()
      })
    })
    timer.abort()
  }

  function release(entry: PoolEntry): void {
    entry.users--
    entry.idleSince = clock.monotonic()
    if (entry.users === 0) wakeOne()
  }

  return {
    async use(url, timeoutMs, act) {
      const entry = await acquire(url, timeoutMs)
      try {
        return await act(await entry.client)
      } finally {
        release(entry)
      }
    },
    tick() {
      for (const [url, entry] of idle()) if (clock.monotonic() - entry.idleSince > IDLE_MS) remove(url, entry, 'idle')
      for (const { open } of entries.values()) open?.tick()
    },
    count: () => entries.size,
    close() {
      life.abort()
      for (const wake of waiting) wake()
      waiting.clear()
      for (const [url, entry] of entries) remove(url, entry, 'closing')
    },
  }
}

function signerWithFreshKey(url: string, { clock, random }: Pick<ForeignRelaysParts, 'clock' | 'random'>) {
  return (challenge: string) =>
    authEvent({ relay: url, challenge, secret: freshSecret(random), now: clock.now(), random })
}
