// Writes lists of integers as JSON, for statements with many values.

/** A sign, sixteen digits and a comma. */
const MOST_BYTES = 18
const [COMMA, MINUS, ZERO] = [44, 45, 48]
/** Both halves of a safe integer are below 2^31, where division is fast. */
const HALF = 100_000_000

/**
 * Formats safe integers like `[1,-2,3]`. Written digit by digit: the engine caches the text of every number, which would retain a megabyte of
 * useless strings.
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

/** Writes leftwards from `end`; returns the start. */
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
