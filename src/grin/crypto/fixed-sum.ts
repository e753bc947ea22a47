// Multiples of the three named generators from tables, for commitments. The time depends on the scalars, as it does in a range proof
// over the same secrets. Signing nonces and keys use the curve library, whose time is constant.
import { type Affine, createPointSums, type PointSums } from '../../curve/index.js'
import { G, H, J } from './generators.js'
import type { Scalar } from './scalar.js'

let sums: PointSums | undefined

/** G × g + H × h + J × j for scalars in [0, n); undefined for infinity. The first call builds the tables. */
export function fixedSum({
  G: g = 0n,
  H: h = 0n,
  J: j = 0n,
}: {
  G?: Scalar
  H?: Scalar
  J?: Scalar
}): Affine | undefined {
  sums ??= createPointSums([G.toAffine(), H.toAffine(), J.toAffine()])
  return sums([{ fixed: [g, h, j] }])[0]
}
