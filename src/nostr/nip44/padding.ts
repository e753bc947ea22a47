/**
 * How long `length` bytes (4 bytes of prefix and the plaintext) become in version 3: steps of an eighth to a quarter of the next
 * power of two, at least 32.
 */
export function paddedLength(length: number): number {
  if (length === 0) return 32
  const power = 2 ** Math.ceil(Math.log2(length))
  const chunk = Math.max(32, power / (power >= 32_768 ? 8 : 4))
  return chunk * Math.ceil(length / chunk)
}
