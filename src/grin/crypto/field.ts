// The base field of secp256k1, as far as points and the residue rule need it (specification: grin-crypto 1.1).

/** The field prime p = 2^256 - 2^32 - 977. */
export const P = 2n ** 256n - 2n ** 32n - 977n

/** Any integer brought into [0, p). */
export const modP = (value: bigint): bigint => {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

function squareTimes(value: bigint, times: number): bigint {
  let result = value
  for (let i = 0; i < times; i++) result = (result * result) % P
  return result
}

/**
 * a^((p+1)/4). When `a` is a square this is the square root that is itself a square; otherwise the square of the result
 * differs from `a`. The exponent in binary is 223 ones, 0, 22 ones, 0000, 11, 00: blocks of ones are joined.
 */
export function root(a: bigint): bigint {
  const join = (high: bigint, low: bigint, shift: number): bigint => (squareTimes(high, shift) * low) % P
  const ones2 = join(a, a, 1)
  const ones3 = join(ones2, a, 1)
  const ones6 = join(ones3, ones3, 3)
  const ones9 = join(ones6, ones3, 3)
  const ones11 = join(ones9, ones2, 2)
  const ones22 = join(ones11, ones11, 11)
  const ones44 = join(ones22, ones22, 22)
  const ones88 = join(ones44, ones44, 44)
  const ones176 = join(ones88, ones88, 88)
  const ones220 = join(ones176, ones44, 44)
  const ones223 = join(ones220, ones3, 3)
  return squareTimes(join(join(ones223, ones22, 23), ones2, 6), 2)
}

/** Whether `a` (in [1, p)) is a square modulo p. */
export function isResidue(a: bigint): boolean {
  const candidate = root(a)
  return (candidate * candidate) % P === a
}

/** 1/a modulo p by the extended Euclidean algorithm, in (-p, p). Throws RangeError for 0. */
export function invertP(a: bigint): bigint {
  let [r0, r1, t0, t1] = [P, modP(a), 0n, 1n]
  while (r1 !== 0n) {
    const q = r0 / r1
    ;[r0, r1] = [r1, r0 - q * r1]
    ;[t0, t1] = [t1, t0 - q * t1]
  }
  if (r0 !== 1n) throw new RangeError('zero has no inverse')
  return t0
}
