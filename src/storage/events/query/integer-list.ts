// Lists of integers as JSON, for statements over many values.

/** A sign, sixteen digits and a comma. */
const MOST_BYTES = 18
const [COMMA, MINUS, ZERO] = [44, 45, 48]
/** Both halves of a safe integer are below 2^31, where division is quick. */
const HALF = 100_000_000

/**
 * `[1,-2,3]`, of safe integers. Written digit by digit: the engine would remember the text of every number, and so keep a megabyte of texts of which
 * none is asked for again.
 */
export function integerList(values: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(values.length * MOST_BYTES + 1)
  let at = bytes.length
  for (let index = values.length - 1; index >= 0; index--) {
    bytes[--at] = COMMA
    at = writeInteger(bytes, at, values[index] ?? 0)
  }
  return `[${bytes.toString('latin1', at, Math.max(at, bytes.length - 1))}]`
}

/** Writes to the left of `end`; answers where it begins. */
function writeInteger(bytes: Buffer, end: number, value: number): number {
  const size = Math.abs(value)
  const high = Math.floor(size / HALF)
  let at = writeDigits(bytes, end, size - high * HALF, high > 0 ? 8 : 1)
  if (high > 0) at = writeDigits(bytes, at, high, 1)
  if (value < 0) bytes[--at] = MINUS
  return at
}

function writeDigits(bytes: Buffer, end: number, value: number, least: number): number {
  let at = end
  for (let rest = value; rest > 0 || end - at < least; ) {
    const next = (rest / 10) | 0
    bytes[--at] = ZERO + rest - next * 10
    rest = next
  }
  return at
}
