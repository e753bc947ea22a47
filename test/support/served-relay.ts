// A relay that listens on 127.0.0.1, for tests.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { attachSockets, createRelay, type RelayParts, type SocketParts } from '../../src/relay/index.js'
import { type RelayClient, relayClient } from './relay-client.js'
import { relayParts } from './relay-parts.js'

export async function servedRelay(changes: Partial<RelayParts> = {}, socketChanges: Partial<SocketParts> = {}) {
  const { parts, store, clock } = relayParts(changes)
  const relay = createRelay(parts)
  const server = createServer((_, response) => response.writeHead(426).end())
  const sockets = attachSockets({
    server,
    relay,
    limits: parts.settings.limits,
    path: '/',
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    compression: false,
    clock: parts.clock,
    log: parts.log,
    ...socketChanges,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}`
  const clients: RelayClient[] = []
  return {
    url,
    port,
    relay,
    sockets,
    store,
    clock,
    async client(options?: Parameters<typeof relayClient>[1]) {
      const client = await relayClient(url, options)
      clients.push(client)
      return client
    },
    async close() {
      for (const client of clients) client.close()
      await sockets.stop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type ServedRelay = Awaited<ReturnType<typeof servedRelay>>
