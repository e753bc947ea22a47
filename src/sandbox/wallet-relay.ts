// A customer's wallet at one relay: publishes, asks once, listens. Times are those of the wallet (specification: invoicing, 4.8).
import { WebSocket } from 'ws'
import { parseJson } from '../lib/parse-json.js'
import { isGenuine, type NostrEvent, parseEvent } from '../nostr/event/index.js'
import { relayRefused } from './errors.js'

const DIAL_MS = 6_000
const PUBLISH_MS = 40_000
const LOOK_UP_MS = 10_000

export interface WalletRelay {
  /** Resolves when the relay took it. Throws SANDBOX_RELAY_REFUSED. */
  publish(event: NostrEvent): Promise<void>
  /** The newest event that fits, when there is one within ten seconds. */
  newest(filter: object): Promise<NostrEvent | undefined>
  /** Hears every event that fits, stored or new, until the connection is closed. */
  listen(filter: object, hear: (event: NostrEvent) => void): void
  close(): void
}

type Message = readonly unknown[]

/** Throws SANDBOX_RELAY_REFUSED when no answer comes within six seconds. */
export async function dialRelay(url: string): Promise<WalletRelay> {
  const socket = new WebSocket(url, { handshakeTimeout: DIAL_MS, perMessageDeflate: false })
  const hearers = new Set<(message: Message) => void>()
  socket.on('message', (data) => {
    for (const hear of hearers) hear(messageOf(String(data)))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', (cause) => reject(relayRefused(url, cause.message)))
  })
  socket.on('error', () => socket.terminate())
  let subscriptions = 0
  const say = (...message: Message) => socket.send(JSON.stringify(message))

  /** Hands messages to `hear` until it answers something else than undefined, or the time is over. */
  function until<T>(ms: number, hear: (message: Message) => T | undefined): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (answer: T | undefined) => {
        hearers.delete(take)
        clearTimeout(timer)
        resolve(answer)
      }
      const take = (message: Message) => {
        const answer = hear(message)
        if (answer !== undefined) end(answer)
      }
      const timer = setTimeout(end, ms, undefined)
      hearers.add(take)
      socket.once('close', () => end(undefined))
    })
  }

  return {
    async publish(event) {
      const answer = until(PUBLISH_MS, ([verb, id, ok, text]) =>
        verb === 'OK' && id === event.id ? { ok: ok === true, text: String(text) } : undefined,
      )
      say('EVENT', event)
      const { ok, text } = (await answer) ?? { ok: false, text: 'no answer in 40 s' }
      if (!ok) throw relayRefused(url, text)
    },
    async newest(filter) {
      const id = `ask-${subscriptions++}`
      let found: NostrEvent | undefined
      const end = until(LOOK_UP_MS, ([verb, subscription, value]) => {
        if (subscription !== id) return undefined
        if (verb === 'EVENT') found ??= genuine(value)
        return verb === 'EOSE' || verb === 'CLOSED' ? true : undefined
      })
      say('REQ', id, { ...filter, limit: 1 })
      await end
      if (socket.readyState === WebSocket.OPEN) say('CLOSE', id)
      return found
    },
    listen(filter, hear) {
      const id = `listen-${subscriptions++}`
      hearers.add(([verb, subscription, value]) => {
        const event = verb === 'EVENT' && subscription === id ? genuine(value) : undefined
        if (event) hear(event)
      })
      say('REQ', id, filter)
    },
    close: () => socket.terminate(),
  }
}

function genuine(value: unknown): NostrEvent | undefined {
  const event = parseEvent(value)
  return event && isGenuine(event) ? event : undefined
}

function messageOf(text: string): Message {
  const value = parseJson(text)
  return Array.isArray(value) ? value : []
}
