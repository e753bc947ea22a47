// The client of one relay: one socket with the messages of NIP-01, NIP-42 and whatever else the caller reads from it (NIP-77). Bounded:
// long frames, floods, a side that is silent or does not read end the connection. `link.ts` reconnects it for the till's pool.

import type { Clock } from '../../lib/ports.js'
import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { NostrEvent } from '../event/index.js'
import { type AuthState, createAuth } from './auth.js'
import type { RequestFilter } from './filters.js'
import { createFrameQueue } from './frame-queue.js'
import { parseFrame, type RelayMessage } from './frames.js'
import type { OpenSocket, RelaySocket, SocketEnd } from './ports.js'
import { createPosts, type PublishResult } from './posts.js'
import { createQueries } from './queries.js'
import type { Fault } from './strikes.js'
import { createSubscriptions, type Subscriptions } from './subscriptions.js'
import { createWaiters } from './waiters.js'

/** Relays accept events of up to 262 144 bytes and send them in a longer frame. With a lower limit, one such event would cut the connection. */
const MAX_FRAME_BYTES = 524_288
/** Characters: the largest event that relays accept, 262 144 bytes, and its envelope. Longer frames are ignored. */
const UNREAD_FROM = 270_000
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024
const PING_MS = 25_000
const MISSED_MOST = 2
/** Maximum pings from the other side. */
const PINGS_PER_MINUTE = 120
const NOTICES_PER_MINUTE = 60

export interface RelayClientParts {
  /** `ws://` or `wss://`. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Clock
  /** Timeout of the connection. */
  readonly timeoutMs: number
  /** Aborts the attempt. */
  readonly signal?: AbortSignal
  /** Refuses addresses of this machine and its networks. Default: false. */
  readonly publicOnly?: boolean
  /** Reads frames up to this size. Default: what holds the largest event. */
  readonly maxFrameBytes?: number
  /** False: frames are read as fast as they come, for a relay that the operator names. Default: true. */
  readonly isPaced?: boolean
  /** Ends the connection when more bytes than this wait to be sent. Default: 8 MiB. */
  readonly maxBufferedBytes?: number
  /** Pings without an answer that end the connection. Default: 2. */
  readonly missedMost?: number
  /** See AuthParts. Absent: nothing is ever proved. */
  readonly sign?: ((challenge: string) => NostrEvent | undefined) | undefined
  readonly eager?: boolean
  /** `text` is the relay's reason for a refusal. */
  readonly onAuth?: (state: 'challenged' | 'done' | 'refused', text: string) => void
  readonly onNotice?: (text: string) => void
  /** A message that is not of NIP-01 or NIP-42, or a CLOSED for no open subscription. */
  readonly onOther?: (message: readonly unknown[]) => void
  readonly onClosed?: (reason: string) => void
  readonly onFault?: (fault: Fault) => void
  /** A bug while handling a frame, which is dropped. */
  readonly onDefect?: (thrown: unknown) => void
}

export interface RelayClient {
  readonly subs: Subscriptions
  publish(event: NostrEvent, timeoutMs: number): Promise<PublishResult>
  ask(filter: RequestFilter, timeoutMs: number): Promise<readonly NostrEvent[]>
  /** Sends a message that is not of NIP-01. */
  send(message: readonly unknown[]): void
  /** See Auth.demand. */
  demandAuth(): boolean
  /** Requests authentication; the state as soon as it is settled, or after this time. */
  authenticate(timeoutMs: number): Promise<AuthState>
  isAuthenticated(): boolean
  /** Round trip of the last ping in ms; null before the first pong. */
  roundTripMs(): number | null
  tick(): void
  /** Starts handling messages, queued ones included. */
  start(): void
  /** No callback runs after `close` or `terminate`. */
  close(reason: string): void
  terminate(reason: string): void
}

