// Untrusted bytes that arrive in pieces of all sizes, read front to back without being kept.

export interface ByteSource {
  /** Exactly this many bytes; meant for small pieces. Throws RangeError when the input ends before. */
  take(length: number): Promise<Uint8Array>
  /** The next `length` bytes in pieces; to be read to the end. Throws RangeError when the input ends before. */
  pieces(length: number): AsyncGenerator<Uint8Array>
  /** Throws RangeError when anything is left. */
  end(): Promise<void>
}

export function createByteSource(input: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = input[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()

  /** At most `most` bytes, at least one; none: the input ended. */
  async function some(most: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { done, value } = await iterator.next()
      if (done) return rest
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  async function* pieces(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      const piece = await some(left)
      if (piece.length === 0) throw new RangeError('it ends early')
      left -= piece.length
      yield piece
    }
  }

  return {
    pieces,
    async take(length) {
      const all: Uint8Array[] = []
      for await (const piece of pieces(length)) all.push(piece)
      return Buffer.concat(all)
    },
    async end() {
      if ((await some(1)).length > 0) throw new RangeError('something follows its end')
    },
  }
}
