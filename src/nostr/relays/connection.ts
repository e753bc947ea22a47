// One socket: size limit, pings, back-pressure, and a close if the other side is silent or does not read.

import { createMinuteLimit } from '../../lib/rate-limiter.js'
import { createFrameQueue } from './frame-queue.js'
import type { OpenSocket, RelayClock, RelaySocket, SocketEnd } from './ports.js'
import type { Fault } from './strikes.js'

/** Relays accept events of up to 262 144 bytes and send them in a longer frame. With a lower limit, one such event would cut the connection. */
const MAX_FRAME_BYTES = 524_288
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
const PING_MS = 25_000
const MISSED_MOST = 2
/** Maximum pings from the other side. */
const PINGS_PER_MINUTE = 120

export interface ConnectionParts {
  readonly url: string
  readonly publicOnly: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly openSocket: OpenSocket
  readonly clock: RelayClock
  /** False: no room. The frame is offered again, and the socket is paused meanwhile. */
  readonly onFrame: (frame: string) => boolean
  readonly onClosed: (reason: string) => void
  readonly onFault: (fault: Fault) => void
  readonly onDefect: (thrown: unknown) => void
}

export interface Connection {
  send(frame: string): void
  /** Round trip of the last ping in ms; null before the first pong. */
  roundTripMs(): number | null
  /** Starts handling frames. */
  start(): void
  close(): void
  terminate(): void
}

/** Rejects with an Error whose message is the reason. No callback runs after `close` or `terminate`. */
export async function openConnection(parts: ConnectionParts): Promise<Connection> {
  const { url, publicOnly, timeoutMs, openSocket, clock, onFault } = parts
  const life = new AbortController()
  let socket: RelaySocket | undefined
  const intake = createFrameQueue({
    clock,
    signal: life.signal,
    handle: parts.onFrame,
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    failed: parts.onDefect,
  })

  function ended({ reason, fault }: SocketEnd): void {
    if (life.signal.aborted) return
    life.abort()
    if (fault) onFault(fault)
    parts.onClosed(reason)
  }

  const pulse = createPulse(clock, { flood: () => onFault('flood') })
  socket = await openSocket(
    { url, timeoutMs, maxFrameBytes: MAX_FRAME_BYTES, publicOnly, signal: parts.signal },
    { frame: intake.push, ping: pulse.pinged, pong: pulse.ponged, closed: ended },
  )
  const open = socket

  function giveUp(reason: string): void {
    open.terminate()
    ended({ reason })
  }

  void pulse.run(open, {
    signal: life.signal,
    isPaused: intake.paused,
    dead: () => giveUp('half-open: no answer to pings'),
  })
  return {
    send(frame) {
      if (life.signal.aborted) return
      open.send(frame)
      if (open.bufferedBytes() <= MAX_BUFFERED_BYTES) return
      onFault('unread')
      giveUp('it does not read what we send')
    },
    roundTripMs: pulse.roundTripMs,
    start: intake.start,
    close() {
      life.abort()
      open.close()
    },
    terminate() {
      life.abort()
      open.terminate()
    },
  }
}

interface Heart {
  readonly signal: AbortSignal
  /** A paused socket receives no pongs. */
  readonly isPaused: () => boolean
  readonly dead: () => void
}

/** Sends pings and detects missing pongs, and with them half-open connections. */
function createPulse(clock: RelayClock, { flood }: { readonly flood: () => void }) {
  let missed = 0
  let sentAt = 0
  let roundTrip: number | null = null
  const isTooMany = createMinuteLimit(PINGS_PER_MINUTE, clock)

  function beat(socket: RelaySocket): void {
    missed++
    sentAt = clock.monotonic()
    socket.ping()
  }

  return {
    roundTripMs: () => roundTrip,
    ponged(): void {
      if (missed > 0) roundTrip = clock.monotonic() - sentAt
      missed = 0
    },
    pinged(): void {
      if (isTooMany()) flood()
    },
    async run(socket: RelaySocket, { signal, isPaused, dead }: Heart): Promise<void> {
      beat(socket)
      for (;;) {
        await clock.sleep(PING_MS, signal)
        if (signal.aborted) return
        if (isPaused()) missed = 0
        if (missed >= MISSED_MOST) return dead()
        beat(socket)
      }
    },
  }
}
