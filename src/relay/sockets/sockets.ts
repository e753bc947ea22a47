// The websockets of a relay as a whole: what is done for all of them once a second, and how they end.
import type { Server } from 'node:http'
import type { Clock } from '../ports.js'
import { createDoorway, type DoorwayParts } from './acceptor.js'
import { CLOSE_MS } from './client-socket.js'
import { dropUnfinished } from './unfinished-messages.js'

export interface SocketParts extends DoorwayParts {
  readonly server: Server
  readonly relay: SocketRelay
  readonly clock: Clock
}

/** What the sockets need of the relay. */
interface SocketRelay extends Readonly<DoorwayParts['relay']> {
  everySecond(): void
  /** Finishes what was taken in. */
  stop(): Promise<void>
}

export interface Sockets {
  /** Connections that stand. */
  count(): number
  /** Takes nothing in any more, lets the relay finish, says goodbye (1001) and hangs up. Idempotent. */
  stop(): Promise<void>
}

const SECOND = 1000
/** Of what all clients may take, for messages that are not whole yet. */
const UNFINISHED = 1 / 2
const GOING_AWAY = 1001

/** Serves websockets on an HTTP server that somebody else listens with. Requests to upgrade on another path are answered 404. */
export function attachSockets(parts: SocketParts): Sockets {
  const { server, relay, limits, clock } = parts
  const doorway = createDoorway(parts)
  const aborter = new AbortController()
  let stopped: Promise<void> | undefined

  async function beat(): Promise<void> {
    while (!aborter.signal.aborted) {
      await clock.sleep(SECOND, aborter.signal)
      if (limits.pingSeconds > 0) doorway.heartbeat.tick()
      dropUnfinished(doorway.clients, limits.maxClientBytes * UNFINISHED)
      relay.everySecond()
    }
  }

  async function stopAll(): Promise<void> {
    aborter.abort()
    doorway.shut()
    await relay.stop()
    for (const client of doorway.clients) {
      client.end(GOING_AWAY, 'the relay is stopping')
      client.resume() // to hear its goodbye
    }
    await clock.sleep(CLOSE_MS, doorway.emptied())
    for (const client of doorway.clients) client.drop('did not say goodbye')
  }

  server.on('upgrade', doorway.upgrade)
  void beat()
  return {
    count: () => doorway.clients.size,
    stop() {
      stopped ??= stopAll()
      return stopped
    },
  }
}
