// The encoding of negentropy protocol V1 (NIP-77): numbers, bounds, modes. A message is a version and a list of ranges; each range begins at the
// previous bound, or at the start, and ends at its own bound. Our own: a relay reconciles many large sets at once, so a set takes 42 bytes
// an entry and its work runs in slices between other requests.

/** Version 1. */
export const VERSION = 0x61
export const ID_BYTES = 32
export const FINGERPRINT_BYTES = 16
/** The mode of a range. */
export const MODE = { skip: 0, fingerprint: 1, ids: 2 } as const

/** The exclusive end of a range: everything before this time, and within this second the ids before `prefix` (0 to 32 bytes, then zeros). */
export interface Bound {
  /** Epoch seconds, or infinity. */
  readonly time: number
  readonly prefix: Uint8Array
}

const NO_PREFIX = new Uint8Array()
export const START: Bound = { time: 0, prefix: NO_PREFIX }
export const END: Bound = { time: Number.POSITIVE_INFINITY, prefix: NO_PREFIX }

/** The message violates the protocol. */
export class BadMessage extends RangeError {}

/** Seven digits reach 2^49, beyond every time and length. */
const MOST_DIGITS = 7
const MOST_TIME = 2 ** 49

/** Reads one message front to back. Throws BadMessage for truncated or invalid input. */
export function createMessageReader(message: Uint8Array) {
  let at = 0
  let lastTime = 0
  let lastBound = START

  function byte(): number {
    const value = message[at]
    if (value === undefined) throw new BadMessage('the message ends early')
    at++
    return value
  }

  function bytes(length: number): Uint8Array {
    if (length > message.length - at) throw new BadMessage('the message ends early')
    at += length
    return message.subarray(at - length, at)
  }

  function number(): number {
    let value = 0
    for (let digits = 0; digits < MOST_DIGITS; digits++) {
      const digit = byte()
      value = value * 128 + (digit & 127)
      if (digit < 128) return value
    }
    throw new BadMessage('a number is too long')
  }

  function time(): number {
    const offset = number()
    lastTime = offset === 0 ? Number.POSITIVE_INFINITY : lastTime + offset - 1
    if (lastTime > MOST_TIME && lastTime !== Number.POSITIVE_INFINITY) throw new BadMessage('a time is too late')
    return lastTime
  }

  function bound(): Bound {
    const next = { time: time(), prefix: bytes(prefixLength()) }
    if (compareBounds(next, lastBound) < 0) throw new BadMessage('the ranges are not in order')
    lastBound = next
    return next
  }

  function prefixLength(): number {
    const length = number()
    if (length > ID_BYTES) throw new BadMessage('the end of a range is too long')
    return length
  }

  return {
    isAtEnd: (): boolean => at === message.length,
    byte,
    number,
    bound,
    fingerprint: (): Uint8Array => bytes(FINGERPRINT_BYTES),
    /** Ids one after the other. */
    ids: (): Uint8Array => bytes(number() * ID_BYTES),
  }
}

export type MessageReader = ReturnType<typeof createMessageReader>

/** Negative when a comes first. A prefix goes on with zeros. */
export function compareBounds(a: Bound, b: Bound): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1
  const length = Math.max(a.prefix.length, b.prefix.length)
  for (let i = 0; i < length; i++) {
    const difference = (a.prefix[i] ?? 0) - (b.prefix[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Base 128, the highest digit first, as few digits as possible. */
export function varint(value: number): number[] {
  const digits = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128)
  return digits
}

/** Writes one message. */
export function createMessageWriter() {
  const parts: Uint8Array[] = [Uint8Array.of(VERSION)]
  let size = 1
  let lastTime = 0

  function put(bytes: Uint8Array): void {
    parts.push(bytes)
    size += bytes.length
  }

  return {
    size: (): number => size,
    bytes: (): Buffer => Buffer.concat(parts, size),

    /** The range that ends there, in its mode; the payload follows. */
    range({ time, prefix }: Bound, mode: number): void {
      const offset = time === Number.POSITIVE_INFINITY ? 0 : time - lastTime + 1
      lastTime = time
      put(Uint8Array.from([...varint(offset), ...varint(prefix.length), ...prefix, mode]))
    },
    put,
    /** Ids one after the other. */
    ids(ids: Uint8Array): void {
      put(Uint8Array.from(varint(ids.length / ID_BYTES)))
      put(ids)
    },
  }
}

export type MessageWriter = ReturnType<typeof createMessageWriter>
