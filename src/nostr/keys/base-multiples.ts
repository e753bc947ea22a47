// Multiples of the curve's base point from a table: every invoice has a key of its own, and this takes a quarter of the library's
// time. No more constant in time than any arithmetic on bigints; signing stays with the library.
import { normalizeZ } from '@noble/curves/abstract/curve.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'

const { Point } = secp256k1
const { Fp } = Point
const P = Fp.ORDER

/** Affine coordinates of d × 256^i × G at index 255 × i + d - 1, for i in 0 … 31 and d in 1 … 255. */
interface Table {
  readonly xs: readonly bigint[]
  readonly ys: readonly bigint[]
}

/** About a tenth of a second and a megabyte, at the first key: a till makes its own at the start. */
function makeTable(): Table {
  const points = []
  for (let window = 0, base = Point.BASE; window < 32; window++) {
    let multiple = base
    for (let digit = 1; digit < 256; digit++) {
      points.push(multiple)
      multiple = multiple.add(base)
    }
    base = multiple
  }
  const affine = normalizeZ(Point, points)
  return { xs: affine.map(({ X }) => X), ys: affine.map(({ Y }) => Y) }
}

let table: Table | undefined

/**
 * The x coordinate of k × G for a valid 32-byte secret key k. Jacobian coordinates with mixed addition, one table entry per byte,
 * least significant first: the sum so far is always a smaller multiple than the next entry and k is below the order, so the two
 * are never equal or opposite and the addition needs no special cases.
 */
export function baseMultipleX(secret: Uint8Array): bigint {
  table ??= makeTable()
  const { xs, ys } = table
  let [X, Y, Z] = [0n, 0n, 0n]
  for (let window = 0; window < 32; window++) {
    const digit = secret[31 - window] ?? 0
    if (digit === 0) continue
    const at = 255 * window + digit - 1
    const [x, y] = [xs[at] ?? 0n, ys[at] ?? 0n]
    if (Z === 0n) {
      ;[X, Y, Z] = [x, y, 1n]
      continue
    }
    const ZZ = (Z * Z) % P
    const H = ((x * ZZ) % P) - X
    const R = ((((y * ZZ) % P) * Z) % P) - Y
    const HH = (H * H) % P
    const HHH = (H * HH) % P
    const V = (X * HH) % P
    X = (R * R - HHH - 2n * V) % P
    Y = (R * (V - X) - Y * HHH) % P
    Z = (Z * H) % P
  }
  return affineX(X, Z)
}

function affineX(X: bigint, Z: bigint): bigint {
  const inverse = Fp.inv(Fp.create(Z))
  return Fp.create(X * inverse * inverse)
}
