// A chain that a test writes: which kernels stand in which block, which outputs are unspent, what is in the pool.
import { toHex } from '../../src/lib/bytes.js'
import type { Chain, Payment } from '../../src/till/index.js'

export interface FakeChain extends Chain {
  height: number
  /** Of the tip block, where the node tells. */
  time: number | undefined
  /** While set, every question fails with this text. */
  down: string | undefined
  readonly kernels: Map<string, number>
  readonly outputs: Set<string>
  readonly pool: Set<string>
  /** The lowest height of each kernel search. */
  readonly searchedFrom: number[]
  /** Transactions that were pushed, in order, and what the node says to the next ones; then it takes them. */
  readonly pushed: { readonly transaction: string; readonly fluff: boolean }[]
  readonly refusals: string[]
  /** Puts the payment's transaction into a block, or takes it out. */
  mine(payment: Payment, height: number): void
  drop(payment: Payment): void
}

export function createFakeChain(height = 1_000_000): FakeChain {
  const answer = async <T>(value: T): Promise<T> => {
    if (chain.down !== undefined) throw new Error(chain.down)
    return value
  }
  const chain: FakeChain = {
    height,
    time: undefined,
    down: undefined,
    kernels: new Map(),
    outputs: new Set(),
    pool: new Set(),
    searchedFrom: [],
    pushed: [],
    refusals: [],
    mine({ excess, commitment }, at) {
      chain.kernels.set(toHex(excess), at)
      chain.outputs.add(toHex(commitment))
    },
    drop({ excess, commitment }) {
      chain.kernels.delete(toHex(excess))
      chain.outputs.delete(toHex(commitment))
    },
    newestBlockTime: () => chain.time,
    tip: () => answer({ height: chain.height, hash: 'aa'.repeat(32), time: chain.time }),
    kernelHeight(excess, minHeight) {
      chain.searchedFrom.push(minHeight)
      const at = chain.kernels.get(toHex(excess))
      return answer(at !== undefined && at >= minHeight ? at : undefined)
    },
    unspent: (commitments) => answer(new Set(commitments.map(toHex).filter((hex) => chain.outputs.has(hex)))),
    witnesses: async ({ excess, commitment }) => [
      {
        host: 'node.example',
        tip: chain.height,
        kernelHeight: chain.kernels.get(toHex(excess)),
        outputThere: chain.outputs.has(toHex(commitment)),
      },
    ],
    isDisputed: () => false,
    poolExcesses: () => answer(new Set(chain.pool)),
    push(transaction, fluff) {
      chain.pushed.push({ transaction, fluff })
      const refused = chain.refusals.shift()
      return answer(refused === undefined ? 'pushed' : { refused })
    },
  }
  return chain
}
