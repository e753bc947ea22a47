import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretProducts, N, P, Point } from '../../src/curve/index.js'
import { NUMBER_BYTES } from '../../src/curve/machine/field-code.js'
import { createFieldMachine } from '../../src/curve/machine/field-machine.js'

const product = createSecretProducts()

/** The edges are where the digits run out and where the sum so far meets an entry of the table. */
const edges = [1n, 2n, 3n, 14n, 15n, 16n, 17n, 2n ** 128n, 2n ** 255n, 2n ** 255n - 1n, N >> 1n, (N >> 1n) + 1n]
const scalars = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...edges, ...edges.map((edge) => N - edge)) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: N - 1n }) },
)

test('a secret multiple is the one of the curve library, edges included', () => {
  fc.assert(
    fc.property(scalars, scalars, (k, other) => {
      const point = Point.BASE.multiply(other)
      expect(product(k, point.toAffine())).toEqual(point.multiply(k).toAffine())
    }),
    { numRuns: 150 },
  )
})

test.each([...edges, ...edges.map((edge) => N - edge)])('%s times a point is right', (k) => {
  const point = Point.BASE.multiply(0xc0ffeen)
  expect(product(k, point.toAffine())).toEqual(point.multiply(k).toAffine())
})

test('an inverse is one, for any number but zero', () => {
  const machine = createFieldMachine()
  const [number, result] = [machine.allocate(NUMBER_BYTES), machine.allocate(NUMBER_BYTES)]
  const numbers = fc.oneof(fc.constantFrom(1n, 2n, P - 1n, P - 2n), fc.bigInt({ min: 1n, max: P - 1n }))
  fc.assert(
    fc.property(numbers, (value) => {
      machine.write(number, value)
      machine.invert(result, number)
      expect((machine.read(result) * value) % P).toBe(1n)
    }),
  )
})
