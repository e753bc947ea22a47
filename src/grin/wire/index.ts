import { concatBytes } from '../../lib/bytes.js'

/** Integers are big-endian, as everywhere in Grin. */
export type ByteReader = ReturnType<typeof createByteReader>

/** Reads untrusted bytes from front to back. Every method throws RangeError with the field's name if the input ends early. */
export function createByteReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  function take(length: number, what: string): number {
    if (length > bytes.length - at)
      throw new RangeError(`${what}: need ${length} bytes at ${at}, have ${bytes.length - at}`)
    at += length
    return at - length
  }

  return {
    u8: (what: string): number => view.getUint8(take(1, what)),
    u16: (what: string): number => view.getUint16(take(2, what)),
    u32: (what: string): number => view.getUint32(take(4, what)),
    u64: (what: string): bigint => view.getBigUint64(take(8, what)),
    /** A copy, so that later changes of the input do not affect it. */
    bytes: (length: number, what: string): Uint8Array => bytes.slice(take(length, what), at),
    /** All remaining bytes. */
    rest: (): Uint8Array => bytes.slice(take(bytes.length - at, 'rest')),
    left: (): number => bytes.length - at,
    /** Trailing bytes would let two encodings mean one value. */
    end(what: string): void {
      if (at !== bytes.length) throw new RangeError(`${what}: ${bytes.length - at} bytes left over`)
    },
  }
}

/** Every method returns the writer. */
export interface ByteWriter {
  u8(value: number): ByteWriter
  u16(value: number): ByteWriter
  u32(value: number): ByteWriter
  u64(value: bigint): ByteWriter
  /** Appends bytes; with `length`, exactly that many. */
  bytes(value: Uint8Array, length?: number, what?: string): ByteWriter
  done(): Uint8Array
}

const LIMITS = { 1: 0xff, 2: 0xffff, 4: 0xffffffff } as const

function unsigned(value: number, size: 1 | 2 | 4): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > LIMITS[size])
    throw new RangeError(`${value} does not fit ${size} bytes`)
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) & 0xff)
}

function unsigned64(value: bigint): Uint8Array {
  if (value < 0n || value > 2n ** 64n - 1n) throw new RangeError(`${value} does not fit 8 bytes`)
  const out = new Uint8Array(8)
  new DataView(out.buffer).setBigUint64(0, value)
  return out
}

/** Writes big-endian integers and byte strings. Throws RangeError for a value that does not fit, which is a bug of the caller. */
export function createByteWriter(): ByteWriter {
  const parts: Uint8Array[] = []
  const add = (part: Uint8Array): ByteWriter => {
    parts.push(part)
    return writer
  }
  const writer: ByteWriter = {
    u8: (value) => add(unsigned(value, 1)),
    u16: (value) => add(unsigned(value, 2)),
    u32: (value) => add(unsigned(value, 4)),
    u64: (value) => add(unsigned64(value)),
    bytes(value, length = value.length, what = 'bytes') {
      if (value.length !== length) throw new RangeError(`${what}: need ${length} bytes, have ${value.length}`)
      return add(value)
    },
    done: () => concatBytes(...parts),
  }
  return writer
}
