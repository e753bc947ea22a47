// Width-w non-adjacent form: an integer as a sparse sum of odd digits times powers of two (Solinas 2000).

/** Integers of at most this many bits can be written. */
export const HALF_BITS = 129
/** Digits lie at positions 0 … POSITIONS - 1: the last carry can reach one bit past the top. */
export const POSITIONS = HALF_BITS + 1

const WORD = 32
const words = new Uint32Array(7)

function load(magnitude: bigint): void {
  let rest = magnitude
  for (let i = 0; i < words.length; i++, rest >>= 32n) words[i] = Number(BigInt.asUintN(WORD, rest))
}

/** 32 bits from position `at` on. */
function bitsAt(at: number): number {
  const [index, offset] = [at >>> 5, at & 31]
  const low = (words[index] ?? 0) >>> offset
  return offset === 0 ? low : low | ((words[index + 1] ?? 0) << (WORD - offset))
}

/** The number of zero bits below the lowest one; 32 for 0. */
const trailingZeros = (bits: number): number => (bits === 0 ? WORD : 31 - Math.clz32(bits & -bits))

/**
 * Calls `emit(position, digit)` for every non-zero digit, lowest first, so that the sum of digit * 2^position is
 * `value`. Digits are odd and between -2^(width-1) and 2^(width-1). Width 2 … 15.
 */
export function eachDigit(value: bigint, width: number, emit: (position: number, digit: number) => void): void {
  const sign = value < 0n ? -1 : 1
  load(value < 0n ? -value : value)
  const mask = (1 << width) - 1
  let carry = 0
  for (let at = 0; at < POSITIONS; ) {
    // With a carry, zeros are what ones were: they end the run that the carry stands for.
    const bits = carry === 0 ? bitsAt(at) : ~bitsAt(at)
    const skip = trailingZeros(bits)
    at += skip
    if (skip === WORD || at >= POSITIONS) continue
    const window = (bitsAt(at) & mask) + carry
    carry = window >>> (width - 1)
    emit(at, sign * (window - (carry << width)))
    at += width
  }
}
