// What a name authority reaches outside its process: sockets of this machine, unless its owner lends other links (a simulation does).
import type { FastifyInstance } from 'fastify'
import type { Transport } from '../../../client/index.js'

/** Each member that is absent is the real one. */
export interface NameNetwork {
  /** To the Grin nodes. */
  readonly fetch?: typeof fetch
  /** To the till that makes the invoices. */
  readonly transport?: Transport
  /** Called instead of listening; the app answers `inject`. */
  readonly listen?: (app: FastifyInstance) => void
}
