// The quick way to shared secrets against the ladder of the curve library.
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { expect, test } from 'vitest'
import { sharedSecretWith } from '../../../src/grin/slatepack/age.js'
import { toHex } from '../../../src/lib/bytes.js'

const bytesOf = (start: number): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => (start * 37 + at * 101 + ((at * start) % 251)) % 256)
const MANY = 1000

test('are those of X25519, whatever the secret and the key', () => {
  for (let round = 0; round < 6; round++) {
    const foreign = x25519.getPublicKey(bytesOf(1000 + round))
    // The highest bit of a key does not count (RFC 7748).
    if (round % 2 === 1) foreign[31] = (foreign[31] ?? 0) | 0x80
    const sharedSecret = sharedSecretWith(foreign, MANY)
    for (const secret of [new Uint8Array(32), new Uint8Array(32).fill(255), bytesOf(round), bytesOf(round + 50)])
      expect(toHex(sharedSecret(secret)!)).toBe(toHex(x25519.getSharedSecret(secret, foreign)))
  }
})

test('with a part of small order in the foreign key too', () => {
  const { Point, utils } = ed25519
  const small = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
  const mixed = utils.toMontgomery(Point.BASE.multiply(12345n).add(small).toBytes())
  const sharedSecret = sharedSecretWith(mixed, MANY)
  expect(toHex(sharedSecret(bytesOf(3))!)).toBe(toHex(x25519.getSharedSecret(bytesOf(3), mixed)))
})

test.each([
  ['zero', new Uint8Array(32)],
  ['one', Uint8Array.of(1, ...new Uint8Array(31))],
  ['of small order', x25519Small()],
  ['minus one', Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0xec : at === 31 ? 0x7f : 0xff))],
])('a foreign key that is %s shares nothing', (_, foreign) => {
  for (const count of [1, MANY]) expect(sharedSecretWith(foreign, count)(bytesOf(9))).toBeUndefined()
})

test('nor does one on the twist, which no honest sender makes', () => {
  const twist = Uint8Array.of(2, ...new Uint8Array(31))
  expect(sharedSecretWith(twist, MANY)(bytesOf(9))).toBeUndefined()
})

function x25519Small(): Uint8Array {
  return ed25519.utils.toMontgomery(
    ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05').toBytes(),
  )
}
