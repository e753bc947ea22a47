// Byte strings: hex at the borders, checked reading inside.

const HEX = /^(?:[0-9a-fA-F]{2})*$/

/** Lower-case hex. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

const LOWER_HEX = new Uint8Array(128)
for (const digit of '0123456789abcdef') LOWER_HEX[digit.charCodeAt(0)] = 1

/** Whether it is a text of so many lower-case hex digits. A regular expression takes three times as long, and strangers send hundreds of keys. */
export function isLowerHex(value: unknown, digits: number): value is string {
  if (typeof value !== 'string' || value.length !== digits) return false
  for (let at = 0; at < digits; at++) if (LOWER_HEX[value.charCodeAt(at)] !== 1) return false
  return true
}

/** Bytes in hex of either case, at least one; undefined for anything else. */
export const bytesOfHex = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' && value !== '' && HEX.test(value) ? Buffer.from(value, 'hex') : undefined

/** Reads hex of either case; with `length`, exactly that many bytes. Throws RangeError naming `what`. */
export function fromHex(text: string, length?: number, what = 'hex'): Uint8Array {
  if (!HEX.test(text)) throw new RangeError(`${what}: not hex`)
  if (length !== undefined && text.length !== length * 2)
    throw new RangeError(`${what}: need ${length} bytes, have ${text.length / 2}`)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/** Joins byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Equality of public bytes (not constant time; secrets use `timingSafeEqual`). */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Byte-wise order, as Grin sorts inputs and outputs. */
export const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

/** Overwrites secrets that are no longer needed. Copies that the engine or a library made stay where they are. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const bytes of secrets) bytes.fill(0)
}

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
