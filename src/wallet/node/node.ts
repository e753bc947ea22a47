// The node port of a wallet: what it asks a Grin node. Specification: grin-wallet, 8; grin-network, 2.
import type { Commitment, RangeProof } from '../../grin/kinds/index.js'
import type { Transaction } from '../../grin/tx/index.js'
import type { WebAbortSignal } from '../../lib/web-types.js'
import { walletNodeFailed } from '../errors.js'
import type { SeenBlock } from '../model.js'

/** An unspent output of the chain. */
export interface ChainOutput {
  /** 33 bytes. */
  readonly commitment: Commitment
  readonly coinbase: boolean
  /** The block that holds it. */
  readonly height: number
  /** Its place among the outputs of the chain, from 1. */
  readonly mmrIndex: number
}

export interface ProvenOutput extends ChainOutput {
  /** 675 bytes. */
  readonly proof: RangeProof
}

/** A page of the unspent outputs. */
export interface OutputPage {
  /** The last index that the page looked at: the next page begins after it. */
  readonly last: number
  /** The last index of the chain, or of the range that was asked for. */
  readonly highest: number
  readonly outputs: readonly ProvenOutput[]
}

/** What every call of a node takes: a signal that ends it. */
export interface NodeCall {
  readonly signal?: WebAbortSignal | undefined
}

/** A kernel to look for. */
export interface KernelQuestion {
  /** 33 bytes. */
  readonly excess: Commitment
  /** The height from which it is searched. */
  readonly minHeight: number
}

/** Every call rejects with WALLET_NODE_FAILED without an answer, with WALLET_NODE_REFUSED for an error of the node. */
export interface WalletNode {
  /** The newest block. */
  tip(call?: NodeCall): Promise<SeenBlock>
  /** Hash of the block at this height, 64 hex; undefined if the chain is shorter. */
  blockHash(height: number, call?: NodeCall): Promise<string | undefined>
  /** Height of the kernel (33 bytes), searched from `minHeight` up; undefined: not mined. */
  kernelHeight(excess: Commitment, minHeight: number, call?: NodeCall): Promise<number | undefined>
  /** Heights of kernels in the order of the questions, in any number. Absent: the wallet asks for one after the other. */
  kernelHeights?(asked: readonly KernelQuestion[], call?: NodeCall): Promise<readonly (number | undefined)[]>
  /** The unspent ones among these commitments (33 bytes each), in any number. */
  outputs(commitments: readonly Uint8Array[], call?: NodeCall): Promise<readonly ChainOutput[]>
  /** The first and last index of the outputs in the blocks from `fromHeight` up. */
  outputRange(fromHeight: number, call?: NodeCall): Promise<{ readonly first: number; readonly last: number }>
  /** Unspent outputs by index, at most `most` (1 … 10000), from index `first` to `last` (absent: the newest). */
  outputPage(first: number, last: number | undefined, most: number, call?: NodeCall): Promise<OutputPage>
  /** `fluff` false: by Dandelion. A transaction that the pool holds already succeeds. */
  push(transaction: Transaction, fluff: boolean, call?: NodeCall): Promise<void>
}

// Refuses heights and indexes that no chain reaches, from any implementation of the node port: stored, they would end in numbers beyond 2^53.
/** A block a minute reaches it in 8,000 years. */
export const MOST_HEIGHT = 2 ** 32 - 1
/** Outputs of the chain, spent ones too. */
const MOST_INDEX = 2 ** 48

function checkLimit(value: number, most: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0 || value > most)
    throw walletNodeFailed(`its answer cannot be right: ${what} ${value}`)
  return value
}

const height = (value: number): number => checkLimit(value, MOST_HEIGHT, 'height')
const index = (value: number): number => checkLimit(value, MOST_INDEX, 'output index')

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
