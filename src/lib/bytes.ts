// Byte strings: hex at the borders, checked reading inside. Runs in Node and in browsers.

/** What the engine or Node offers and this file uses: on long byte strings their compiled code is ten times as fast as a loop. */
interface NodeBytes {
  from(memory: ArrayBufferLike, start: number, length: number): { toString(encoding: 'hex'): string }
  compare(a: Uint8Array, b: Uint8Array): number
}

/** Absent in browsers. Bundlers put nothing in its place, because it is a member and not the global name. */
const nodeBytes: NodeBytes | undefined = Reflect.get(globalThis, 'Buffer')

/** `Uint8Array.prototype.toHex`, in engines since 2025. */
const engineHex: (() => string) | undefined = Reflect.get(Uint8Array.prototype, 'toHex')

/** The two digits of every byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexByTable(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += DIGITS[byte]
  return text
}

/** Lower-case hex. */
export const toHex: (bytes: Uint8Array) => string = nodeBytes
  ? (bytes) => nodeBytes.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
  : engineHex
    ? (bytes) => engineHex.call(bytes)
    : hexByTable

const LOWER_HEX = new Uint8Array(128)
for (const digit of '0123456789abcdef') LOWER_HEX[digit.charCodeAt(0)] = 1

/** Whether it is a text of so many lower-case hex digits. A regular expression takes three times as long, and strangers send hundreds of keys. */
export function isLowerHex(value: unknown, digits: number): value is string {
  if (typeof value !== 'string' || value.length !== digits) return false
  for (let at = 0; at < digits; at++) if (LOWER_HEX[value.charCodeAt(at)] !== 1) return false
  return true
}

/** The values of hex digits by character code, of either case; -1 for every other character. */
const DIGIT_VALUES = new Int8Array(128).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries())
  for (const form of [digit, digit.toUpperCase()]) DIGIT_VALUES[form.charCodeAt(0)] = value

const valueAt = (text: string, at: number): number => DIGIT_VALUES[text.charCodeAt(at)] ?? -1

/** The bytes of a text of hex digits of either case; undefined for anything else. */
function bytesOf(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  let seen = 0
  for (let i = 0; i < bytes.length; i++) {
    const value = (valueAt(text, 2 * i) << 4) | valueAt(text, 2 * i + 1)
    seen |= value
    bytes[i] = value
  }
  return seen < 0 ? undefined : bytes // one value below zero makes the disjunction of all negative
}

/** Bytes in hex of either case, at least one; undefined for anything else. */
export const bytesOfHex = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' && value !== '' ? bytesOf(value) : undefined

/** Reads hex of either case; with `length`, exactly that many bytes. Throws RangeError naming `what`. */
export function fromHex(text: string, length?: number, what = 'hex'): Uint8Array {
  const bytes = bytesOf(text)
  if (!bytes) throw new RangeError(`${what}: not hex`)
  if (length !== undefined && bytes.length !== length)
    throw new RangeError(`${what}: need ${length} bytes, have ${bytes.length}`)
  return bytes
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

/** Up to this length a loop is as fast as a call of compiled code: keys, commitments and hashes have 32 or 33 bytes. */
const SHORT = 48

/** Equality of public bytes (not constant time; secrets use `timingSafeEqual`). */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && compareBytes(a, b) === 0

/** Byte-wise order, as Grin sorts inputs and outputs: -1, 0 or 1. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  if (length > SHORT && nodeBytes) return nodeBytes.compare(a, b)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

/** Overwrites secrets that are no longer needed. Copies that the engine or a library made stay where they are. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const bytes of secrets) bytes.fill(0)
}

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The bytes of base64 text; white space in it is ignored. Throws for any other character. */
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
