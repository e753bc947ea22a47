// Websocket data frames from the server (RFC 6455, 5.2): one unmasked frame per message.

const TEXT_FRAME = 0x81
const LONGEST_SHORT = 125
const LONGEST_MIDDLE = 65_535

/** Header length for a payload of this length. */
export const headerLength = (length: number): number => {
  if (length <= LONGEST_SHORT) return 2
  return length <= LONGEST_MIDDLE ? 4 : 10
}

/** Bytes of the whole frame. */
export const frameLength = (length: number): number => headerLength(length) + length

/** Writes the header of a text frame at `at`; returns the start of the payload. */
export function writeHeader(target: Buffer, at: number, length: number): number {
  target[at] = TEXT_FRAME
  if (length <= LONGEST_SHORT) {
    target[at + 1] = length
    return at + 2
  }
  if (length <= LONGEST_MIDDLE) {
    target[at + 1] = 126
    target[at + 2] = length >>> 8
    target[at + 3] = length & 255
    return at + 4
  }
  target[at + 1] = 127
  target.writeUInt32BE(0, at + 2)
  return target.writeUInt32BE(length, at + 6)
}

const NOT_ASCII = /[\u0080-\uffff]/g

/**
 * The prefix of an event in a message to a subscription: `["EVENT","<id>",`. Non-ASCII characters are escaped, so that it has as many bytes as
 * characters.
 */
export const eventPrefix = (subscription: string): string =>
  `["EVENT",${JSON.stringify(subscription).replace(NOT_ASCII, escaped)},`

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Writes ASCII text; returns its end. Faster than `Buffer.write` for a few characters. */
export function writeAscii(target: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index)
  return at + text.length
}
