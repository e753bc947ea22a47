import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Affine, modP, P } from '../../src/curve/field.js'
import { assemble, op } from '../../src/curve/machine/assembler.js'
import {
  fieldRoutines,
  LIMB_BITS,
  LIMBS,
  NUMBER_BYTES,
  POINT_BYTES,
  SCRATCH_BYTES,
} from '../../src/curve/machine/field-code.js'
import { addPairs, createFieldMachine } from '../../src/curve/machine/field-machine.js'
import { isResidue, Point, root } from '../../src/curve/point.js'
import { BETA, oddMultiples } from '../../src/curve/sums/odd-multiples.js'

const ONES = 2n ** 256n - 1n - (2n ** 32n + 977n)
const numbers = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, P - 1n, P - 2n, ONES, 2n ** 255n, (1n << 232n) - 1n) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: P - 1n }) },
)
const machine = createFieldMachine()
const [a, b, c, out, sum, run] = Array.from({ length: 6 }, () => machine.allocate(NUMBER_BYTES)) as [
  number,
  number,
  number,
  number,
  number,
  number,
]

describe('field arithmetic', () => {
  test('every number survives writing and reading', () => {
    fc.assert(
      fc.property(numbers, (x) => {
        machine.write(a, x)
        expect(machine.read(a)).toBe(x)
      }),
    )
  })

  test('sums, differences, products and a product less a number', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (x, y, z) => {
        machine.write(a, x)
        machine.write(b, y)
        machine.write(c, z)
        const resultOf = (work: () => void): bigint => {
          work()
          return machine.read(out)
        }
        expect(resultOf(() => machine.add(out, a, b))).toBe(modP(x + y))
        expect(resultOf(() => machine.subtract(out, a, b))).toBe(modP(x - y))
        expect(resultOf(() => machine.multiply(out, a, b))).toBe(modP(x * y))
        expect(machine.isZero(out)).toBe(modP(x * y) === 0n)
        expect(resultOf(() => machine.multiplySubtract(out, a, b, c))).toBe(modP(x * y - z))
        expect(machine.isZero(out)).toBe(modP(x * y - z) === 0n)
      }),
    )
  })

  test('a factor may be the sum of three products, or a difference, without carrying', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (x, y, z) => {
        machine.write(a, x)
        machine.write(b, y)
        machine.write(c, z)
        machine.add(sum, a, a)
        machine.add(sum, sum, a)
        machine.multiply(out, sum, b)
        expect(machine.read(out)).toBe(modP(3n * x * y))
        machine.subtract(run, b, c)
        machine.multiplySubtract(out, a, run, sum)
        expect(machine.read(out)).toBe(modP(x * (y - z) - 3n * x))
      }),
    )
  })

  test('a product may overwrite its factors', () => {
    machine.write(a, P - 3n)
    for (let i = 0; i < 8; i++) machine.multiply(a, a, a)
    expect(machine.read(a)).toBe(modP(3n ** 256n))
  })
})

