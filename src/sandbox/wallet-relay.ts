// A customer's wallet at one relay: publishes, asks once, listens. Times are those of the wallet (specification: invoicing, 4.8).

import { messageOf } from '../lib/errors.js'
import { isGenuine, type NostrEvent, parseEvent } from '../nostr/event/index.js'
import { openRelayClient, type RequestFilter } from '../nostr/relays/index.js'
import { createOpenWebSocket, type SystemClock } from '../system/index.js'
import { relayRefused } from './errors.js'

const DIAL_MS = 6_000
const PUBLISH_MS = 40_000
const LOOK_UP_MS = 10_000

export interface WalletRelay {
  /** Resolves when the relay took it. Throws SANDBOX_RELAY_REFUSED. */
  publish(event: NostrEvent): Promise<void>
  /** The newest event that fits, when there is one within ten seconds. */
  newest(filter: RequestFilter): Promise<NostrEvent | undefined>
  /** Passes on every matching event, stored or new, until the connection is closed. */
  listen(filter: RequestFilter, hear: (event: NostrEvent) => void): void
  close(): void
}

/** Throws SANDBOX_RELAY_REFUSED when no connection stands within six seconds. */
export async function dialRelay(url: string, clock: SystemClock): Promise<WalletRelay> {
  const parts = { url, openSocket: createOpenWebSocket(), clock, timeoutMs: DIAL_MS }
  const client = await openRelayClient(parts).catch((error: unknown) => {
    throw relayRefused(url, messageOf(error))
  })
  client.start()

  let listeners = 0

  return {
    async publish(event) {
      const { accepted, message } = await client.publish(event, PUBLISH_MS)
      if (!accepted) throw relayRefused(url, message)
    },
    newest: async (filter) => (await client.ask({ ...filter, limit: 1 }, LOOK_UP_MS))[0],
    listen(filter, hear) {
      const nothing = () => undefined
      client.subs.open(`listen-${listeners++}`, [filter], {
        event(value) {
          const event = parseEvent(value)
          if (event && isGenuine(event)) hear(event)
          return true
        },
        eose: nothing,
        closed: nothing,
      })
    },
    close: () => client.close('closing'),
  }
}
