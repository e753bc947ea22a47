// A client connection to a relay for reconciliation: one question at a time, each with a time limit.
import { bytesOfHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { plainText } from '../../lib/plain-text.js'
import { type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import { type OpenSocket, openDialogue, type RelayTuple } from '../../nostr/relays/index.js'
import { relayUnreachable, syncFailed } from '../errors.js'
import type { Clock } from '../ports.js'

export interface PeerParts {
  /** `ws://` or `wss://`. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Clock
  /** Time limit of the connection, and of every answer. */
  readonly timeoutMs: number
}

interface Published {
  readonly accepted: boolean
  /** The text of the OK. */
  readonly text: string
}

/** Every method rejects with RELAY_SYNC_FAILED when the relay refuses, is silent, or disconnects. */
export interface Peer {
  readonly url: string
  /** The first message opens the reconciliation with this filter. */
  reconcile(message: Uint8Array, filter: object): Promise<Uint8Array>
  /** Ends the reconciliation. */
  endReconciling(): void
  /** Reads these events, as far as the relay shows them, once each. */
  read(ids: readonly string[]): Promise<readonly NostrEvent[]>
  publish(event: NostrEvent): Promise<Published>
  close(): void
}

/** strfry sends reconciliation messages of up to a megabyte. */
const MAX_FRAME_BYTES = 4_194_304
const MAX_TEXT = 256
const [RECONCILING, READING] = ['grinpay-sync', 'grinpay-read']

/** Rejects with RELAY_UNREACHABLE. */
export async function openPeer(parts: PeerParts): Promise<Peer> {
  const { url, timeoutMs } = parts
  const dialogue = await openDialogue({ ...parts, maxFrameBytes: MAX_FRAME_BYTES }).catch((error: unknown) => {
    throw relayUnreachable(url, messageOf(error))
  })

  const ask = <T>(message: RelayTuple, read: (answer: RelayTuple) => T | undefined): Promise<T> =>
    dialogue.ask(message, read, timeoutMs).catch((error: unknown) => {
      throw syncFailed(url, messageOf(error))
    })

  let isReconciling = false

  return {
    url,
    async reconcile(message, filter) {
      const hex = Buffer.from(message).toString('hex')
      const asked = isReconciling ? ['NEG-MSG', RECONCILING, hex] : ['NEG-OPEN', RECONCILING, filter, hex]
      isReconciling = true
      const answer = await ask(asked, reconcilingAnswer)
      if (answer instanceof Uint8Array) return answer
      throw syncFailed(url, `it does not reconcile: ${answer}`)
    },
    endReconciling: () => dialogue.send(['NEG-CLOSE', RECONCILING]),
    async read(ids) {
      const events = new Map<string, NostrEvent>()
      const refusal = await ask(['REQ', READING, { ids }], (answer) => parsePluginAnswer(answer, new Set(ids), events))
      if (refusal !== '') throw syncFailed(url, `it does not show its events: ${refusal}`)
      dialogue.send(['CLOSE', READING])
      return [...events.values()]
    },
    publish: (event) => ask(['EVENT', event], (answer) => published(answer, event.id)),
    close: dialogue.close,
  }
}

/** The message, or the reason for its absence. A relay without NIP-77 answers with a NOTICE. */
function reconcilingAnswer([verb, id, value]: RelayTuple): Uint8Array | string | undefined {
  if (verb === 'NOTICE') return plain(id)
  if (id !== RECONCILING) return undefined
  if (verb === 'NEG-MSG') return bytesOfHex(value) ?? 'no hex'
  return verb === 'NEG-ERR' || verb === 'CLOSED' ? plain(value) : undefined
}

/** Collects events. Returns '' at EOSE, or the reason of a CLOSED. */
function parsePluginAnswer([verb, sub, value]: RelayTuple, ids: ReadonlySet<string>, events: Map<string, NostrEvent>) {
  if (sub !== READING) return undefined
  if (verb === 'EOSE') return ''
  if (verb === 'CLOSED') return plain(value) || 'closed'
  const event = verb === 'EVENT' ? parseEvent(value) : undefined
  if (event && ids.has(event.id)) events.set(event.id, event)
  return undefined
}

const published = ([verb, id, accepted, text]: RelayTuple, expected: string): Published | undefined =>
  verb === 'OK' && id === expected ? { accepted: accepted === true, text: plain(text) } : undefined

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, MAX_TEXT)) : '')
