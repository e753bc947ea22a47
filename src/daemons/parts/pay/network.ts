// What a till reaches outside its process: sockets of this machine, unless its owner lends other links (a simulation does).
import type { FastifyInstance } from 'fastify'
import type { OpenSocket } from '../../../nostr/relays/index.js'
import type { ForeignApi, TillParts } from '../../../till/index.js'

/** Each member that is absent is the real one. */
export interface TillNetwork {
  /** To the nodes and the sources of rates. */
  readonly fetch?: typeof fetch
  /** To the relays. */
  readonly openSocket?: OpenSocket
  /** To the receivers of webhooks. */
  readonly send?: TillParts['send']
  /** Called instead of listening for wallets of the grin1 rail. */
  readonly foreign?: (api: ForeignApi) => void
  /** Called instead of listening; the app answers `inject`. */
  readonly listen?: (app: FastifyInstance) => void
}
