// The relay protocol on one connection: subscriptions, queries, events and authentication.

import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { NostrEvent } from '../event/index.js'
import { createAuth } from './auth.js'
import { openConnection } from './connection.js'
import type { RequestFilter } from './filters.js'
import { parseFrame, type RelayMessage } from './frames.js'
import type { OpenSocket, RelayClock } from './ports.js'
import { createPosts, type PublishResult } from './posts.js'
import { createQueries } from './queries.js'
import type { Fault } from './strikes.js'
import { createSubscriptions, type Subscriptions } from './subscriptions.js'

const NOTICES_PER_MINUTE = 60
/** Characters: the largest event that relays accept, 262 144 bytes, and its envelope. Longer frames are ignored. */
const UNREAD_FROM = 270_000

export interface SessionParts {
  readonly url: string
  readonly publicOnly: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly openSocket: OpenSocket
  readonly clock: RelayClock
  /** See Auth. */
  readonly sign: (challenge: string) => NostrEvent | undefined
  readonly eager: boolean
  readonly onAuth: (state: 'challenged' | 'done' | 'refused') => void
  readonly onNotice: (text: string) => void
  readonly onClosed: (reason: string) => void
  readonly onFault: (fault: Fault) => void
  readonly onDefect: (thrown: unknown) => void
}

export interface Session {
  readonly subs: Subscriptions
  publish(event: NostrEvent, timeoutMs: number): Promise<PublishResult>
  ask(filter: RequestFilter, timeoutMs: number): Promise<readonly NostrEvent[]>
  /** See Auth.demand. */
  demandAuth(): boolean
  isAuthenticated(): boolean
  roundTripMs(): number | null
  /** Whether events or queries wait for a response. */
  busy(): boolean
  tick(): void
  /** Starts handling messages, queued ones included. */
  start(): void
  close(reason: string): void
  terminate(reason: string): void
}

/** Rejects with an Error whose message is the reason. */
export async function openSession(parts: SessionParts): Promise<Session> {
  const { clock, onFault } = parts
  let asking = 0
  const send = (frame: string) => connection?.send(frame)
  const subs = createSubscriptions({ clock, send, fault: onFault })
  const auth = createAuth({
    ...parts,
    send,
    flood: () => onFault('flood'),
    settled: (state) => {
      if (state === 'refused') posts.refused()
      else {
        posts.authenticated()
        queries.authenticated()
      }
      parts.onAuth(state)
    },
  })
  const posts = createPosts({ clock, send, demandAuth: auth.demand })
  const queries = createQueries({ clock, subs, fault: onFault, demandAuth: auth.demand })
  const isTooMany = createMinuteLimit(NOTICES_PER_MINUTE, clock)

  function challenged(challenge: string): void {
    parts.onAuth('challenged')
    auth.challenged(challenge)
  }

  function noticed(text: string): void {
    if (isTooMany()) onFault('flood')
    else parts.onNotice(text)
  }

  function dispatch(message: RelayMessage): boolean {
    switch (message.type) {
      case 'EVENT':
        return subs.event(message.sub, message.event)
      case 'EOSE':
        subs.eose(message.sub)
        return true
      case 'CLOSED':
        subs.closed(message.sub, message.text)
        return true
      case 'OK':
        if (!auth.answered(message.id, message.accepted)) posts.answered(message.id, message.accepted, message.text)
        return true
      case 'AUTH':
        challenged(message.challenge)
        return true
      case 'NOTICE':
        noticed(message.text)
        return true
      case 'OTHER':
        return true
    }
  }

  function onFrame(frame: string): boolean {
    if (frame.length > UNREAD_FROM) return true
    const message = parseFrame(frame)
    if (message) return dispatch(message)
    onFault('unreadable')
    return true
  }

  function ended(reason: string): void {
    posts.end(reason)
    queries.end()
  }

  const onClosed = (reason: string) => {
    ended(reason)
    parts.onClosed(reason)
  }
  const connection = await openConnection({ ...parts, onFrame, onClosed })

  return {
    subs,
    publish: posts.publish,
    async ask(filter, timeoutMs) {
      asking++
      return queries.ask(filter, timeoutMs).finally(() => asking--)
    },
    demandAuth: auth.demand,
    isAuthenticated: () => auth.state() === 'done',
    roundTripMs: connection.roundTripMs,
    busy: () => asking > 0 || posts.waiting() > 0,
    tick: auth.tick,
    start: connection.start,
    close(reason) {
      connection.close()
      ended(reason)
    },
    terminate(reason) {
      connection.terminate()
      ended(reason)
    },
  }
}
