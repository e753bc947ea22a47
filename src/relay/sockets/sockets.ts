// All websockets of a relay: the work of every second, and the shutdown.
import type { Server } from 'node:http'
import type { Clock } from '../../lib/ports.js'
import { createDoorway, type DoorwayParts } from './acceptor.js'
import { CLOSE_MS, dropUnfinished } from './client-socket.js'

export interface SocketParts extends DoorwayParts {
  readonly server: Server
  readonly relay: SocketRelay
  readonly clock: Clock
}

/** What the sockets need of the relay. */
interface SocketRelay extends Readonly<DoorwayParts['relay']> {
  everySecond(): void
  /** Answers the events already taken in. */
  stop(): Promise<void>
}

export interface Sockets {
  /** Open connections. */
  count(): number
  /** Stops reading, lets the relay finish, closes with 1001, then disconnects. Idempotent. */
  stop(): Promise<void>
}

const SECOND = 1000
/** Share of the client memory limit that unfinished messages may take. */
const UNFINISHED = 1 / 2
const GOING_AWAY = 1001

/** Serves websockets on the given HTTP server. An upgrade request for another path gets 404. */
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
