// Wallets over the simulated chain: its node checks every sum, signature and proof, and is asked over HTTP.
import { type Keychain, openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { type SandboxNode, startSandboxNode } from '../../src/sandbox/index.js'
import { makeCoinbase } from '../../src/sandbox/payer.js'
import { systemRandom } from '../../src/system/index.js'
import {
  createFetchNode,
  createMemoryStorage,
  openWallet,
  type Wallet,
  type WalletNode,
  type WalletStorage,
} from '../../src/wallet/index.js'
import { prove, verify } from '../support/grin.js'

export const GRIN = 1_000_000_000n
const NOW = Date.parse('2026-01-01T00:00:00Z')
const clock = { now: () => NOW, monotonic: () => NOW, sleep: async () => undefined }

export interface TestChain {
  readonly sandbox: SandboxNode
  readonly node: WalletNode
  /** Mines a coinbase of 60 GRIN, or `value`, to m/account/0/index. */
  mineTo(keychain: Keychain, index: number, value?: bigint, account?: number): Promise<void>
  close(): Promise<void>
}

export async function startChain(): Promise<TestChain> {
  const sandbox = await startSandboxNode({ verify, clock, random: systemRandom })
  return {
    sandbox,
    node: createFetchNode({ url: sandbox.url }),
    async mineTo(keychain, index, value = 60n * GRIN, account = 0) {
      const parts = { keychain, prove, random: systemRandom }
      const { json } = await makeCoinbase(outputIdentifier(account, index), value, parts)
      const answer = await fetch(`${sandbox.url}/sandbox/coinbase`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    close: () => sandbox.close(),
  }
}

export interface TestWallet {
  readonly wallet: Wallet
  readonly keychain: Keychain
  readonly storage: WalletStorage
}

/** A wallet of a seed that consists of one byte. */
export async function walletFor(
  seed: number | Keychain,
  storage: WalletStorage = createMemoryStorage(),
): Promise<TestWallet> {
  const keychain = typeof seed === 'number' ? openKeychain(new Uint8Array(32).fill(seed)) : seed
  const prover = { prove, verify }
  const parts = { keychain, storage, prover, random: systemRandom.bytes, now: () => NOW }
  return { wallet: await openWallet({ ...parts, chainType: 'sandbox' }), keychain, storage }
}

/** A wallet with `count` coinbases that can be spent. */
export async function fundedWallet(chain: TestChain, seed: number, values: readonly bigint[]): Promise<TestWallet> {
  const made = await walletFor(seed)
  for (const [index, value] of values.entries()) await chain.mineTo(made.keychain, index, value)
  chain.sandbox.mine(3)
  await made.wallet.restore({ node: chain.node })
  return made
}

/** A wallet that handed out so many addresses, and notes which address keys are computed: the index of each, of account 0. */
export async function walletOfAddresses({ node }: { readonly node: WalletNode }, addresses: number) {
  const keychain = openKeychain(new Uint8Array(32).fill(2))
  const computed: number[] = []
  const counting: Keychain = {
    ...keychain,
    addressSeed(account, index) {
      if (account === 0) computed.push(index)
      return keychain.addressSeed(account, index)
    },
  }
  const { wallet, storage } = await walletFor(counting)
  await wallet.restore({ node, addresses })
  return { wallet, storage, keychain, computed }
}
