// The base field of secp256k1.

/** The field prime p = 2^256 - 2^32 - 977. */
export const P = 2n ** 256n - 2n ** 32n - 977n

/** Affine coordinates in [0, p). Infinity has none. */
export interface Affine {
  readonly x: bigint
  readonly y: bigint
}

/** Reduces an integer into [0, p). */
export const modP = (value: bigint): bigint => {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

/** 1/a modulo p by the extended Euclidean algorithm. Throws RangeError for 0. */
export function invertP(a: bigint): bigint {
  let [r0, r1, t0, t1] = [P, modP(a), 0n, 1n]
  while (r1 !== 0n) {
    const q = r0 / r1
    ;[r0, r1] = [r1, r0 - q * r1]
    ;[t0, t1] = [t1, t0 - q * t1]
  }
  if (r0 !== 1n) throw new RangeError('zero has no inverse')
  return modP(t0)
}
