// Parses client messages: untrusted bytes become a list that begins with a verb, or the text of a NOTICE. Invalid messages do not end the
// connection.
import { isAscii, isUtf8 } from 'node:buffer'
import { parseJson } from '../../lib/parse-json.js'

export type ClientMessage = readonly [verb: string, ...rest: unknown[]]

/** The frame limit bounds the length. Nesting is harmless, because the JSON parser does not recurse. */
export function parseClientMessage(data: Buffer, isBinary: boolean): ClientMessage | string {
  if (isBinary) return 'invalid: binary messages are not accepted'
  const text = textOf(data)
  if (text === undefined) return 'invalid: message is not UTF-8'
  const value = parseJson(text)
  if (!Array.isArray(value)) return 'invalid: message is not a JSON list'
  return beginsWithText(value) ? value : 'invalid: message does not begin with a command'
}

const beginsWithText = (value: readonly unknown[]): value is ClientMessage => typeof value[0] === 'string'

/** Most messages are ASCII, which decodes several times faster. */
function textOf(data: Buffer): string | undefined {
  if (isAscii(data)) return data.toString('latin1')
  return isUtf8(data) ? data.toString('utf8') : undefined
}

/** True for a subscription id: 1 to `most` characters of any kind. */
export function isSubscriptionId(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most)
}
