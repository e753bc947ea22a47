// Points as coordinates, and as points of the curve library.
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Affine, P } from './field.js'
import { root } from './square-root.js'

export type CurvePoint = WeierstrassPoint<bigint>

export const Point = secp256k1.Point

/** The point with this x whose y is a square; undefined if there is none. */
export function lift(x: bigint): Affine | undefined {
  if (x >= P) return undefined
  const square = (x * x * x + 7n) % P
  const y = root(square)
  return (y * y) % P === square ? { x, y } : undefined
}
