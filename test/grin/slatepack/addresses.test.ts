// test/vectors/wallet/addresses.json: address keys of grin-wallet and every text made from them.
import { sha3_256 } from '@noble/hashes/sha3.js'
import { base32nopad, bech32 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entropyFromMnemonic, openKeychain } from '../../../src/grin/keychain/index.js'
import {
  addressOfSeed,
  ageIdentity,
  ageRecipient,
  formatAddress,
  formatOnion,
  parseAddress,
  parseOnion,
  x25519Secret,
} from '../../../src/grin/slatepack/index.js'
import { toHex, utf8 } from '../../../src/lib/bytes.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const { wallets, decode_slatepack_address, decode_onion } = vectors('wallet/addresses.json')

type Address = Record<string, string> & { index: number }

describe.each<{ name: string; mnemonic: string; addresses: Address[] }>(wallets)('wallet $name', (wallet) => {
  const keychain = openKeychain(entropyFromMnemonic(wallet.mnemonic))

  test.each(wallet.addresses)('$account_path index $index', (address) => {
    const seed = keychain.addressSeed(Number(address.account_path?.split('/')[1]), address.index)
    expect(toHex(seed)).toBe(address.ed25519_seed)
    const key = addressOfSeed(seed)
    expect({
      ed25519_public: toHex(key),
      slatepack_address: formatAddress('grin', key),
      slatepack_address_testnet: formatAddress('tgrin', key),
      onion_v3: formatOnion(key),
      x25519_secret_unclamped: toHex(x25519Secret(seed)),
      age_recipient: ageRecipient(key),
      age_identity: ageIdentity(seed),
    }).toEqual({
      ed25519_public: address.ed25519_public,
      slatepack_address: address.slatepack_address,
      slatepack_address_testnet: address.slatepack_address_testnet,
      onion_v3: address.onion_v3,
      x25519_secret_unclamped: address.x25519_secret_unclamped,
      age_recipient: address.age_recipient,
      age_identity: address.age_identity,
    })
    expect(parseAddress(address.slatepack_address ?? '', 'grin')).toEqual(key)
    expect(parseAddress(address.slatepack_address_testnet ?? '', 'tgrin')).toEqual(key)
    expect(parseOnion(address.onion_http ?? '')).toEqual(key)
    expect(`${formatOnion(key)}.onion\n`).toBe(address.tor_hostname_file)
  })
})

describe('address texts', () => {
  test.each<{ case: string; text: string; ok: boolean; hrp?: string; ed25519_public?: string }>(
    decode_slatepack_address,
  )('$case', async ({ text, ok, hrp, ed25519_public }) => {
    // RULE (3.1): the prefix of our chain is required, as in 5.5.1; 5.4.1 takes any.
    if (ok && hrp !== 'grin') expect(await codeOf(() => parseAddress(text, 'grin'))).toBe('SLATEPACK_WRONG_CHAIN')
    else if (ok) expect(toHex(parseAddress(text, 'grin'))).toBe(ed25519_public)
    else expect(await codeOf(() => parseAddress(text, 'grin'))).toBe('ADDRESS_INVALID')
  })

  test('an address of the other chain is named as such', async () => {
    const { slatepack_address_testnet } = wallets[0].addresses[0]
    expect(await codeOf(() => parseAddress(slatepack_address_testnet, 'grin'))).toBe('SLATEPACK_WRONG_CHAIN')
  })
})

/** The neutral element and a point of order 8: keys without a holder, which would break encrypting an answer. */
const SMALL = [`01${'00'.repeat(31)}`, 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a']

/** The texts that a foreign program makes of any 32 bytes. */
const addressText = (key: Uint8Array): string => bech32.encodeFromBytes('grin', key)
function onionText(key: Uint8Array): string {
  const check = sha3_256(Buffer.concat([utf8('.onion checksum'), key, Uint8Array.of(3)])).slice(0, 2)
  return base32nopad.encode(Buffer.concat([key, check, Uint8Array.of(3)])).toLowerCase()
}

test.each(SMALL)('the point %s is no address', async (point) => {
  expect(await codeOf(() => parseAddress(addressText(bytes(point)), 'grin'))).toBe('ADDRESS_INVALID')
  expect(await codeOf(() => parseOnion(onionText(bytes(point))))).toBe('ADDRESS_INVALID')
  expect(() => formatAddress('grin', bytes(point))).toThrow(RangeError)
  expect(() => formatOnion(bytes(point))).toThrow(RangeError)
})

test('arbitrary texts throw only the documented errors', async () => {
  const damaged = fc
    .tuple(
      fc.constantFrom(wallets[0].addresses[0].slatepack_address, wallets[0].addresses[0].onion_v3),
      fc.nat(62),
      fc.string({ maxLength: 1 }),
    )
    .map(([text, at, character]: [string, number, string]) => text.slice(0, at) + character + text.slice(at + 1))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), damaged, fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressText)),
      async (text) => {
        expect(await codeOf(() => parseAddress(text, 'grin'))).toMatch(/^(ADDRESS_INVALID|SLATEPACK_WRONG_CHAIN|ok)$/)
        expect(await codeOf(() => parseOnion(text))).toMatch(/^(ADDRESS_INVALID|ok)$/)
      },
    ),
  )
})

describe('onion texts', () => {
  test.each<{ text: string; ok: boolean; ed25519_public?: string }>(decode_onion)('$text', async (input) => {
    // grin-wallet's reader takes plain hex keys too; this one reads onion addresses only.
    if (/^[0-9a-f]+$/.test(input.text)) expect(await codeOf(() => parseOnion(input.text))).toBe('ADDRESS_INVALID')
    else if (input.ok) expect(toHex(parseOnion(input.text))).toBe(input.ed25519_public)
    else expect(await codeOf(() => parseOnion(input.text))).toBe('ADDRESS_INVALID')
  })
})
