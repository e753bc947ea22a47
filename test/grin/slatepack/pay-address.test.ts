// Vectors: test/vectors/pay/address.json, cross-checked as its README says.
import { expect, test } from 'vitest'
import {
  addressOfSeed,
  formatAddress,
  formatOnion,
  parseAddress,
  parseOnion,
} from '../../../src/grin/slatepack/index.js'
import { fromHex, toHex } from '../../../src/lib/bytes.js'
import { vectors } from '../../support/vectors.js'

interface AddressVector {
  ed25519_seed: string
  ed25519_pubkey: string
  grin1: string
  tgrin1: string
  onion: string
  foreign_api_url: string
}

test.each<AddressVector>(vectors('pay/address.json').vectors)('one key is $grin1 and $onion', (vector) => {
  const key = addressOfSeed(fromHex(vector.ed25519_seed, 32))
  expect(toHex(key)).toBe(vector.ed25519_pubkey)
  expect(formatAddress('grin', key)).toBe(vector.grin1)
  expect(formatAddress('tgrin', key)).toBe(vector.tgrin1)
  expect(`${formatOnion(key)}.onion`).toBe(vector.onion)
  expect(`http://${formatOnion(key)}.onion/v2/foreign`).toBe(vector.foreign_api_url)
  expect(parseAddress(vector.grin1, 'grin')).toEqual(key)
  expect(parseAddress(vector.tgrin1, 'tgrin')).toEqual(key)
  expect(parseOnion(vector.onion)).toEqual(key)
})
