// The relays of a world, in memory: what is published stays, subscribers hear of it, and connections have delay, loss, doubling and ends.
import { type NostrEvent, parseEvent } from '../../../src/nostr/event/index.js'
import type { OpenSocket } from '../../../src/nostr/relays/index.js'
import { type Filter, matches, parseFilter } from '../../support/memory-relay/filters.js'
import type { Chance } from '../ground/chance.js'
import type { Process, VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'

export interface WorldRelay {
  readonly url: string
  /** Refuses connections and publications, and breaks what is open. */
  isAway: boolean
  /** Stores an event as a client of its own; rejects while it is away. */
  publish(event: NostrEvent): Promise<void>
  /** Of this author, newest first. */
  newest(kind: number, author: string): NostrEvent | undefined
  /** Every stored and later event that fits, until the returned function is called. */
  listen(filter: Filter, hear: (event: NostrEvent) => void): () => void
  /** Breaks every connection. */
  breakAll(): void
}

interface Connection {
  readonly owner: Process | undefined
  hear(event: NostrEvent): void
  cut(): void
}

export interface RelaysParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly urls: readonly string[]
}

const MOST_STORED = 5000

export function createRelays({ time, chance, trace, urls }: RelaysParts) {
  const relays = urls.map((url) => createRelay(url))

  function createRelay(url: string) {
    const stored = new Map<string, NostrEvent>()
    const connections = new Set<Connection>()
    const listeners = new Set<{ readonly filter: Filter; readonly hear: (event: NostrEvent) => void }>()

    function keep(event: NostrEvent): 'stored' | 'duplicate' {
      if (stored.has(event.id)) return 'duplicate'
      stored.set(event.id, event)
      if (stored.size > MOST_STORED) stored.delete(stored.keys().next().value ?? '')
      for (const connection of connections) connection.hear(event)
      for (const { filter, hear } of listeners) if (matches(filter, event)) hear(event)
      return 'stored'
    }

    const find = (filters: readonly Filter[]): readonly NostrEvent[] =>
      [...stored.values()]
        .filter((event) => filters.some((filter) => matches(filter, event)))
        .sort((one, other) => other.created_at - one.created_at || (one.id < other.id ? -1 : 1))
        .slice(0, Math.min(500, ...filters.map(({ limit = 500 }) => limit)))

    const relay: WorldRelay = {
      url,
      isAway: false,
      async publish(event) {
        await time.sleep(chance.whole(5, 200))
        if (relay.isAway) throw new Error(`${url} is away`)
        keep(event)
      },
      newest: (kind, author) =>
        [...stored.values()]
          .filter((event) => event.kind === kind && event.pubkey === author)
          .sort((one, other) => other.created_at - one.created_at)[0],
      listen(filter, hear) {
        const listener = { filter, hear }
        for (const event of stored.values()) if (matches(filter, event)) hear(event)
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      breakAll() {
        for (const connection of connections) connection.cut()
      },
    }

    const connect: OpenSocket = async (_, listener) => {
      const owner = time.current()
      await time.sleep(chance.whole(5, 150))
      if (relay.isAway) throw new Error('the connection was refused')
      const subscriptions = new Map<string, readonly Filter[]>()
      let isOpen = true
      /** Frames arrive in order on one connection, each after some time. */
      let [lastIn, lastOut] = [0, 0]
      const later = (last: number): number => Math.max(last, time.now() + chance.whole(1, 60))

      function toClient(message: readonly unknown[]): void {
        lastOut = later(lastOut)
        const frame = JSON.stringify(message)
        time.after(lastOut - time.now(), () => isOpen && !owner?.isGone && listener.frame(frame))
      }

      function publish(value: unknown): void {
        const event = parseEvent(value)
        if (!event) return void toClient(['OK', '?', false, 'invalid: bad event'])
        const isNew = keep(event) === 'stored'
        // The answer may be lost with the connection.
        if (chance.is(0.01)) cut('the answer was lost')
        else toClient(['OK', event.id, true, isNew ? '' : 'duplicate: have this event'])
      }

      function take(frame: string): void {
        if (!isOpen || owner?.isGone) return
        const [verb, first, ...rest] = JSON.parse(frame) as [string, unknown, ...unknown[]]
        if (verb === 'CLOSE') subscriptions.delete(String(first))
        if (verb === 'EVENT') publish(first)
        if (verb !== 'REQ') return
        const filters = rest.map(parseFilter)
        subscriptions.set(String(first), filters)
        for (const event of find(filters)) toClient(['EVENT', first, event])
        toClient(['EOSE', first])
      }

      function cut(reason: string): void {
        if (!isOpen) return
        isOpen = false
        connections.delete(connection)
        if (owner?.isGone) return
        if (owner) time.within(owner, () => queueMicrotask(() => listener.closed({ reason })))
        else queueMicrotask(() => listener.closed({ reason }))
      }

      const connection: Connection = {
        owner,
        hear(event) {
          if (owner?.isGone) return void cut('gone')
          for (const [id, filters] of subscriptions)
            if (filters.some((filter) => matches(filter, event)))
              for (let copies = chance.is(0.02) ? 2 : 1; copies > 0; copies--) toClient(['EVENT', id, event])
        },
        cut: () => cut('closed with 1006'),
      }
      connections.add(connection)
      return {
        send(frame) {
          lastIn = later(lastIn)
          time.after(lastIn - time.now(), () => take(frame))
        },
        ping: () => void time.after(chance.whole(2, 100), () => isOpen && !owner?.isGone && listener.pong()),
        pause() {},
        resume() {},
        bufferedBytes: () => 0,
        close: () => cut('closed with 1000'),
        terminate: () => cut('closed with 1006'),
      }
    }
    return { relay, connect }
  }

  const openSocket: OpenSocket = (request, listener) => {
    const found = relays.find(({ relay }) => request.url.replace(/\/$/, '') === relay.url)
    if (!found) return Promise.reject(new Error('no such relay'))
    trace.happening('relay: dialled')
    return found.connect(request, listener)
  }
  return { relays: relays.map(({ relay }) => relay), openSocket }
}
