// The simulated chain without HTTP and without arithmetic: for tests that live through many chains.
import { type Keychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { transactionJson } from '../../src/grin/tx/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import { createBlockSeal } from '../../src/sandbox/block.js'
import { createSimulatedChain, type SimulatedChain } from '../../src/sandbox/chain.js'
import type { UnspentOutput } from '../../src/sandbox/ledger.js'
import { makeCoinbase } from '../../src/sandbox/payer.js'
import { parseKernel, parseOutput, parseTransaction } from '../../src/sandbox/transaction-json.js'
import { systemRandom } from '../../src/system/index.js'
import { type ProvenOutput, type WalletNode, walletErrors } from '../../src/wallet/index.js'
import { prove } from '../support/grin.js'
import { GRIN, walletFor } from './fixture.js'

export interface DirectChain {
  readonly chain: SimulatedChain
  readonly node: WalletNode
  mine(blocks?: number): void
  /** Mines a coinbase to m/account/0/index. */
  mineTo(keychain: Keychain, index: number, value: bigint, account?: number): Promise<void>
}

const provenOf = (output: UnspentOutput): ProvenOutput => ({
  commitment: fromHex(output.commit),
  coinbase: output.features === 'Coinbase',
  height: output.height,
  mmrIndex: output.position,
  proof: fromHex(output.proof),
})

export function createDirectChain(prover = prove): DirectChain {
  const chain = createSimulatedChain({ seal: createBlockSeal(() => systemRandom.bytes(8)), genesisAt: 0 })
  return {
    chain,
    node: nodeOf(chain),
    mine(blocks = 1) {
      for (let mined = 0; mined < blocks; mined++) chain.mine(0)
    },
    async mineTo(keychain, index, value, account = 0) {
      const parts = { keychain, prove: prover, random: systemRandom }
      const made = await makeCoinbase(outputIdentifier(account, index), value, parts)
      const { output, kernel } = made.json as { output: unknown; kernel: unknown }
      chain.mine(0, { coinbase: { output: parseOutput(output)!, kernel: parseKernel(kernel)! } })
    },
  }
}

/** A wallet's node over a simulated chain. */
export function nodeOf(chain: SimulatedChain): WalletNode {
  const { ledger } = chain
  return {
    tip: async () => ({ height: ledger.tip().height, hash: ledger.tip().hash }),
    blockHash: async (height) => ledger.blockAt(height)?.header.hash,
    async kernelHeight(excess, minHeight) {
      const height = ledger.kernel(toHex(excess))?.height
      return height !== undefined && height >= minHeight ? height : undefined
    },
    outputs: async (commitments) => commitments.flatMap((one) => ledger.output(toHex(one)) ?? []).map(provenOf),
    async outputRange(fromHeight) {
      const before = ledger.blockAt(fromHeight - 1)?.header.output_mmr_size ?? 0
      return { first: before + 1, last: ledger.tip().output_mmr_size }
    },
    async outputPage(first, last = ledger.tip().output_mmr_size, most) {
      const all = ledger.unspent().filter(({ position }) => position >= first && position <= last)
      const page = all.slice(0, most)
      const reached = page.length === most ? (page.at(-1)?.position ?? last) : last
      return { last: reached, highest: last, outputs: page.map(provenOf) }
    },
    async push(transaction) {
      const refusal = chain.admit(parseTransaction(transactionJson(transaction))!, 0)
      if (refusal !== undefined && refusal !== 'Duplicate tx')
        throw walletErrors.walletNodeRefused('push_transaction', refusal)
    },
  }
}

/** A chain on which Alice has so many coins of 60 GRIN below `blocks` further blocks, and Bob none; both wallets know its tip. */
export async function startPair(coins: number, blocks: number) {
  const chain = createDirectChain()
  const [alice, bob] = [await walletFor(1), await walletFor(2)]
  for (let index = 0; index < coins; index++) await chain.mineTo(alice.keychain, index, 60n * GRIN)
  chain.mine(blocks)
  await alice.wallet.restore(chain)
  await bob.wallet.refresh(chain)
  return { chain, alice, bob }
}

/** Alice pays Bob; the transaction is in the pool. Answers the id of its slate. */
export async function pay(
  { chain, alice, bob }: Awaited<ReturnType<typeof startPair>>,
  amount: bigint,
  options: { readonly ttlBlocks?: number } = {},
): Promise<string> {
  const s1 = await alice.wallet.send({ amount, minConfirmations: 1, ...options })
  const s2 = await bob.wallet.receive(s1.slate)
  await alice.wallet.finalize(s2.slate)
  await alice.wallet.post(s1.slateId, chain)
  return s1.slateId
}
