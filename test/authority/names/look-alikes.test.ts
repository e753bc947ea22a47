// Names that could be mistaken for each other. Vectors: test/vectors/names/lookalike.json.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shapeOf } from '../../../src/authority/names/rules.js'
import { vectors } from '../../support/vectors.js'

const { cases, grinpay_pairs: pairs } = vectors('names/lookalike.json')

test.each<{ a: string; b: string; grinpay: boolean }>(cases)('$a and $b: $grinpay', ({ a, b, grinpay }) => {
  expect(shapeOf(a).looksLike(b)).toBe(grinpay)
  expect(shapeOf(b).looksLike(a)).toBe(grinpay)
  if (grinpay) expect(shapeOf(a).skeleton).toBe(shapeOf(b).skeleton)
})

const SIGNS = [...'abcdefghijklmnopqrstuvwxyz0123456789']

test('of all pairs of letters and digits exactly the nine of the table pass for each other', () => {
  const alike = SIGNS.flatMap((a) => SIGNS.filter((b) => a < b && shapeOf(a).looksLike(b)).map((b) => a + b))
  expect(alike.sort()).toEqual([...pairs].sort())
})

/** Few signs, so that pairs meet often. */
const aName = fc.string({ unit: fc.constantFrom(...'oil01as5._-'), maxLength: 6 })

test('looking alike is mutual, and everything looks like itself', () => {
  fc.assert(fc.property(aName, aName, (a, b) => shapeOf(a).looksLike(b) === shapeOf(b).looksLike(a)))
  fc.assert(fc.property(aName, (a) => shapeOf(a).looksLike(a)))
})

test('names that look alike have one skeleton, so that an index finds them all', () => {
  let met = 0
  const property = fc.property(aName, aName, (a, b) => {
    const isAlike = shapeOf(a).looksLike(b)
    if (isAlike) met++
    return !isAlike || shapeOf(a).skeleton === shapeOf(b).skeleton
  })
  fc.assert(property, { numRuns: 5000 })
  expect(met).toBeGreaterThan(20)
})

test('a disguise of any depth is seen through', () => {
  const passesFor = (sign: string) => [
    sign,
    ...SIGNS.filter((other) => shapeOf(sign).looksLike(other) && other !== sign),
  ]
  const disguised = fc
    .array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 20 })
    .chain((name) =>
      fc
        .tuple(...name.map((sign) => fc.tuple(fc.constantFrom(...passesFor(sign)), fc.constantFrom('', '.', '-_'))))
        .map((signs) => [name.join(''), signs.flat().join('')] as const),
    )
  fc.assert(fc.property(disguised, ([name, disguise]) => shapeOf(name).looksLike(disguise)))
})
