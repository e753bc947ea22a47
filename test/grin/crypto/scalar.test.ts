import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scalarFromBytes, scalarToBytes, secretKeyFromBytes } from '../../../src/grin/crypto/index.js'
import { invertAll, invertN, modN, N } from '../../../src/grin/crypto/scalar.js'

const scalars = fc.bigInt({ min: 1n, max: N - 1n })

describe('scalar bytes', () => {
  test('every scalar survives writing and reading', () => {
    fc.assert(fc.property(scalars, (k) => scalarFromBytes(scalarToBytes(k)) === k))
  })

  test('the group order and anything above is refused', () => {
    const order = scalarToBytes(N - 1n)
    order[31] = (order[31] ?? 0) + 1
    expect(() => scalarFromBytes(order)).toThrow(/not below the group order/)
    expect(() => scalarToBytes(N)).toThrow(/not below the group order/)
    expect(() => scalarToBytes(-1n)).toThrow(/not below the group order/)
  })

  test('zero is a scalar but not a secret key', () => {
    const zero = new Uint8Array(32)
    expect(scalarFromBytes(zero)).toBe(0n)
    expect(() => secretKeyFromBytes(zero)).toThrow(/zero or not below/)
    expect(() => secretKeyFromBytes(new Uint8Array(32).fill(255))).toThrow(/zero or not below/)
  })

  test('a wrong length is named', () => {
    expect(() => scalarFromBytes(new Uint8Array(31))).toThrow('scalar: need 32 bytes, have 31')
    expect(() => secretKeyFromBytes(new Uint8Array(33))).toThrow('secret key: need 32 bytes, have 33')
  })
})

describe('inverses', () => {
  test('a scalar times its inverse is one', () => {
    fc.assert(fc.property(scalars, (k) => modN(k * invertN(k)) === 1n))
  })

  test('many inverses at once are the single ones', () => {
    fc.assert(
      fc.property(fc.array(scalars, { maxLength: 9 }), (list) => {
        expect(invertAll(list)).toEqual(list.map(invertN))
      }),
    )
  })

  test('zero has none', () => expect(() => invertN(0n)).toThrow(/no inverse/))
})
