// The relay's listener: HTTP and websockets on one port.
import type { FastifyInstance } from 'fastify'
import type { RelayConfig } from '../../../config/index.js'
import { clientKey } from '../../../lib/ip-network.js'
import { attachSockets, type Relay } from '../../../relay/index.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createWebPart } from '../web.js'

export interface RelayWebParts {
  readonly config: RelayConfig
  readonly app: FastifyInstance
  readonly relay: Relay
  readonly isBlocked: (address: string) => boolean
  readonly clock: SystemClock
  readonly log: SystemLog
  /** A listening socket handed over by systemd. */
  readonly fd?: number | undefined
}

/** Stopping answers pending events and closes all websockets before the listener closes. */
export function createRelayWeb({ config, app, relay, isBlocked, clock, log, fd }: RelayWebParts): Part {
  const { server, addressOf } = app
  const { compression, bind } = config
  const { limits } = config.relay
  const whom = { clientKey, addressOf, isBlocked }
  const sockets = attachSockets({ server, relay, path: '/', limits, compression, clock, log, ...whom })
  const web = createWebPart({ app, ...bind, fd, upgrades: true })
  return {
    ...web,
    async stop() {
      await sockets.stop()
      await web.stop()
    },
  }
}
