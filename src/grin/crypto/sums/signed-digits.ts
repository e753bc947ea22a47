// Width-w non-adjacent form: an integer as a sparse sum of odd digits times powers of two (Solinas 2000).

/** Integers of at most this many bits can be written. */
export const HALF_BITS = 129
/** Digits lie at positions 0 … POSITIONS - 1: the last carry can reach one bit past the top. */
export const POSITIONS = HALF_BITS + 1

const WORD = 32
const words = new Uint32Array(6)

function load(magnitude: bigint): void {
  let rest = magnitude
  for (let i = 0; i < words.length; i++, rest >>= 32n) words[i] = Number(BigInt.asUintN(WORD, rest))
}

/** `count` (at most 16) bits from position `at` on. */
function bitsAt(at: number, count: number): number {
  const [index, offset] = [at >>> 5, at & 31]
  const low = (words[index] ?? 0) >>> offset
  const high = offset + count > WORD ? (words[index + 1] ?? 0) << (WORD - offset) : 0
  return (low | high) & ((1 << count) - 1)
}

/**
 * Calls `emit(position, digit)` for every non-zero digit, lowest first, so that the sum of digit * 2^position is
 * `value`. Digits are odd and between -2^(width-1) and 2^(width-1). Width 2 … 15.
 */
export function eachDigit(value: bigint, width: number, emit: (position: number, digit: number) => void): void {
  const sign = value < 0n ? -1 : 1
  load(value < 0n ? -value : value)
  let carry = 0
  let at = 0
  while (at < POSITIONS) {
    if (bitsAt(at, 1) === carry) {
      at += 1
      continue
    }
    const window = bitsAt(at, width) + carry
    carry = window >>> (width - 1)
    emit(at, sign * (window - (carry << width)))
    at += width
  }
}
