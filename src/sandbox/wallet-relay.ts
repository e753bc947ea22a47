// A customer's wallet at one relay: publishes, asks once, listens. Times are those of the wallet (specification: invoicing, 4.8).

import { messageOf } from '../lib/errors.js'
import { foreignText } from '../lib/plain-text.js'
import { isGenuine, type NostrEvent, parseEvent } from '../nostr/event/index.js'
import { openDialogue, type RelayTuple } from '../nostr/relays/index.js'
import { createOpenWebSocket, type SystemClock } from '../system/index.js'
import { relayRefused } from './errors.js'

const DIAL_MS = 6_000
const PUBLISH_MS = 40_000
const LOOK_UP_MS = 10_000
const MAX_FRAME_BYTES = 4_194_304

export interface WalletRelay {
  /** Resolves when the relay took it. Throws SANDBOX_RELAY_REFUSED. */
  publish(event: NostrEvent): Promise<void>
  /** The newest event that fits, when there is one within ten seconds. */
  newest(filter: object): Promise<NostrEvent | undefined>
  /** Passes on every matching event, stored or new, until the connection is closed. */
  listen(filter: object, hear: (event: NostrEvent) => void): void
  close(): void
}

/** Throws SANDBOX_RELAY_REFUSED when no connection stands within six seconds. */
export async function dialRelay(url: string, clock: SystemClock): Promise<WalletRelay> {
  const bounds = { timeoutMs: DIAL_MS, maxFrameBytes: MAX_FRAME_BYTES }
  const refused = (error: unknown): never => {
    throw relayRefused(url, messageOf(error))
  }
  const dialogue = await openDialogue({ url, openSocket: createOpenWebSocket(), clock, ...bounds }).catch(refused)
  let subscriptions = 0

  return {
    async publish(event) {
      const { ok, text } = await dialogue
        .ask(
          ['EVENT', event],
          ([verb, id, accepted, why]) =>
            verb === 'OK' && id === event.id ? { ok: accepted === true, text: foreignText(why) } : undefined,
          PUBLISH_MS,
        )
        .catch(refused)
      if (!ok) throw relayRefused(url, text)
    },
    async newest(filter) {
      const id = `ask-${subscriptions++}`
      let found: NostrEvent | undefined
      const isEnd = ([verb, subscription, value]: RelayTuple): true | undefined => {
        if (subscription !== id) return undefined
        if (verb === 'EVENT') found ??= genuine(value)
        return verb === 'EOSE' || verb === 'CLOSED' ? true : undefined
      }
      // Without an answer in time, what came so far counts.
      await dialogue.ask(['REQ', id, { ...filter, limit: 1 }], isEnd, LOOK_UP_MS).catch(() => undefined)
      dialogue.send(['CLOSE', id])
      return found
    },
    listen(filter, hear) {
      const id = `listen-${subscriptions++}`
      dialogue.listen(([verb, subscription, value]) => {
        const event = verb === 'EVENT' && subscription === id ? genuine(value) : undefined
        if (event) hear(event)
      })
      dialogue.send(['REQ', id, filter])
    },
    close: dialogue.close,
  }
}

function genuine(value: unknown): NostrEvent | undefined {
  const event = parseEvent(value)
  return event && isGenuine(event) ? event : undefined
}
