// The HTTP server as a part: listens last, drains first.
import type { FastifyInstance } from 'fastify'
import { addressInUse } from '../errors.js'
import type { Part } from '../runtime.js'

export interface WebOptions {
  readonly app: FastifyInstance
  readonly host: string
  readonly port: number
  /** `http` unless told. */
  readonly name?: string
}

const HANG_UP_EVERY_MS = 50

/** Throws ADDRESS_IN_USE. Stopping refuses new connections and lets running requests finish. */
export const createWebPart = ({ app, host, port, name = 'http' }: WebOptions): Part => ({
  name,
  async start() {
    await app.listen({ host, port }).catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'EADDRINUSE' ? addressInUse(`${host}:${port}`) : thrown
    })
  },
  async stop() {
    // A connection whose last answer comes after the closing began stays open for whatever its client may ask next.
    const hangingUp = setInterval(() => app.server.closeIdleConnections(), HANG_UP_EVERY_MS)
    await app.close().finally(() => clearInterval(hangingUp))
  },
})
