// A wallet with the view key alone sees what the wallet of the seed sees, and can sign nothing.
import { beforeAll, describe, expect, test } from 'vitest'
import { blake2b256, commit } from '../../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { ofKind } from '../../src/lib/kinds.js'
import { systemRandom } from '../../src/system/index.js'
import { createMemoryStorage, openWallet, openWatchWallet, type WatchWallet } from '../../src/wallet/index.js'
import { createViewSigner } from '../../src/wallet/watch.js'
import { prove } from '../support/grin.js'
import { codeOf } from '../support/vectors.js'
import { createDirectChain, type DirectChain } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
const keychain = openKeychain(new Uint8Array(32).fill(1))
const parts = { random: systemRandom.bytes, now: () => 1_000, chainType: 'sandbox' } as const
const watch = (storage = createMemoryStorage(), rewindHash: Uint8Array = keychain.rewindHash) =>
  openWatchWallet({ rewindHash, storage, ...parts })

describe('a wallet that watches', () => {
  let chain: DirectChain
  let alice: TestWallet
  let bob: TestWallet
  let watching: WatchWallet
  beforeAll(async () => {
    chain = createDirectChain()
    alice = await walletFor(1)
    bob = await walletFor(2)
    for (const index of [0, 1]) await chain.mineTo(keychain, index, 60n * GRIN)
    await chain.mineTo(keychain, 4, 5n * GRIN, 3)
    await chain.mineTo(bob.keychain, 0, 60n * GRIN)
    chain.mine(5)
    await alice.wallet.restore(chain)
    watching = await watch()
    await watching.restore(chain)
  })

  const seen = async (wallet: WatchWallet) => ({
    balance: await wallet.balance(near),
    outputs: (await wallet.outputs())
      .map(({ commitment, path, value, status, height }) => ({ commitment, path, value, status, height }))
      .sort((a, b) => (a.commitment < b.commitment ? -1 : 1)),
    accounts: (await wallet.accounts()).map(({ index }) => index),
  })

  test('finds the outputs of the seed, with accounts, paths and amounts, and no others', async () => {
    expect(await seen(watching)).toEqual(await seen(alice.wallet))
    expect((await watching.balance(near)).spendable).toBe(125n * GRIN)
  })

  test('sees what was spent at a refresh, and the change when it scans the newest blocks', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const { slateId } = await alice.wallet.finalize((await bob.wallet.receive(s1.slatepack)).slatepack)
    await alice.wallet.post(slateId, chain)
    const before = await watching.height()
    chain.mine()
    await alice.wallet.refresh(chain)
    await watching.refresh(chain)
    expect((await watching.balance(near)).spendable).toBeLessThan(125n * GRIN)
    const { seen: lookedAt } = await watching.restore({ ...chain, fromHeight: before + 1 })
    expect(lookedAt).toBe(2)
    expect((await watching.balance(near)).spendable).toBe((await alice.wallet.balance(near)).spendable)
  })

  test('has no verb that signs, and its signer refuses them all', async () => {
    expect(
      Object.keys(watching).filter((verb) => ['send', 'receive', 'pay', 'invoice', 'finalize'].includes(verb)),
    ).toEqual([])
    const whole = await openWallet({
      signer: createViewSigner(keychain.rewindHash),
      storage: createMemoryStorage(),
      ...parts,
    })
    await whole.restore(chain)
    for (const attempt of [
      () => whole.send({ amount: GRIN, ...near }),
      () => whole.invoice({ amount: GRIN }),
      () => whole.address(),
      () => whole.read('BEGINSLATEPACK. x. ENDSLATEPACK.'),
    ])
      expect(await codeOf(attempt)).toBe('WALLET_WATCH_ONLY')
  })

  test('an output of a foreign seed is not shown, and neither is one of another view key', async () => {
    const other = await watch(createMemoryStorage(), openKeychain(new Uint8Array(32).fill(9)).rewindHash)
    const { found, seen: lookedAt } = await other.restore(chain)
    expect(found).toBe(0)
    expect(lookedAt).toBeGreaterThan(3)
  })
})

test('its storage is not that of the seed, and a key of another length is refused', async () => {
  const storage = createMemoryStorage()
  await watch(storage)
  await watch(storage)
  expect(
    await codeOf(() => openWallet({ keychain, prover: { prove, verify: async () => true }, storage, ...parts })),
  ).toBe('WALLET_OTHER_SEED')
  await expect(watch(createMemoryStorage(), new Uint8Array(31))).rejects.toThrow('a view key of 31 bytes')
})

test('who has the view key alone can forge income: it opens to a watching wallet, and not to the seed', async () => {
  const forged = { ...keychain.proofInput(outputIdentifier(0, 0), GRIN), blind: 12345n }
  const commitment = commit(GRIN, forged.blind)
  const rewindNonce = ofKind('rewind nonce', blake2b256(keychain.rewindHash, commitment))
  const proof = await prove({ ...forged, rewindNonce })
  const seen = await createViewSigner(keychain.rewindHash).identify([
    { commitment, proof, coinbase: false, height: 1, mmrIndex: 1 },
  ])
  expect(seen).toMatchObject([{ path: 'm/0/0/0', value: GRIN }])
  expect(keychain.rewindOutput(commitment, proof)).toBeUndefined()
})
