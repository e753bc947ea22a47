// A relay in memory on sockets that a fault round holds in its own hands: it sees and times every message, ends connections between
// an event and its OK, goes away and comes back with everything it had stored.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { createArchive } from '../support/memory-relay/archive.js'
import { createSession, type Session } from '../support/memory-relay/session.js'

/**
 * What becomes of an event that a client sends: the ordinary thing; stored and never answered; neither; or the end of all connections
 * at a chosen moment.
 */
export type Fate = 'serve' | 'hold-ok' | 'drop' | 'die-unstored' | 'die-before-ok' | 'die-after-ok'

interface RelayWatcher {
  /** An event was written to a subscriber. */
  delivered?(event: NostrEvent): void
  /** An event came in; the answer decides what becomes of it. */
  posted?(event: NostrEvent): Fate
  /** Its OK was written. */
  confirmed?(id: string): void
  /** A subscription came in. */
  asked?(): void
}

export interface FaultRelay {
  readonly url: string
  /** One at a time; empty: everything is served. */
  watcher: RelayWatcher
  /** Puts an event in as a payer's wallet does, and tells all who subscribed; false while the relay is away. */
  publish(event: NostrEvent): boolean
  /** Writes this to everybody who is connected. */
  shout(frame: string): void
  /** Gift wraps to this key that it holds, oldest first. */
  wrapsTo(pubkey: string): readonly NostrEvent[]
  isUp(): boolean
  connections(): number
  /** Ends every connection and refuses new ones. */
  goAway(): void
  comeBack(): Promise<void>
  close(): Promise<void>
}

const idOf = ([, value]: readonly unknown[]): string =>
  typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : ''

/** Listens on 127.0.0.1, always on the same port. */
export async function startFaultRelay(): Promise<FaultRelay> {
  const archive = createArchive()
  const wraps = new Map<string, NostrEvent[]>()
  const sessions = new Set<Session>()
  let port = 0
  let server: WebSocketServer | undefined

  function note(event: NostrEvent): void {
    const [, to = ''] = event.tags.find(([name]) => name === 'p') ?? []
    const known = wraps.get(to) ?? []
    if (event.kind === 1059 && !known.some(({ id }) => id === event.id)) wraps.set(to, [...known, event])
  }

  /** Gives the fate of what was just heard. */
  function fateOf(message: readonly unknown[]): Fate {
    if (message[0] === 'REQ') relay.watcher.asked?.()
    return message[0] === 'EVENT' ? (relay.watcher.posted?.(message[1] as NostrEvent) ?? 'serve') : 'serve'
  }

  function serve(socket: WebSocket): void {
    let mute = false
    const send = (message: readonly unknown[]) => {
      const [verb, first, event] = message
      if (mute) return
      socket.send(JSON.stringify(message))
      if (verb === 'EVENT') relay.watcher.delivered?.(event as NostrEvent)
      if (verb === 'OK') relay.watcher.confirmed?.(String(first))
    }
    const broadcast = (event: NostrEvent) => {
      note(event)
      for (const session of sessions) session.offer(event)
    }
    const session = createSession({ archive, send, broadcast })
    function hear(text: string): void {
      const message: readonly unknown[] = JSON.parse(text)
      const fate = fateOf(message)
      if (fate === 'die-unstored') relay.goAway()
      if (fate === 'die-unstored' || fate === 'drop') return
      mute = fate === 'die-before-ok' || fate === 'hold-ok'
      session.take(text)
      mute = false
      if (fate === 'die-before-ok') relay.goAway()
      // Not in this turn: the OK is on its way first.
      if (fate === 'die-after-ok') socket.send(JSON.stringify(['NOTICE', idOf(message)]), () => relay.goAway())
    }
    sessions.add(session)
    socket.on('message', (data) => hear(String(data)))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => sessions.delete(session))
  }

  const relay = {
    url: '',
    watcher: {} as RelayWatcher,
    publish(event: NostrEvent) {
      if (!server) return false
      if (archive.keep(event) !== 'stored') return true
      note(event)
      for (const session of sessions) session.offer(event)
      return true
    },
    shout(frame: string) {
      for (const socket of server?.clients ?? []) socket.send(frame)
    },
    wrapsTo: (pubkey: string) => wraps.get(pubkey) ?? [],
    isUp: () => server !== undefined,
    connections: () => server?.clients.size ?? 0,
    goAway() {
      const gone = server
      server = undefined
      sessions.clear()
      for (const socket of gone?.clients ?? []) socket.terminate()
      gone?.close()
    },
    async comeBack() {
      if (server) return
      const next = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: 131_072 })
      next.on('connection', serve)
      await once(next, 'listening')
      port = (next.address() as AddressInfo).port
      relay.url = `ws://127.0.0.1:${port}`
      server = next
    },
    close: async () => relay.goAway(),
  }
  await relay.comeBack()
  return relay
}
