// Secret multiples of untrusted points in constant time: always 256 doublings and 64 additions, because every digit is odd
// (Joye and Tunstall 2009). The field machine takes constant time too.
import { type Affine, N, P, type Scalar } from './field.js'
import { NUMBER_BYTES, POINT_BYTES } from './machine/field-code.js'
import { createFieldMachine, type FieldMachine } from './machine/field-machine.js'
import { Point } from './point.js'
import { createAccumulator } from './sums/double-and-add.js'
import { oddMultiples } from './sums/odd-multiples.js'

const DIGIT_BITS = 4
const DIGITS = 64
/** The table of odd multiples up to 15. */
const TABLE_WIDTH = DIGIT_BITS + 1

/** An odd k below 2^256 as 2^256 plus digit × 16^i, lowest first; every digit is odd and between -15 and 15. */
function oddDigits(k: Scalar): number[] {
  let rest = k
  return Array.from({ length: DIGITS }, () => {
    const digit = Number(rest & 31n) - 16
    rest = (rest - BigInt(digit)) >> 4n
    return digit
  })
}

function walk(machine: FieldMachine, point: Affine, digits: readonly number[]): Affine | undefined {
  const table = oddMultiples(machine, [point], TABLE_WIDTH)
  const sum = createAccumulator(machine)
  const term = machine.allocate(POINT_BYTES)
  sum.start(table.point(0, 0))
  for (const digit of digits.toReversed()) {
    for (let i = 0; i < DIGIT_BITS; i++) sum.double()
    const entry = table.point((Math.abs(digit) - 1) / 2, 0)
    if (digit < 0) machine.joinNegated(term, entry, entry + NUMBER_BYTES)
    else machine.join(term, entry, entry + NUMBER_BYTES)
    if (!sum.add(term)) return undefined
  }
  return sum.toAffine()
}

const negated = ({ x, y }: Affine): Affine => ({ x, y: P - y })

/** k × point for k in 1 … n-1. The curve library handles the few k (such as n - 15 … n - 1) for which equal points meet. */
export function createSecretProducts(): (k: Scalar, point: Affine) => Affine {
  const machine = createFieldMachine()
  return (k, point) => {
    const isOdd = k % 2n === 1n
    const product = machine.borrow(() => walk(machine, point, oddDigits(isOdd ? k : N - k)))
    if (!product) return Point.fromAffine(point).multiply(k).toAffine()
    return isOdd ? product : negated(product)
  }
}
