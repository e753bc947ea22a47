// The Grin nodes of a wallet world: one chain, and nodes that show it each in its own way.

import { transactionJson } from '../../../src/grin/tx/index.js'
import type { SimulatedChain } from '../../../src/sandbox/chain.js'
import type { createValidate } from '../../../src/sandbox/control.js'
import { parseTransaction } from '../../../src/sandbox/transaction-json.js'
import { type ChainOutput, type WalletNode, walletErrors } from '../../../src/wallet/index.js'
import { nodeOf } from '../../wallet/direct-chain.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Pass } from './storage.js'

/** What is wrong with a node that wallets must see through, or that only costs time. */
export const TROUBLES = ['away', 'slow', 'behind', 'other chain', 'impossible numbers'] as const
/** What no wallet can see: another node and `check` must bring the truth back. */
export const LIES = ['denies kernels', 'hides outputs', 'hides some outputs', 'swallows transactions'] as const
export type Mood = 'well' | (typeof TROUBLES)[number] | (typeof LIES)[number]

export interface WorldNode {
  mood: Mood
}

export interface NodesParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly chain: SimulatedChain
  readonly validate: ReturnType<typeof createValidate>
}

const BEHIND_BLOCKS = 8

export function createNodes({ time, chance, chain, validate }: NodesParts) {
  const honest: WalletNode = {
    ...nodeOf(chain),
    async push(transaction) {
      const json = parseTransaction(transactionJson(transaction))
      if (!json) throw new Error('a transaction of a wallet is no transaction')
      const early = chain.quickRefusal(json)
      if (early === undefined && !(await validate(json))) throw new Error('a wallet pushed an invalid transaction')
      const refusal = early ?? chain.admit(json, time.now())
      if (refusal !== undefined && refusal !== 'Duplicate tx')
        throw walletErrors.walletNodeRefused('push_transaction', refusal)
    },
  }
  const tip = () => chain.ledger.tip().height
  const past = () => Math.max(0, tip() - BEHIND_BLOCKS)

  /** The same answers as a node in this mood gives them. */
  function mooded(node: WorldNode): WalletNode {
    const sees = (output: ChainOutput): boolean => {
      if (node.mood === 'behind') return output.height <= past()
      if (node.mood === 'hides outputs') return false
      return node.mood !== 'hides some outputs' || (output.commitment[5] ?? 0) % 2 === 0
    }
    return {
      async tip() {
        const found = await honest.tip()
        if (node.mood === 'impossible numbers') return { ...found, height: 2 ** 40 }
        if (node.mood !== 'behind') return found
        return { height: past(), hash: chain.ledger.blockAt(past())?.header.hash ?? '' }
      },
      async blockHash(height) {
        if (node.mood === 'behind' && height > past()) return undefined
        const hash = await honest.blockHash(height)
        return node.mood === 'other chain' ? hash?.replace(/^../, (two) => (two === '00' ? '11' : '00')) : hash
      },
      async kernelHeight(excess, minHeight) {
        if (node.mood === 'denies kernels') return undefined
        const height = await honest.kernelHeight(excess, minHeight)
        return node.mood === 'behind' && height !== undefined && height > past() ? undefined : height
      },
      outputs: async (commitments) => (await honest.outputs(commitments)).filter(sees),
      outputRange: honest.outputRange,
      async outputPage(first, last, most) {
        const page = await honest.outputPage(first, last, most)
        return { ...page, outputs: page.outputs.filter(sees) }
      },
      async push(transaction, fluff) {
        if (node.mood === 'swallows transactions') return
        await honest.push(transaction, fluff)
      },
    }
  }

  /** The node as one window reaches it: every call takes time, on the way there and back, and blocks may come between two. */
  function reach(node: WorldNode, pass: Pass): WalletNode {
    const inner = mooded(node)
    async function call<T>(what: string, job: () => Promise<T>, signal?: { throwIfAborted(): void }): Promise<T> {
      const mostMs = node.mood === 'slow' ? 90_000 : chance.is(0.1) ? 30_000 : 500
      await pass(`node: ${what}`, mostMs)
      signal?.throwIfAborted()
      if (node.mood === 'away') throw walletErrors.walletNodeFailed('away')
      const answer = await job()
      await pass(`node: ${what} answered`, mostMs)
      signal?.throwIfAborted()
      return answer
    }
    return {
      tip: (options) => call('tip', () => inner.tip(), options?.signal),
      blockHash: (height, options) => call('block', () => inner.blockHash(height), options?.signal),
      kernelHeight: (excess, minHeight, options) =>
        call('kernel', () => inner.kernelHeight(excess, minHeight), options?.signal),
      outputs: (commitments, options) => call('outputs', () => inner.outputs(commitments), options?.signal),
      outputRange: (from, options) => call('range', () => inner.outputRange(from), options?.signal),
      outputPage: (first, last, most, options) =>
        call('page', () => inner.outputPage(first, last, most), options?.signal),
      push: (transaction, fluff, options) => call('push', () => inner.push(transaction, fluff), options?.signal),
    }
  }

  return { honest, reach }
}

export type Nodes = ReturnType<typeof createNodes>
