// Blocks of the simulated chain. A header has the members of a node's JSON; there is no proof of work in it.
import { blake2b256 } from '../grin/crypto/index.js'
import { fromHex, toHex, utf8 } from '../lib/bytes.js'
import type { KernelJson, OutputJson, TransactionJson } from './transaction.js'

/** Exactly what `get_header` prints. */
export interface HeaderJson {
  readonly cuckoo_solution: readonly number[]
  readonly edge_bits: number
  readonly hash: string
  readonly height: number
  readonly kernel_mmr_size: number
  readonly kernel_root: string
  readonly nonce: number
  readonly output_mmr_size: number
  readonly output_root: string
  readonly prev_root: string
  readonly previous: string
  readonly range_proof_root: string
  readonly secondary_scaling: number
  /** RFC 3339 with `+00:00`, whole seconds. */
  readonly timestamp: string
  readonly total_difficulty: number
  readonly total_kernel_offset: string
  readonly version: number
}

/** What a block does to the chain, after cut-through: no input and output of one block cancel each other. */
export interface BlockBody {
  /** Commitments, hex. */
  readonly inputs: readonly string[]
  readonly outputs: readonly OutputJson[]
  readonly kernels: readonly KernelJson[]
}

export interface Block extends BlockBody {
  readonly header: HeaderJson
  /** What it was made from, so that a reorganisation can put it back into the pool. */
  readonly transactions: readonly TransactionJson[]
}

/** A coinbase as a miner's wallet makes it. */
export interface Coinbase {
  readonly output: OutputJson
  readonly kernel: KernelJson
}

interface HeaderParts {
  readonly height: number
  readonly previous: HeaderJson | undefined
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly outputMmrSize: number
  readonly kernelMmrSize: number
  readonly body: BlockBody
}

/** Turns the parts into a header. The chain takes this as a function so that recorded headers can be replayed. */
export type Seal = (parts: HeaderParts) => HeaderJson

const ZERO = '0'.repeat(64)
const HEADER_VERSION = 5
const NAME = 'grinpay SANDBOX chain, not a Grin network'

/** RFC 3339 as nodes print it. */
const timestampText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00')

/** Headers without proof of work; `salt` makes the blocks of a fork differ from those they replace. */
export function createBlockSeal(salt: () => Uint8Array): Seal {
  return ({ height, previous, timestamp, outputMmrSize, kernelMmrSize, body }) => {
    const before = previous?.hash ?? ZERO
    const content = `${NAME} ${height} ${timestamp} ${body.kernels.map((kernel) => kernel.excess).join(' ')}`
    return {
      cuckoo_solution: [],
      edge_bits: 15,
      hash: toHex(blake2b256(new Uint8Array([...fromHex(before), ...utf8(content), ...salt()]))),
      height,
      kernel_mmr_size: kernelMmrSize,
      kernel_root: ZERO,
      nonce: 0,
      output_mmr_size: outputMmrSize,
      output_root: ZERO,
      prev_root: ZERO,
      previous: before,
      range_proof_root: ZERO,
      secondary_scaling: 0,
      timestamp: timestampText(timestamp),
      total_difficulty: (previous?.total_difficulty ?? 0) + 1,
      total_kernel_offset: ZERO,
      version: HEADER_VERSION,
    }
  }
}

/** Joins transactions (and a coinbase) into one body: what one creates and another spends disappears. */
export function blockBodyOf(transactions: readonly TransactionJson[], coinbase?: Coinbase): BlockBody {
  const spent = new Set(transactions.flatMap(({ body }) => body.inputs.map((input) => input.commit)))
  const outputs = transactions.flatMap(({ body }) => body.outputs)
  const created = new Set(outputs.map((output) => output.commit))
  return {
    inputs: [...spent].filter((commit) => !created.has(commit)),
    outputs: [...(coinbase ? [coinbase.output] : []), ...outputs.filter((output) => !spent.has(output.commit))],
    kernels: [...transactions.flatMap(({ body }) => body.kernels), ...(coinbase ? [coinbase.kernel] : [])],
  }
}
