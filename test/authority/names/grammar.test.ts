// What a name may look like. Vectors: test/vectors/names/grammar.json.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHoldableName, isValidName, normaliseName } from '../../../src/authority/names/rules.js'
import { vectors } from '../../support/vectors.js'

const { cases, name_min: nameMin, name_max: nameMax } = vectors('names/grammar.json')
const bounds = { nameMin, nameMax }

test.each<{ input: string; normalised: string; valid: boolean }>(cases)(
  '$input becomes $normalised, valid: $valid',
  ({ input, normalised, valid }) => {
    expect(normaliseName(input)).toBe(normalised)
    expect(isValidName(normalised, bounds)).toBe(valid)
  },
)

test('the bounds are those of the settings, both included', () => {
  const within = (name: string) => isValidName(name, { nameMin: 1, nameMax: 2 })
  expect(['', 'a', 'ab', 'abc'].map(within)).toEqual([false, true, true, false])
})

test('the NIP-05 root name has no holder, however short names may be', () => {
  expect(isValidName('_', { nameMin: 1, nameMax: 20 })).toBe(false)
  expect(isHoldableName('_', { nameMin: 3, nameMax: 20 })).toBe(true)
})

test('validity is what the rule says of each character', () => {
  const isAlphanumeric = (sign: string | undefined) => /^[a-z0-9]$/.test(sign ?? '')
  const text = fc.string({ unit: fc.constantFrom(...'aabz09._-Aé'), maxLength: 23 })
  const property = fc.property(text, (name) => {
    const signs = [...name]
    const ends = isAlphanumeric(signs.at(0)) && isAlphanumeric(signs.at(-1))
    const inside = signs.every((sign) => isAlphanumeric(sign) || '._-'.includes(sign))
    return isValidName(name, bounds) === (ends && inside && signs.length >= nameMin && signs.length <= nameMax)
  })
  fc.assert(property, { numRuns: 2000 })
})

test('a valid name is its own lower-case form and has nothing to escape in an address', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab09._-'), minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(text, (name) => {
      if (!isValidName(name, bounds)) return true
      return normaliseName(name) === name && encodeURIComponent(name) === name
    }),
  )
})
