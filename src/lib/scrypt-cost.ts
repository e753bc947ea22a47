// The cost of scrypt, and its bounds: a stored document can neither exhaust the memory of its reader nor make guessing cheap.

/** Memory is 128 × N × r bytes. */
export interface ScryptCost {
  /** A power of two, 2^14 or above. */
  readonly N: number
  readonly r: number
  /** 1 … 4. */
  readonly p: number
}

/** About 0.4 s with native code and 128 MiB. */
export const DEFAULT_SCRYPT_COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 }
const MOST_MEMORY = 256 * 2 ** 20
const LEAST_N = 2 ** 14

/** Whether a key may be derived at this cost: at most 256 MiB, at least N = 2^14. */
export function isBoundedCost({ N, r, p }: ScryptCost): boolean {
  if (![N, r, p].every((one) => Number.isSafeInteger(one) && one >= 1)) return false
  return Number.isInteger(Math.log2(N)) && N >= LEAST_N && p <= 4 && 128 * N * r <= MOST_MEMORY
}
