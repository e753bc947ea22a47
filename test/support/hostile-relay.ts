// A relay that does what a test tells it to: every frame that it gets goes to the script, which says whatever it likes.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface HostileConnection {
  /** Any text; objects are sent as JSON. */
  say(message: unknown): void
  readonly socket: WebSocket
  /** Below the websocket. */
  readonly tcp: Socket
}

export interface HostileScript {
  readonly connected?: (relay: HostileConnection) => void
  /** Without it nothing is ever answered. */
  readonly heard?: (relay: HostileConnection, verb: string, rest: readonly unknown[]) => void
  readonly autoPong?: boolean
}

export async function startHostileRelay(script: HostileScript = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: script.autoPong ?? true })
  await once(server, 'listening')
  const heard: (readonly unknown[])[] = []
  let connections = 0
  server.on('connection', (socket, request) => {
    connections++
    const relay: HostileConnection = {
      say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
      socket,
      tcp: request.socket,
    }
    socket.on('error', () => undefined)
    socket.on('message', (data) => {
      const [verb = '', ...rest] = JSON.parse(String(data)) as [string, ...unknown[]]
      heard.push([verb, ...rest])
      script.heard?.(relay, verb, rest)
    })
    script.connected?.(relay)
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every message that came, as [verb, …]. */
    heard,
    /** Connections since the start. */
    connections: () => connections,
    async close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}