/** Rejects with an Error whose message is the reason. */
export async function openRelayClient(parts: RelayClientParts): Promise<RelayClient> {
  const { clock, maxFrameBytes = MAX_FRAME_BYTES, maxBufferedBytes = MAX_BUFFERED_BYTES, onFault = ignore } = parts
  const unreadFrom = parts.maxFrameBytes ?? UNREAD_FROM
  const life = new AbortController()
  let socket: RelaySocket | undefined
  const frames = createFrameQueue({
    clock,
    signal: life.signal,
    isPaced: parts.isPaced,
    handle: onFrame,
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    failed: parts.onDefect ?? ignore,
  })
  const subs = createSubscriptions({ clock, send, fault: onFault })
  const settled = createWaiters(clock)
  const auth = createAuth({
    ...{ clock, sign: parts.sign, eager: parts.eager ?? false, send },
    flood: () => onFault('flood'),
    settled: (state, text) => {
      if (state === 'refused') posts.refused()
      else {
        posts.authenticated()
        queries.authenticated()
      }
      parts.onAuth?.(state, text)
      settled.wake()
    },
  })
  const posts = createPosts({ clock, send, demandAuth: auth.demand })
  const queries = createQueries({ clock, subs, fault: onFault, demandAuth: auth.demand })
  const pulse = createPulse(clock, () => onFault('flood'), parts.missedMost)
  const isTooManyNotices = createMinuteLimit(NOTICES_PER_MINUTE, clock)

  function send(frame: string): void {
    if (life.signal.aborted || !socket) return
    socket.send(frame)
    if (socket.bufferedBytes() <= maxBufferedBytes) return
    onFault('unread')
    giveUp('it does not read what we send')
  }

  function dispatch(message: RelayMessage): boolean {
    switch (message.type) {
      case 'EVENT':
        return subs.event(message.sub, message.event)
      case 'EOSE':
        subs.eose(message.sub)
        break
      case 'CLOSED':
        if (!subs.closed(message.sub, message.text)) parts.onOther?.(['CLOSED', message.sub, message.text])
        break
      case 'OK':
        if (!auth.answered(message.id, message.accepted, message.text))
          posts.answered(message.id, message.accepted, message.text)
        break
      case 'AUTH':
        parts.onAuth?.('challenged', '')
        auth.challenged(message.challenge)
        break
      case 'NOTICE':
        if (isTooManyNotices()) onFault('flood')
        else parts.onNotice?.(message.text)
        break
      case 'OTHER':
        parts.onOther?.(message.message)
    }
    return true
  }

  /** False: no room. The frame is offered again, and the socket is paused meanwhile. */
  function onFrame(frame: string): boolean {
    if (frame.length > unreadFrom) return true
    const message = parseFrame(frame)
    if (message) return dispatch(message)
    onFault('unreadable')
    return true
  }

  /** Ends what waits; false when it has ended before. */
  function end(reason: string): boolean {
    if (life.signal.aborted) return false
    life.abort()
    posts.end(reason)
    queries.end()
    settled.wake()
    return true
  }

  function closed({ reason, fault }: SocketEnd): void {
    if (life.signal.aborted) return
    if (fault) onFault(fault)
    if (end(reason)) parts.onClosed?.(reason)
  }

  function giveUp(reason: string): void {
    socket?.terminate()
    closed({ reason })
  }

  const { url, timeoutMs, publicOnly = false, signal = life.signal } = parts
  const open = await parts.openSocket(
    { url, timeoutMs, maxFrameBytes, publicOnly, signal },
    { frame: frames.push, ping: pulse.pinged, pong: pulse.ponged, closed },
  )
  socket = open
  void pulse.run(open, {
    signal: life.signal,
    isPaused: frames.paused,
    dead: () => giveUp('half-open: no answer to pings'),
  })

  return {
    subs,
    publish: posts.publish,
    ask: queries.ask,
    send: (message) => send(JSON.stringify(message)),
    demandAuth: auth.demand,
    async authenticate(ms) {
      const isSettled = () => life.signal.aborted || auth.state() === 'done' || auth.state() === 'refused'
      if (auth.demand()) await settled.until(isSettled, ms)
      return auth.state()
    },
    isAuthenticated: () => auth.state() === 'done',
    roundTripMs: pulse.roundTripMs,
    tick: auth.tick,
    start: frames.start,
    close(reason) {
      end(reason)
      open.close()
    },
    terminate(reason) {
      end(reason)
      open.terminate()
    },
  }
}

const ignore = (): void => undefined

interface Heart {
  readonly signal: AbortSignal
  /** A paused socket receives no pongs. */
  readonly isPaused: () => boolean
  readonly dead: () => void
}

/** Sends pings and detects missing pongs, and with them half-open connections. */
function createPulse(clock: Clock, flood: () => void, missedMost = MISSED_MOST) {
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
        if (missed >= missedMost) return dead()
        beat(socket)
      }
    },
  }
}
