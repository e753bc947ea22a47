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

/** An integer in [0, n). */
export type Scalar = bigint

/** The group order of secp256k1. */
export const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
