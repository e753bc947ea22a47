// The fixed points of a 64-bit proof, in the order every sum of this folder uses.
import { fromBase64 } from '../../../lib/bytes.js'
import { G, H } from '../generators.js'
import type { Affine } from '../point.js'
import { toInteger } from '../scalar.js'
import { GENERATOR_DATA } from './generator-data.js'

/** Bits of the range, and generators of each kind. */
export const BITS = 64

/** Index of a fixed point: G_i at i, H_i at AT.H + i, then the generators of blinding factors and values. */
export const AT = { H: BITS, blind: 2 * BITS, value: 2 * BITS + 1 } as const
export const FIXED_COUNT = 2 * BITS + 2

/** All fixed points: G_0 … G_63, H_0 … H_63, G, H. */
export function fixedPoints(): Affine[] {
  const bytes = fromBase64(GENERATOR_DATA)
  const at = (start: number): bigint => toInteger(bytes.subarray(start, start + 32))
  const vectors = Array.from({ length: 2 * BITS }, (_, i) => ({ x: at(64 * i), y: at(64 * i + 32) }))
  return [...vectors, G.toAffine(), H.toAffine()]
}
