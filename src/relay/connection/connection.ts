// The two sides of a client connection. Only `sockets/client-socket.ts` knows that websockets carry it.

import { isAscii, isUtf8 } from 'node:buffer'
import { parseJson } from '../../lib/parse-json.js'

export interface ClientConnection {
  /** The client's address, from a trusted proxy where there is one. */
  readonly address: string
  /** Sends whole frames, whose bytes must not change while `pendingBytes` is not 0. False: send no more until `drained`. */
  write(frames: Buffer): boolean
  /** Bytes that the operating system has not taken yet. */
  pendingBytes(): number
  /** Stops reading. Messages read before may still arrive. */
  pause(): void
  resume(): void
  /** Closes with a closing handshake; `code` is one of RFC 6455, 7.4. */
  end(code: number, reason: string): void
  /** Disconnects without a closing handshake. */
  drop(reason: string): void
}

/** A client session, as its connection sees it. */
export interface ConnectionListener {
  /** Receives one message within the size limit. The bytes are not retained. */
  take(data: Buffer, isBinary: boolean): void
  /** The connection accepts output again. */
  drained(): void
  /** The connection is closed. */
  disconnected(): void
}

// Parses client messages: untrusted bytes become a list that begins with a verb, or the text of a NOTICE (of an OK where they name an
// event). Invalid messages do not end the connection.

export type ClientMessage = readonly [verb: string, ...rest: unknown[]]

/** A message that is not understood. */
export interface UnreadableMessage {
  /** The text of the answer: an OK if `eventId` is present, else a NOTICE. */
  readonly why: string
  readonly eventId?: string
}

/** The frame limit bounds the length. Nesting is harmless, because the JSON parser does not recurse. */
export function parseClientMessage(data: Buffer, isBinary: boolean): ClientMessage | UnreadableMessage {
  if (isBinary) return { why: 'invalid: binary messages are not accepted' }
  const text = textOf(data)
  if (text === undefined) return { why: 'invalid: message is not UTF-8' }
  const value = parseJson(text)
  if (value === undefined) return brokenMessage(text)
  if (!Array.isArray(value)) return { why: NO_LIST }
  return beginsWithText(value) ? value : { why: 'invalid: message does not begin with a command' }
}

const NO_LIST = 'invalid: message is not a JSON list'
const EVENT_HEAD = /^\s*\[\s*"EVENT"/
/** Quotes inside JSON texts are escaped, so this is a member of the event. */
const EVENT_ID = /"id"\s*:\s*"([0-9a-f]{64})"/

/** The sender of an EVENT waits for an OK, also when the event is not valid JSON: raw control characters are a common cause. */
function brokenMessage(text: string): UnreadableMessage {
  const eventId = EVENT_HEAD.test(text) ? EVENT_ID.exec(text)?.[1] : undefined
  if (eventId === undefined) return { why: NO_LIST }
  return { why: 'invalid: not valid JSON (control characters in texts must be escaped)', eventId }
}

const beginsWithText = (value: readonly unknown[]): value is ClientMessage => typeof value[0] === 'string'

/** Most messages are ASCII, which decodes several times faster. */
function textOf(data: Buffer): string | undefined {
  if (isAscii(data)) return data.toString('latin1')
  return isUtf8(data) ? data.toString('utf8') : undefined
}

/** True for a subscription id: 1 to `most` characters of whatever kind. */
export function isSubscriptionId(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most)
}
