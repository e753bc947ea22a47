// What a foreign message costs a wallet that handed out many addresses.
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOfSeed, armorSlateTo } from '../../src/grin/slatepack/index.js'
import { systemRandom } from '../../src/system/index.js'
import { codeOf } from '../support/vectors.js'
import { type DirectChain, startPair } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor, walletOfAddresses } from './fixture.js'

const near = { minConfirmations: 1 }
const ADDRESSES = 60
let chain: DirectChain
let alice: TestWallet

beforeAll(async () => {
  ;({ chain, alice } = await startPair(1, 5))
})

describe('of a wallet with many addresses', () => {
  test('a plain slate computes no address key, an encrypted one computes each once', async () => {
    const { wallet, keychain, computed } = await walletOfAddresses(chain, ADDRESSES)
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    await wallet.read(s1.slatepack)
    await wallet.receive(s1.slatepack)
    // The sender of the reply.
    expect(computed).toEqual([0])
    await alice.wallet.cancel(s1.slateId)

    computed.length = 0
    const options = {
      prefix: 'tgrin',
      sender: addressOfSeed(alice.keychain.addressSeed(0, 0)),
      random: systemRandom,
    } as const
    for (const index of [0, 1, ADDRESSES - 1]) {
      const to = addressOfSeed(keychain.addressSeed(0, index))
      expect(await wallet.read(await armorSlateTo([to], s1.slate, options))).toMatchObject({ encrypted: true })
    }
    const foreign = await armorSlateTo([options.sender], s1.slate, options)
    expect(await codeOf(() => wallet.read(foreign))).toBe('SLATEPACK_CANNOT_DECRYPT')
    expect(computed).toHaveLength(ADDRESSES)
    expect(new Set(computed).size).toBe(ADDRESSES)
  })

  test('a restore learns how many addresses were handed out', async () => {
    const { wallet, keychain } = await walletOfAddresses(chain, ADDRESSES)
    expect((await wallet.accounts())[0]?.addresses).toBe(ADDRESSES)
    expect((await wallet.nextAddress()).index).toBe(ADDRESSES)
    await wallet.restore({ ...chain, addresses: 2 })
    expect((await wallet.accounts())[0]?.addresses).toBe(ADDRESSES + 1)
    for (const addresses of [0, -1, 0.5, 100_001])
      await expect(wallet.restore({ ...chain, addresses })).rejects.toThrow(RangeError)
    const recipient = await wallet.address(0, ADDRESSES - 1)
    const fresh = await walletFor(keychain)
    const s1 = await alice.wallet.send({ amount: GRIN, recipient, ...near })
    expect(await codeOf(() => fresh.wallet.receive(s1.slatepack))).toBe('SLATEPACK_CANNOT_DECRYPT')
    await fresh.wallet.restore({ ...chain, addresses: ADDRESSES })
    expect(await codeOf(() => fresh.wallet.receive(s1.slatepack))).toBe('ok')
    await alice.wallet.cancel(s1.slateId)
  })
})
