// Reads a file of JSON lines as a stream.
export interface Line {
  /** From 1 on. */
  readonly number: number
  /** Without the line break; undefined: longer than allowed. */
  readonly bytes: Buffer | undefined
}

const LINE_BREAK = 0x0a
const CARRIAGE_RETURN = 0x0d
const MARK = Buffer.from('\ufeff')
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t'))

/** Skips blank lines but counts them, and a byte order mark at the start. Holds at most `longest` bytes of a line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let size = 0

  function add(part: Buffer): void {
    size += part.length
    if (size <= longest) parts.push(part)
    else parts = []
  }

  function line(): Line | undefined {
    number++
    const isTooLong = size > longest
    const bytes = isTooLong ? undefined : trimmed(withoutMark(Buffer.concat(parts), number))
    parts = []
    size = 0
    return bytes !== undefined && isBlank(bytes) ? undefined : { number, bytes }
  }

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      add(bytes.subarray(start, end))
      const found = line()
      if (found) yield found
      start = end + 1
    }
    add(bytes.subarray(start))
  }
  const last = size > 0 ? line() : undefined
  if (last) yield last
}

const withoutMark = (bytes: Buffer, number: number): Buffer =>
  number === 1 && bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes

const trimmed = (bytes: Buffer): Buffer => (bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes)

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => BLANKS.has(byte))
