// test/vectors/wallet/addresses.json: address keys of grin-wallet and every text made from them.
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
import { toHex } from '../../../src/lib/bytes.js'
import { codeOf, vectors } from '../../support/vectors.js'

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

describe('onion texts', () => {
  test.each<{ text: string; ok: boolean; ed25519_public?: string }>(decode_onion)('$text', async (input) => {
    // grin-wallet's reader takes plain hex keys too; this one reads onion addresses only.
    if (/^[0-9a-f]+$/.test(input.text)) expect(await codeOf(() => parseOnion(input.text))).toBe('ADDRESS_INVALID')
    else if (input.ok) expect(toHex(parseOnion(input.text))).toBe(input.ed25519_public)
    else expect(await codeOf(() => parseOnion(input.text))).toBe('ADDRESS_INVALID')
  })
})
