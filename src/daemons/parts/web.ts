// The HTTP server as a part: listens last, drains first.
import type { FastifyInstance } from 'fastify'
import { causedBy } from '../../lib/errors.js'
import { addressInUse, addressRefused } from '../errors.js'
import type { Part } from '../runtime.js'

export interface WebOptions {
  readonly app: FastifyInstance
  readonly host: string
  readonly port: number
  /** `http` unless told. */
  readonly name?: string
}

const HANG_UP_EVERY_MS = 50

const REFUSED: Readonly<Record<string, string>> = {
  EACCES: 'this user may not have the port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name has no address',
}

function whyNot(thrown: NodeJS.ErrnoException, bind: string): Error {
  const { code = '' } = thrown
  if (code === 'EADDRINUSE') return addressInUse(bind)
  const why = REFUSED[code]
  return why === undefined ? thrown : causedBy(addressRefused(bind, why), thrown)
}

/** Throws ADDRESS_IN_USE, ADDRESS_REFUSED. Stopping refuses new connections and lets running requests finish. */
export const createWebPart = ({ app, host, port, name = 'http' }: WebOptions): Part => ({
  name,
  async start() {
    await app.listen({ host, port }).catch((thrown: NodeJS.ErrnoException) => {
      throw whyNot(thrown, `${host}:${port}`)
    })
  },
  async stop() {
    // A connection whose last answer comes after the closing began stays open for whatever its client may ask next.
    const hangingUp = setInterval(() => app.server.closeIdleConnections(), HANG_UP_EVERY_MS)
    await app.close().finally(() => clearInterval(hangingUp))
  },
})
