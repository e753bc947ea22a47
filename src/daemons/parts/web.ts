// The HTTP server as a part: listens last, drains first.
import type { FastifyInstance } from 'fastify'
import { addressInUse } from '../errors.js'
import type { Part } from '../runtime.js'

export interface WebOptions {
  readonly app: FastifyInstance
  readonly host: string
  readonly port: number
}

/** Throws ADDRESS_IN_USE. Stopping refuses new connections and lets running requests finish. */
export const createWebPart = ({ app, host, port }: WebOptions): Part => ({
  name: 'http',
  async start() {
    await app.listen({ host, port }).catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'EADDRINUSE' ? addressInUse(`${host}:${port}`) : thrown
    })
  },
  stop: () => app.close(),
})
