// Splits a stream of bytes into lines of bounded length.

export interface LineParts {
  /** Bytes of a line, without its end. */
  readonly most: number
  readonly line: (text: string) => void
  /** Called once for a longer line. Its bytes are dropped as they arrive. */
  readonly tooLong: () => void
}

const LINE_FEED = 10

/** Takes chunks as they arrive. Bytes after the last line break wait for the next chunk. */
export function createLines({ most, line, tooLong }: LineParts): { take(chunk: Buffer): void; end(): void } {
  let parts: Buffer[] = []
  let size = 0
  let isDropping = false

  function keep(part: Buffer): void {
    if (isDropping) return
    size += part.length
    if (size <= most) return void parts.push(part)
    isDropping = true
    parts = []
    tooLong()
  }

  function finish(): void {
    const [text, dropped] = [Buffer.concat(parts).toString('utf8'), isDropping]
    parts = []
    size = 0
    isDropping = false
    if (!dropped) line(text)
  }

  return {
    take(chunk) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        keep(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      if (from < chunk.length) keep(chunk.subarray(from))
    },
    end() {
      if (size > 0) finish()
    },
  }
}
