// Scalars: integers modulo the group order n, 32 bytes big-endian everywhere (specification: grin-crypto, 1).
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { N, type Scalar } from '../../curve/index.js'
import { badLength, badSecretKey, scalarTooLarge } from './errors.js'

export { N, type Scalar }

/** Reduces an integer into [0, n). */
export const modN = (value: bigint): Scalar => {
  const rest = value % N
  return rest < 0n ? rest + N : rest
}

/** The unsigned big-endian integer in the bytes. */
export const toInteger = (bytes: Uint8Array): bigint => bytesToNumberBE(bytes)

/** Reads 32 bytes. Refuses every other length, and values from n up (SCALAR_TOO_LARGE). */
export function scalarFromBytes(bytes: Uint8Array, what = 'scalar'): Scalar {
  if (bytes.length !== 32) throw badLength(what, 32, bytes.length)
  const value = toInteger(bytes)
  if (value >= N) throw scalarTooLarge(what)
  return value
}

/** Reads a secret key of 32 bytes, 1 … n-1. Throws BAD_SECRET_KEY. */
export function secretKeyFromBytes(bytes: Uint8Array, what = 'secret key'): Scalar {
  if (bytes.length !== 32) throw badLength(what, 32, bytes.length)
  return checkSecretKey(toInteger(bytes), what)
}

/** Returns the key. Refuses 0 and values from n up, as grin does for secret keys. */
export function checkSecretKey(key: bigint, what = 'secret key'): Scalar {
  if (key <= 0n || key >= N) throw badSecretKey(what)
  return key
}

/** 32 bytes, big-endian. Throws SCALAR_TOO_LARGE outside [0, n). */
export function scalarToBytes(scalar: Scalar): Uint8Array {
  if (scalar < 0n || scalar >= N) throw scalarTooLarge('scalar')
  return numberToBytesBE(scalar, 32)
}

/** 1/a modulo n by the extended Euclidean algorithm; `a` must not be 0. */
export function invertN(a: Scalar): Scalar {
  let [r0, r1, t0, t1] = [N, modN(a), 0n, 1n]
  while (r1 !== 0n) {
    const q = r0 / r1
    ;[r0, r1] = [r1, r0 - q * r1]
    ;[t0, t1] = [t1, t0 - q * t1]
  }
  if (r0 !== 1n) throw new RangeError('zero has no inverse')
  return modN(t0)
}

/** The inverses of non-zero scalars, with one inversion for all (Montgomery's trick). */
export function invertAll(scalars: readonly Scalar[]): Scalar[] {
  const prefixes: Scalar[] = []
  let product = 1n
  for (const scalar of scalars) {
    prefixes.push(product)
    product = modN(product * scalar)
  }
  let rest = invertN(product)
  const inverses: Scalar[] = []
  for (const [back, prefix] of [...prefixes.entries()].reverse()) {
    inverses[back] = modN(rest * prefix)
    rest = modN(rest * (scalars[back] ?? 1n))
  }
  return inverses
}

/** sum(pos) - sum(neg) modulo n. Zero is allowed here; readers of secret keys refuse it. */
export function blindSum(pos: readonly Scalar[], neg: readonly Scalar[]): Scalar {
  const checked = (scalar: Scalar): bigint => {
    if (scalar < 0n || scalar >= N) throw scalarTooLarge('blinding factor')
    return scalar
  }
  const sum = (list: readonly Scalar[]): bigint => list.reduce((total, scalar) => total + checked(scalar), 0n)
  return modN(sum(pos) - sum(neg))
}
