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
