import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLibrarySums } from '../../bench/library-sums.js'
import { type Affine, N, type Scalar } from '../../src/curve/field.js'
import { type CurvePoint, Point } from '../../src/curve/point.js'
import { splitScalar } from '../../src/curve/sums/odd-multiples.js'
import { createPointSums, eachDigit, HALF_BITS } from '../../src/curve/sums/point-sums.js'
import { FIXED_COUNT, fixedPoints } from '../../src/grin/crypto/bulletproof/points.js'
import { scalar, vectorFile } from '../grin/crypto/vectors.js'

const LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n

/** The edges are where carries, signs and cancellations live. */
const scalars = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, N - 1n, N - 2n, N >> 1n, LAMBDA, N - LAMBDA, 2n ** 128n) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: N - 1n }) },
)

describe('scalars in halves', () => {
  const whole = ([k1, k2]: readonly [bigint, bigint]): bigint => (((k1 + LAMBDA * k2) % N) + N) % N
  const size = (k: bigint): number => (k < 0n ? -k : k).toString(2).length

  test.each(vectorFile<{ glv: { k: string; k1: string; k2: string }[] }>('crypto/traces').glv)('split $k', (one) => {
    expect(splitScalar(scalar(one.k))).toEqual([BigInt(one.k1), BigInt(one.k2)])
  })

  test('the halves make the whole and are short', () => {
    fc.assert(
      fc.property(scalars, (k) => {
        const halves = splitScalar(k)
        expect(whole(halves)).toBe(k)
        expect(Math.max(...halves.map(size))).toBeLessThanOrEqual(HALF_BITS)
      }),
    )
  })
})

describe('signed digits', () => {
  const halves = fc.bigInt({ min: -(2n ** BigInt(HALF_BITS)) + 1n, max: 2n ** BigInt(HALF_BITS) - 1n })
  test('the digits make the number, are odd and fit the width', () => {
    fc.assert(
      fc.property(halves, fc.integer({ min: 2, max: 15 }), (value, width) => {
        let sum = 0n
        eachDigit(value, width, (position, digit) => {
          sum += BigInt(digit) * 2n ** BigInt(position)
          expect(Math.abs(digit) % 2).toBe(1)
          expect(Math.abs(digit)).toBeLessThan(2 ** (width - 1))
        })
        expect(sum).toBe(value)
      }),
    )
  })
})

const base = Array.from({ length: 4 }, (_, i) => Point.BASE.multiply(BigInt(i + 1)).toAffine())
/** Fixed points that are equal, opposite and multiples of each other. */
const related: Affine[] = [...base, base[0], Point.BASE.negate().toAffine()].flatMap((point) => (point ? [point] : []))
const sums = createPointSums(related)

function naive(points: readonly Affine[], factors: readonly Scalar[]): Affine | undefined {
  const sum = points.reduce<CurvePoint>(
    (total, point, i) => total.add(Point.fromAffine(point).multiplyUnsafe(factors[i] ?? 0n)),
    Point.ZERO,
  )
  return sum.is0() ? undefined : sum.toAffine()
}

describe('sums', () => {
  const factors = fc.array(scalars, { maxLength: related.length })
  const variable = fc.array(fc.tuple(fc.constantFrom(...related), scalars), { maxLength: 4 })

  test('are the naive ones, for related points, repeated points and odd scalars', () => {
    fc.assert(
      fc.property(factors, variable, (fixed, more) => {
        const points = [...related.slice(0, fixed.length), ...more.map(([point]) => point)]
        expect(sums([{ fixed, variable: more }])).toEqual([naive(points, [...fixed, ...more.map(([, k]) => k)])])
      }),
      { numRuns: 60 },
    )
  })

  test('of several jobs do not touch each other', () => {
    const jobs = [{ fixed: [1n] }, { fixed: [0n] }, { fixed: [5n, N - 3n, 1n], variable: [] }, { fixed: [] }]
    expect(sums(jobs)).toEqual(jobs.map(({ fixed }) => naive(related, fixed)))
  })

  test('that cancel are infinite', () => {
    expect(sums([{ fixed: [7n, 0n, 0n, 0n, 0n, 7n] }])).toEqual([undefined])
    const many = Array.from({ length: 40 }, (_, i) => [related[i % 2 === 0 ? 0 : 5] ?? base[0], 9n] as const)
    const variable = many.flatMap(([point, k]) => (point ? [[point, k] as const] : []))
    expect(sums([{ fixed: [], variable }])).toEqual([undefined])
  })

  test('take no more scalars than there are fixed points', () => {
    expect(() => sums([{ fixed: new Array(7).fill(1n) }])).toThrow(/more scalars/)
  })

  test('over the generators agree with the curve library', () => {
    const [ours, library] = [createPointSums(fixedPoints()), createLibrarySums()]
    const all = fc.array(scalars, { minLength: FIXED_COUNT, maxLength: FIXED_COUNT })
    fc.assert(
      fc.property(all, all, variable, (one, two, more) => {
        const jobs = [{ fixed: one }, { fixed: two, variable: more }]
        expect(ours(jobs)).toEqual(library(jobs))
      }),
      { numRuns: 10 },
    )
  })
})
