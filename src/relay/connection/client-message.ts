// Messages from the wire: bytes of strangers become a list that begins with a word, or the text of a NOTICE. The connection stays in any case.
import { isAscii, isUtf8 } from 'node:buffer'
import { parseJson } from '../../lib/parse-json.js'

export type ClientMessage = readonly [verb: string, ...rest: unknown[]]

/** The frame limit bounds its length; nesting costs nothing, because the reader of JSON does not recurse. */
export function parseClientMessage(data: Buffer, isBinary: boolean): ClientMessage | string {
  if (isBinary) return 'invalid: binary messages are not accepted'
  const text = textOf(data)
  if (text === undefined) return 'invalid: message is not UTF-8'
  const value = parseJson(text)
  if (!Array.isArray(value)) return 'invalid: message is not a JSON list'
  return beginsWithText(value) ? value : 'invalid: message does not begin with a command'
}

const beginsWithText = (value: readonly unknown[]): value is ClientMessage => typeof value[0] === 'string'

/** Most messages are ASCII, which is copied several times as fast. */
function textOf(data: Buffer): string | undefined {
  if (isAscii(data)) return data.toString('latin1')
  return isUtf8(data) ? data.toString('utf8') : undefined
}

/** A subscription's name: 1 to `most` characters of any kind. */
export function isSubscriptionId(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0) return false
  return value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most)
}
