// Byte strings: hex at the borders, checked reading inside.

const HEX = /^(?:[0-9a-fA-F]{2})*$/

/** Lower-case hex. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

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

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
