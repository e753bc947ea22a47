// Messages in words that nothing depends on: why a payment was refused. Best effort, nothing is kept.
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { envelopeVersionFor, wrapMessage } from '../../nostr/gift-wrap/index.js'
import { createDispatcher } from '../dispatcher.js'
import { textMessage } from './outgoing.js'
import type { Relays } from './ports.js'
import { post } from './posting.js'
import { type RelayLists, targetsOf } from './relay-lists.js'

const PARALLEL = 4
/** More waiting than this are dropped: strangers cause them. */
const MAX_WAITING = 100

export interface Text {
  /** 64 hex: the key that was written to. */
  readonly from: string
  readonly to: string
  readonly text: string
}

export interface TextsParts {
  readonly relays: Pick<Relays, 'publish'>
  readonly relayLists: Pick<RelayLists, 'find'>
  readonly urls: readonly string[]
  readonly findSecret: (pubkey: string) => Promise<Secret<Uint8Array> | undefined>
  readonly clock: Pick<Clock, 'now'>
  readonly random: RandomBytes
  readonly log: Pick<Log, 'warn'>
}

export interface Texts {
  /** Sends it soon, once, or not at all. */
  sendText(text: Text): void
  close(): void
}

export function createTexts(parts: TextsParts): Texts {
  const waiting: Text[] = []
  let closed = false

  async function send(text: Text): Promise<void> {
    const sender = await parts.findSecret(text.from)
    if (!sender) return
    const list = await parts.relayLists.find(text.to)
    const [version, now] = [envelopeVersionFor(list), parts.clock.now()]
    const { wrap } = wrapMessage({
      ...textMessage(text),
      sender,
      receiver: text.to,
      version,
      now,
      random: parts.random,
    })
    await post(parts.relays, wrap, targetsOf(list, parts.urls)).first
  }

  const dispatch = createDispatcher<Text>({
    width: PARALLEL,
    due: async (limit) => waiting.splice(0, limit),
    run: (text) =>
      send(text).catch((cause: unknown) => parts.log.warn({ cause: messageOf(cause) }, 'message not sent')),
  })

  return {
    sendText(text) {
      if (closed || waiting.length >= MAX_WAITING) return
      waiting.push(text)
      dispatch().catch((cause: unknown) => parts.log.warn({ cause: messageOf(cause) }, 'messages not sent'))
    },
    close() {
      closed = true
      waiting.length = 0
    },
  }
}
