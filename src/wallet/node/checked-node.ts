// Refuses heights and indexes that no chain reaches, from any implementation of the node port: stored, they would end in numbers beyond 2^53.
import { walletNodeFailed } from '../errors.js'
import type { ChainOutput, KernelQuestion, NodeCall, WalletNode } from './node.js'

/** A block a minute reaches it in 8,000 years. */
export const MOST_HEIGHT = 2 ** 32 - 1
/** Outputs of the chain, spent ones too. */
const MOST_INDEX = 2 ** 48

function checked(value: number, most: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0 || value > most)
    throw walletNodeFailed(`its answer cannot be right: ${what} ${value}`)
  return value
}

const height = (value: number): number => checked(value, MOST_HEIGHT, 'height')
const index = (value: number): number => checked(value, MOST_INDEX, 'output index')

function checkOutputs<O extends ChainOutput>(outputs: readonly O[]): readonly O[] {
  for (const output of outputs) {
    height(output.height)
    index(output.mmrIndex)
  }
  return outputs
}

async function checkedKernels(
  node: WalletNode,
  asked: readonly KernelQuestion[],
  call?: NodeCall,
): Promise<readonly (number | undefined)[]> {
  const heights = (await node.kernelHeights?.(asked, call)) ?? []
  if (heights.length !== asked.length)
    throw walletNodeFailed(`${asked.length} kernels were asked for, its answer has ${heights.length}`)
  return heights.map((found) => (found === undefined ? undefined : height(found)))
}

/** The node; every call rejects with WALLET_NODE_FAILED for a number that cannot be right. */
export const checkedNode = (node: WalletNode): WalletNode => ({
  ...(node.kernelHeights && { kernelHeights: (asked, call) => checkedKernels(node, asked, call) }),
  async tip(call) {
    const tip = await node.tip(call)
    height(tip.height)
    return tip
  },
  blockHash: (at, call) => node.blockHash(at, call),
  async kernelHeight(excess, minHeight, call) {
    const found = await node.kernelHeight(excess, minHeight, call)
    return found === undefined ? undefined : height(found)
  },
  outputs: async (commitments, call) => checkOutputs(await node.outputs(commitments, call)),
  async outputRange(fromHeight, call) {
    const { first, last } = await node.outputRange(fromHeight, call)
    return { first: index(first), last: index(last) }
  },
  async outputPage(first, last, most, call) {
    const page = await node.outputPage(first, last, most, call)
    checkOutputs(page.outputs)
    index(page.last)
    index(page.highest)
    return page
  },
  push: (transaction, fluff, call) => node.push(transaction, fluff, call),
})
