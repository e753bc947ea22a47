// A second way in for an onion service: what comes through it comes from tor on this machine, whose clients may write whatever header they like.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Bind } from '../../config/index.js'
import { believeNoHeader } from '../../http/index.js'
import type { Part } from '../runtime.js'
import { listeningFailure } from './web.js'

interface TorListenerParts {
  /** It listens already when this starts. */
  readonly app: FastifyInstance
  readonly bind: Bind
}

/** Hands connections to the server of the app: the same pages and websockets, with the peer as the client's address. Throws as `createWebPart`. Stopping lets running requests finish. */
export function createTorListener({ app, bind: { host, port } }: TorListenerParts): Part {
  const sockets = new Set<Socket>()
  const running = new Set<ServerResponse>()
  let stopping = false
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    believeNoHeader(socket)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    app.server.emit('connection', socket)
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!sockets.has(socket)) return
    if (stopping) response.shouldKeepAlive = false
    running.add(response)
    response.once('close', () => running.delete(response))
  })
  // The app says goodbye to all its clients; what is left then are connections that nothing is asked on.
  app.server.once('close', () => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    name: 'tor listener',
    start: () =>
      new Promise((resolve, reject) => {
        listener.once('error', (thrown) => reject(listeningFailure(thrown, `${host}:${port}`)))
        listener.listen({ host, port }, resolve)
      }),
    async stop() {
      listener.close() // takes no new connection
      stopping = true
      // The closing server does not wait for sockets that were handed to it.
      while (running.size > 0) await Promise.all([...running].map((response) => once(response, 'close')))
    },
  }
}
