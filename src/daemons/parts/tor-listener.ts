// A second way in for an onion service: what comes through it comes from tor on this machine, whose clients may write any header they like.
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

/** Hands connections to the server of the app: the same pages and websockets, with the peer as the client's address. Throws as `createWebPart`. */
export function createTorListener({ app, bind: { host, port } }: TorListenerParts): Part {
  const sockets = new Set<Socket>()
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    believeNoHeader(socket)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    app.server.emit('connection', socket)
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
      listener.close() // lets nobody in any more, and waits for nobody
    },
  }
}
