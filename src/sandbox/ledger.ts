// The chain's memory: blocks, unspent outputs, kernels. Blocks go on and come off at the end only.
import type { Block, BlockBody, HeaderJson, Seal } from './block.js'
import type { KernelJson, OutputJson, TransactionJson } from './transaction.js'

export interface UnspentOutput extends OutputJson {
  readonly height: number
  /** 1-based position in the output range. */
  readonly position: number
}

export interface MinedKernel {
  readonly kernel: KernelJson
  readonly height: number
  /** 1-based position in the kernel range. */
  readonly position: number
}

/** What one block changed, to be able to take it off again. */
interface Undo {
  readonly spent: readonly UnspentOutput[]
  readonly outputLeaves: number
  readonly kernelLeaves: number
}

export type Ledger = ReturnType<typeof createLedger>

/** Begins with an empty block 0. The caller has checked what it appends. */
export function createLedger(seal: Seal, genesisAt: number) {
  const blocks: Block[] = []
  const undos: Undo[] = []
  const unspent = new Map<string, UnspentOutput>()
  const kernels = new Map<string, MinedKernel[]>()
  const leaves = { outputs: 0, kernels: 0 }

  function spend(commits: readonly string[]): UnspentOutput[] {
    return commits.flatMap((commit) => {
      const output = unspent.get(commit)
      unspent.delete(commit)
      return output ? [output] : []
    })
  }

  function append(body: BlockBody, timestamp: number, transactions: readonly TransactionJson[]): Block {
    const height = blocks.length
    undos.push({ spent: spend(body.inputs), outputLeaves: leaves.outputs, kernelLeaves: leaves.kernels })
    for (const output of body.outputs)
      unspent.set(output.commit, { ...output, height, position: leafPosition(leaves.outputs++) })
    for (const kernel of body.kernels) {
      const same = kernels.get(kernel.excess) ?? []
      kernels.set(kernel.excess, [...same, { kernel, height, position: leafPosition(leaves.kernels++) }])
    }
    const header = seal({
      height,
      previous: blocks.at(-1)?.header,
      timestamp,
      outputMmrSize: rangeSize(leaves.outputs),
      kernelMmrSize: rangeSize(leaves.kernels),
      body,
    })
    const block = { ...body, header, transactions }
    blocks.push(block)
    return block
  }

  function forgetKernel(excess: string, height: number): void {
    const older = (kernels.get(excess) ?? []).filter((mined) => mined.height < height)
    if (older.length > 0) kernels.set(excess, older)
    else kernels.delete(excess)
  }

  /** Takes the newest block off; block 0 stays. */
  function undo(): Block | undefined {
    const [block, change] = blocks.length > 1 ? [blocks.pop(), undos.pop()] : []
    if (!block || !change) return undefined
    for (const output of block.outputs) unspent.delete(output.commit)
    for (const output of change.spent) unspent.set(output.commit, output)
    for (const { excess } of block.kernels) forgetKernel(excess, block.header.height)
    leaves.outputs = change.outputLeaves
    leaves.kernels = change.kernelLeaves
    return block
  }

  const genesis = append({ inputs: [], outputs: [], kernels: [] }, genesisAt, []).header
  return {
    append,
    undo,
    tip: (): HeaderJson => blocks.at(-1)?.header ?? genesis,
    blockAt: (height: number): Block | undefined => blocks[height],
    blockBy: (matches: (block: Block) => boolean): Block | undefined => blocks.findLast(matches),
    output: (commit: string): UnspentOutput | undefined => unspent.get(commit),
    /** The newest kernel with this excess. */
    kernel: (excess: string): MinedKernel | undefined => kernels.get(excess)?.at(-1),
    /** By position. */
    unspent: (): UnspentOutput[] => [...unspent.values()].sort((a, b) => a.position - b.position),
  }
}

// Grin numbers outputs and kernels by their place in a Merkle mountain range: leaves and inner nodes share one count.

function ones(value: number): number {
  let count = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}

/** Nodes of a range with this many leaves. */
export const rangeSize = (leaves: number): number => 2 * leaves - ones(leaves)

/** 1-based position of the leaf that follows `before` others. */
const leafPosition = (before: number): number => rangeSize(before) + 1
