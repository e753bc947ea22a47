/** An integer in [0, n). */
export type Scalar = bigint

/** The group order of secp256k1. */
export const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
