// Another relay as `relay sync` and `relay import` see it: one question at a time, each with a time limit. With a key it proves that key (NIP-42),
// after the challenge at the connection or after an `auth-required:` refusal.
import { bytesOfHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import { plainText } from '../../lib/plain-text.js'
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import { asksForAuth, authEvent, createWaiters, type OpenSocket, openRelayClient } from '../../nostr/relays/index.js'
import { relayUnreachable, syncFailed } from '../errors.js'

/** A key, and the address that the AUTH event names. */
export interface PeerKey {
  readonly secret: Secret<Uint8Array>
  readonly relay: string
  readonly random: RandomBytes
}

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
/** Longest wait for a challenge at the connection, in milliseconds. */
const FIRST_CHALLENGE_MS = 1000
/** Of strfry and this program, and of NIP-77. */
const TOO_MANY = /^blocked: (?:too many query results|.*too big)/
const [RECONCILING, READING] = ['grinpay-sync', 'grinpay-read']

/** Rejects with RELAY_UNREACHABLE, RELAY_SYNC_FAILED. */
export async function openPeer({ url, openSocket, clock, key, timeoutMs }: PeerParts): Promise<Peer> {
  const answers = createWaiters(clock)
  let answerReconciling: ((answer: Uint8Array | string) => void) | undefined
  let ended: string | undefined
  let keyRefusal: string | undefined

  const client = await openRelayClient({
    ...{ url, openSocket, clock, timeoutMs, maxFrameBytes: MAX_FRAME_BYTES, isPaced: false, eager: true },
    // A relay that the operator names may take its time: each answer has its limit, and nobody sends more than the events under way.
    ...{ maxBufferedBytes: Number.POSITIVE_INFINITY, missedMost: Number.POSITIVE_INFINITY },
    sign: key && ((challenge) => authEvent({ ...key, challenge, now: clock.now() })),
    onAuth: (state, text) => {
      if (state === 'refused') keyRefusal = `it refuses the key: ${text || 'no reason'}`
    },
    // A relay without NIP-77 answers with a NOTICE.
    onNotice: (text) => answerReconciling?.(text),
    onOther: ([verb, id, value]) => {
      if (id !== RECONCILING) return
      if (verb === 'NEG-MSG') answerReconciling?.(bytesOfHex(value) ?? 'no hex')
      if (verb === 'NEG-ERR' || verb === 'CLOSED') answerReconciling?.(plain(value))
    },
    onClosed: (reason) => {
      ended = reason
      answers.wake()
    },
  }).catch((error: unknown) => {
    throw relayUnreachable(url, messageOf(error))
  })

  const failure = (reason: string): Error => syncFailed(url, keyRefusal ?? reason)

  /** Resolves with the value that `ask` answers. */
  async function answered<T>(ask: (answer: (value: T) => void) => void): Promise<T> {
    let value: T | undefined
    ask((given) => {
      value ??= given // what came first: later frames of one read may follow before anybody looks
      answers.wake()
    })
    await answers.until(() => value !== undefined || ended !== undefined, timeoutMs)
    if (value === undefined) throw failure(ended ?? `no answer within ${Math.round(timeoutMs / 1000)} s`)
    return value
  }

  /** Proves the key to a relay that sends a challenge within this time; false: it sends none. */
  async function prove(challengeMs: number): Promise<boolean> {
    let state = await client.authenticate(challengeMs)
    if (state === 'answering') state = await client.authenticate(timeoutMs)
    if (state === 'none' && ended === undefined) return false
    if (state !== 'done') throw failure(ended ?? 'it does not answer to the authentication')
    return true
  }

  /** Asks again once when a refusal (a text) requires authentication. */
  async function askAuthenticated<T>(ask: () => Promise<T | string>): Promise<T | string> {
    const answer = await ask()
    if (!key || typeof answer !== 'string' || !asksForAuth(answer)) return answer
    if (!(await prove(timeoutMs))) throw failure('it requires authentication and sends no challenge')
    return ask()
  }

  /** Says what to do about a refusal that a key could avoid. */
  const withHint = (refusal: string): string =>
    asksForAuth(refusal) && !key ? `${refusal} (name a key with --key-file)` : refusal

  let isReconciling = false

  client.start()
  if (key)
    await prove(Math.min(FIRST_CHALLENGE_MS, timeoutMs)).catch((error: unknown) => {
      client.close('closing')
      throw error
    })

  return {
    url,
    async reconcile(message, filter) {
      const hex = Buffer.from(message).toString('hex')
      const asked = isReconciling ? ['NEG-MSG', RECONCILING, hex] : ['NEG-OPEN', RECONCILING, filter, hex]
      isReconciling = true
      const answer = await askAuthenticated(() =>
        answered<Uint8Array | string>((answer) => {
          answerReconciling = answer
          client.send(asked)
        }),
      )
      answerReconciling = undefined
      if (typeof answer !== 'string') return answer
      if (TOO_MANY.test(answer)) return 'too many'
      throw failure(`it does not reconcile: ${withHint(answer)}`)
    },
    endReconciling() {
      isReconciling = false
      client.send(['NEG-CLOSE', RECONCILING])
    },
    async read(ids) {
      const wanted = new Set(ids)
      const events = new Map<string, NostrEvent>()
      const answer = await askAuthenticated(() =>
        answered<string>((answer) =>
          client.subs.open(READING, [{ ids }], {
            event(value) {
              const event = parseEvent(value)
              if (event && wanted.has(event.id)) events.set(event.id, event)
              return true
            },
            eose: () => answer(''),
            closed: (text) => answer(text || 'closed'),
          }),
        ),
      )
      if (answer !== '') throw failure(`it does not show its events: ${withHint(answer)}`)
      client.subs.close(READING)
      return [...events.values()]
    },
    async publish(event) {
      const { accepted, message, isUnanswered } = await client.publish(event, timeoutMs)
      if (isUnanswered) throw failure(message)
      return { accepted, text: message }
    },
    close: () => client.close('closing'),
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, MAX_TEXT)) : '')
