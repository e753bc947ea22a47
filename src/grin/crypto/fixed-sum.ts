// Multiples of the three named generators from tables, for commitments. How long one takes depends on the scalars, as in a range
// proof, which is about the same secrets. Nonces and keys that sign stay with the curve library.
import { type Affine, createPointSums, type PointSums } from '../../curve/index.js'
import { G, H, J } from './generators.js'
import type { Scalar } from './scalar.js'

let sums: PointSums | undefined

/** G × g + H × h + J × j for scalars in [0, n); nothing when that is infinite. The first call makes the tables. */
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
