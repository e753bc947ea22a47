// Reading an answer of unknown length.

export interface BoundedBytes {
  readonly bytes: Uint8Array
  /** More came than was wanted; the rest was not read. */
  readonly cut: boolean
}

/** Reads at most `most` bytes of a stream, then ends it. */
export async function takeBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<BoundedBytes> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), cut: true }
  }
  return { bytes: Buffer.concat(chunks), cut: false }
}