describe('at the bounds of limbs', () => {
  const [memory, at] = [new WebAssembly.Memory({ initial: 1 }), { out: SCRATCH_BYTES, a: 300, b: 400, c: 500 }]
  const routines = new WebAssembly.Instance(new WebAssembly.Module(assemble(fieldRoutines(0), 1)), { env: { memory } })
    .exports as Record<'multiply' | 'multiplySubtract', (...addresses: number[]) => void>
  const words = new Int32Array(memory.buffer)
  const put = (address: number, limbs: readonly number[]): void => words.set(limbs, address / 4)
  const take = (address: number): number[] => [...words.subarray(address / 4, address / 4 + LIMBS)]
  const integerOf = (limbs: readonly number[]): bigint =>
    limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n)

  const FULL = 2 ** LIMB_BITS
  const TOP = 2 ** 24
  /** Nine limbs between `low` and `high` times what a product leaves, often at an end. */
  const limbs = (low: number, high: number) => {
    const limb = (full: number) =>
      fc.oneof(fc.constantFrom(low * full, high * full, 0), fc.integer({ min: low * full, max: high * full }))
    return fc.tuple(...Array.from({ length: LIMBS }, (_, i) => limb(i === LIMBS - 1 ? TOP : FULL)))
  }
  const product = limbs(0, 1)
  /** The sum of three products, or a difference of two. */
  const wide = fc.oneof(limbs(0, 3), limbs(-1, 1))

  /** What field-code.ts says of every product. */
  const isReduced = (left: readonly number[]): boolean =>
    left.slice(0, -1).every((limb) => limb >= 0 && limb <= FULL) && Math.abs(left.at(-1) ?? TOP) <= TOP + 1

  test('a product of the widest factors is right and narrow again', () => {
    fc.assert(
      fc.property(wide, product, (x, y) => {
        put(at.a, x)
        put(at.b, y)
        routines.multiply(at.out, at.a, at.b)
        expect(modP(integerOf(take(at.out)))).toBe(modP(integerOf(x) * integerOf(y)))
        expect(isReduced(take(at.out))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('so is a product less the widest number', () => {
    fc.assert(
      fc.property(wide, product, limbs(-1, 3), (x, y, z) => {
        put(at.a, x)
        put(at.b, y)
        put(at.c, z)
        routines.multiplySubtract(at.out, at.a, at.b, at.c)
        expect(modP(integerOf(take(at.out)))).toBe(modP(integerOf(x) * integerOf(y) - integerOf(z)))
        expect(isReduced(take(at.out))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('square roots', () => {
  test('the root of a square is a square whose square it is', () => {
    fc.assert(
      fc.property(numbers, (x) => {
        const found = root(modP(x * x))
        expect(modP(found * found)).toBe(modP(x * x))
        expect(found === 0n || isResidue(found)).toBe(true)
        expect([modP(x), modP(-x)]).toContain(found)
      }),
    )
  })

  test('exactly one of a number and its negative is a square', () => {
    fc.assert(fc.property(numbers, (x) => x === 0n || isResidue(x) !== isResidue(P - x)))
  })
})

const multiple = (k: number): Affine => Point.BASE.multiply(BigInt(k)).toAffine()
const place = ({ x, y }: Affine): number => {
  const address = machine.allocate(POINT_BYTES)
  machine.writePoint(address, { x, y })
  return address
}
const pointAt = (address: number): Affine => ({ x: machine.read(address), y: machine.read(address + NUMBER_BYTES) })

describe('points', () => {
  test('pairs are added together, each in its place', () => {
    const pairs = [
      [1, 2],
      [5, 9],
      [100, 3],
    ].map(([k = 1, l = 1]) => {
      const left = place(multiple(k))
      return { left, right: place(multiple(l)), out: left, expected: multiple(k + l) }
    })
    expect(addPairs(machine, pairs)).toBe(true)
    for (const { out, expected } of pairs) expect(pointAt(out)).toEqual(expected)
  })

  test('points with the same x are reported: equal ones and opposite ones', () => {
    const [one, two] = [multiple(1), multiple(2)]
    const fine = { left: place(one), right: place(two), out: place(one) }
    for (const y of [one.y, P - one.y])
      expect(addPairs(machine, [fine, { left: place(one), right: place({ x: one.x, y }), out: place(one) }])).toBe(
        false,
      )
  })

  test.each([2, 5, 10])(
    'the table of width %i holds the odd multiples of every point and of its lambda multiple',
    (width) => {
      const points = [1, 7, 11].map(multiple)
      const table = oddMultiples(machine, points, width)
      for (const [column, point] of [1, 7, 11].entries())
        for (let row = 0; row < 2 ** (width - 2); row++) {
          const expected = multiple(point * (2 * row + 1))
          expect(pointAt(table.point(row, column))).toEqual(expected)
          expect(machine.read(table.betaX(row, column))).toBe(modP(expected.x * BETA))
        }
    },
  )

  test('a point and its negative are joined from coordinates', () => {
    const from = place(multiple(3))
    const to = machine.allocate(POINT_BYTES)
    machine.join(to, from, from + NUMBER_BYTES)
    expect(pointAt(to)).toEqual(multiple(3))
    machine.joinNegated(to, from, from + NUMBER_BYTES)
    expect(pointAt(to)).toEqual(Point.BASE.multiply(3n).negate().toAffine())
  })
})

describe('memory', () => {
  test('grows without losing numbers, and is given back after borrowing', () => {
    machine.write(a, 12345n)
    const inside = machine.borrow(() => {
      const far = machine.allocate(300_000)
      machine.write(far + 299_000 - (299_000 % 4), P - 1n)
      return far
    })
    expect(machine.read(a)).toBe(12345n)
    expect(machine.borrow(() => machine.allocate(4))).toBe(inside)
    machine.multiply(out, a, a)
    expect(machine.read(out)).toBe(12345n ** 2n)
  })
})

test('constants of any size and sign are assembled', () => {
  const values = [0n, 1n, -1n, 63n, 64n, -64n, -65n, 127n, 128n, 2n ** 29n - 1n, -(2n ** 31n), 2n ** 31n - 1n]
  const memory = new WebAssembly.Memory({ initial: 1 })
  const code = values.flatMap((value, i) => [...op.get(0), ...op.constant(value), ...op.store(4 * i)])
  const module = new WebAssembly.Module(assemble([{ name: 'fill', parameters: 1, locals: 0, code }], 1))
  const { fill } = new WebAssembly.Instance(module, { env: { memory } }).exports as { fill: (at: number) => void }
  fill(8)
  expect([...new Int32Array(memory.buffer, 8, values.length)].map(BigInt)).toEqual(values)
})
