// A client connection to a relay for reconciliation: one question at a time, each with a time limit.
import { bytesOfHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { plainText } from '../../lib/plain-text.js'
import { type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import { type OpenSocket, openDialogue, type RelayTuple } from '../../nostr/relays/index.js'
import { relayUnreachable, syncFailed } from '../errors.js'
import type { Clock } from '../ports.js'
import { createPeerAuth, type PeerKey, requestsAuth } from './peer-auth.js'

export interface PeerParts {
  /** `ws://` or `wss://`. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Clock
  /** Proved to the relay when it asks for authentication (NIP-42). */
  readonly key?: PeerKey | undefined
  /** Time limit of the connection, and of every answer. */
  readonly timeoutMs: number
}

interface Published {
  readonly accepted: boolean
  /** The text of the OK. */
  readonly text: string
}

/** Every method rejects with RELAY_SYNC_FAILED when the relay refuses, is silent, disconnects, or refuses the key. */
export interface Peer {
  readonly url: string
  /** The first message opens the reconciliation with this filter. 'too many': the relay refuses a set of this size, and the reconciliation is over. */
  reconcile(message: Uint8Array, filter: object): Promise<Uint8Array | 'too many'>
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
/** Of strfry and this program, and of NIP-77. */
const TOO_MANY = /^blocked: (?:too many query results|.*too big)/
const [RECONCILING, READING] = ['grinpay-sync', 'grinpay-read']

/** Rejects with RELAY_UNREACHABLE, RELAY_SYNC_FAILED. */
export async function openPeer(parts: PeerParts): Promise<Peer> {
  const { url, timeoutMs, key } = parts
  const listener = ([verb, challenge]: RelayTuple): void => {
    if (verb === 'AUTH') auth.challenged(challenge)
  }
  const prove = async (event: NostrEvent): Promise<string> => {
    const { accepted, text } = await ask(['AUTH', event], (answer) => published(answer, event.id))
    return accepted ? '' : text || 'no reason'
  }
  const failure = (reason: string): Error => syncFailed(url, reason)
  const auth = createPeerAuth({ ...parts, key, send: prove, failure })
  const dialogue = await openDialogue({ ...parts, listener, maxFrameBytes: MAX_FRAME_BYTES }).catch(
    (error: unknown) => {
      throw relayUnreachable(url, messageOf(error))
    },
  )

  const ask = <T>(message: RelayTuple, read: (answer: RelayTuple) => T | undefined): Promise<T> =>
    dialogue.ask(message, read, timeoutMs).catch((error: unknown) => {
      throw syncFailed(url, messageOf(error))
    })

  /** Says what to do about a refusal that a key could avoid. */
  const withHint = (refusal: string): string =>
    requestsAuth(refusal) && !key ? `${refusal} (name a key with --key-file)` : refusal

  let isReconciling = false

  await auth.begin().catch((error: unknown) => {
    dialogue.close()
    throw error
  })

  return {
    url,
    async reconcile(message, filter) {
      const hex = Buffer.from(message).toString('hex')
      const asked = isReconciling ? ['NEG-MSG', RECONCILING, hex] : ['NEG-OPEN', RECONCILING, filter, hex]
      isReconciling = true
      const answer = await auth.retrying(
        () => ask(asked, reconcilingAnswer),
        (reply) => (typeof reply === 'string' ? reply : ''),
      )
      if (answer instanceof Uint8Array) return answer
      if (TOO_MANY.test(answer)) return 'too many'
      throw syncFailed(url, `it does not reconcile: ${withHint(answer)}`)
    },
    endReconciling() {
      isReconciling = false
      dialogue.send(['NEG-CLOSE', RECONCILING])
    },
    async read(ids) {
      const events = new Map<string, NostrEvent>()
      const wanted = new Set(ids)
      const refusal = await auth.retrying(
        () => ask(['REQ', READING, { ids }], (answer) => parseReadAnswer(answer, wanted, events)),
        (text) => text,
      )
      if (refusal !== '') throw syncFailed(url, `it does not show its events: ${withHint(refusal)}`)
      dialogue.send(['CLOSE', READING])
      return [...events.values()]
    },
    publish: (event) =>
      auth.retrying(
        () => ask(['EVENT', event], (answer) => published(answer, event.id)),
        ({ accepted, text }) => (accepted ? '' : text),
      ),
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
function parseReadAnswer([verb, sub, value]: RelayTuple, ids: ReadonlySet<string>, events: Map<string, NostrEvent>) {
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
