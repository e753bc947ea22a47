// The Foreign API of one node, as far as a wallet needs it (specification: grin-network, 2).
import type { ZodType } from 'zod'
import { toHex } from '../lib/bytes.js'
import { chainOfFirstBlock } from '../lib/chains.js'
import type { Tip } from '../till/index.js'
import {
  blockAnswer,
  headerAnswer,
  kernelAnswer,
  type NodeBlock,
  type NodeHeader,
  type NodeOutput,
  type OutputPage,
  outputPageAnswer,
  outputsAnswer,
  poolAnswer,
  tipAnswer,
  versionAnswer,
} from './answers.js'
import { nodeRefused, nodeUnreachable } from './errors.js'
import { type CallResult, createRpc, type RpcOptions } from './rpc.js'

// Pages through the unspent outputs for a wallet scan.
interface OutputRange {
  /** First index, from 1. */
  readonly first: number
  /** Last index, or null for all outputs. */
  readonly last: number | null
  /** Outputs per page, at most 10000; default 1000. */
  readonly pageSize?: number
  /** Range proofs too; default true. */
  readonly proofs?: boolean
  /** Checked between pages. */
  readonly signal?: AbortSignal
}

/** More than chains need at a thousand outputs per page. */
const MAX_PAGES = 100_000

interface PageSource {
  readonly host: string
  readonly page: (first: number, last: number | null, most: number) => Promise<OutputPage>
}

/** Pages up to the highest index. Throws NODE_UNREACHABLE if the node makes no progress, so this always ends. */
async function* outputPages({ host, page }: PageSource, range: OutputRange): AsyncGenerator<readonly NodeOutput[]> {
  const { last, pageSize = 1000, signal } = range
  let next = range.first
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    signal?.throwIfAborted()
    const { highest, last: reached, outputs } = await page(next, last, pageSize)
    if (outputs.length > 0) yield outputs
    if (reached >= highest || outputs.length === 0) return
    if (reached < next) throw nodeUnreachable(host, 'its pages of outputs do not move forward')
    next = reached + 1
  }
}

/** Rejects with NODE_UNREACHABLE without a response, with NODE_REFUSED for an error of the node. */
export interface NodeApi {
  readonly host: string
  version(): Promise<{ readonly nodeVersion: string; readonly headerVersion: number }>
  tip(): Promise<Tip>
  /** Undefined if there is no such block. */
  header(at: BlockName): Promise<NodeHeader | undefined>
  block(at: BlockName): Promise<NodeBlock | undefined>
  /** Height of the kernel (33 bytes), searched from `minHeight` up. */
  kernelHeight(excess: Uint8Array, minHeight: number): Promise<number | undefined>
  /** The unspent ones among these commitments (33 bytes each). */
  outputs(commitments: readonly Uint8Array[], proofs?: boolean): Promise<readonly NodeOutput[]>
  /** Excesses (hex) of the kernels in the pool. */
  poolExcesses(): Promise<readonly string[]>
  /** Pushes a transaction in the node's JSON form; a repeat succeeds. `fluff` false: Dandelion. */
  pushTransaction(tx: unknown, fluff: boolean): Promise<'pushed' | 'already-there'>
  /** The index range of the outputs of these heights; `to` null = up to the tip. */
  pmmrIndices(from: number, to: number | null): Promise<{ readonly first: number; readonly last: number }>
  /** Pages of unspent outputs of an index range, in order. */
  unspentOutputs(range: OutputRange): AsyncGenerator<readonly NodeOutput[]>
  close(): void
}

type BlockName = { readonly height: number } | { readonly hash: string }

/** Queries one node and checks its responses. `url` may contain `user:password@`. Throws TypeError for an invalid URL. */
export function createNodeQuestions(url: string, options: RpcOptions = {}) {
  const rpc = createRpc(url, options)

  /** The value of a call, or undefined for `NotFound`. */
  async function find<T>(method: string, params: readonly unknown[], shape: ZodType<T>): Promise<T | undefined> {
    const answer = await rpc.call(method, params)
    if ('err' in answer && answer.err === 'NotFound') return undefined
    return read(shape, okOf(answer, method), method)
  }

  async function get<T>(method: string, params: readonly unknown[], shape: ZodType<T>): Promise<T> {
    return read(shape, okOf(await rpc.call(method, params), method), method)
  }

  function okOf(answer: CallResult, method: string): unknown {
    if ('ok' in answer) return answer.ok
    throw nodeRefused(rpc.host, method, `${answer.err} ${answer.text}`.trim())
  }

  function read<T>(shape: ZodType<T>, value: unknown, method: string): T {
    const { success, data } = shape.safeParse(value)
    if (!success) throw nodeUnreachable(rpc.host, `its answer to ${method} has another form than expected`)
    return data
  }

  return { host: rpc.host, call: rpc.call, find, get, okOf, close: () => rpc.close() }
}

export type NodeQuestions = ReturnType<typeof createNodeQuestions>

/** `url` as in PAY_NODE_URL. Throws TypeError for an invalid URL. */
export function createNodeApi(url: string, options: RpcOptions = {}): NodeApi {
  const { host, call, find, get, okOf, close } = createNodeQuestions(url, options)
  return {
    host,
    version: () => get('get_version', [], versionAnswer),
    tip: () => get('get_tip', [], tipAnswer),
    header: (at) => find('get_header', blockParams(at), headerAnswer),
    block: (at) => find('get_block', blockParams(at), blockAnswer),
    async kernelHeight(excess, minHeight) {
      const hex = toHex(excess)
      const from = Math.max(minHeight, 1)
      const found = await find('get_kernel', [hex, from, null], kernelAnswer)
      if (found && found.tx_kernel.excess !== hex) throw nodeUnreachable(host, 'it answered with another kernel')
      // Otherwise one wrong height would confirm a recent payment.
      if (found && found.height < from) throw nodeUnreachable(host, 'it answered with a block that was not asked for')
      return found?.height
    },
    async outputs(commitments, proofs = false) {
      const asked = new Set(commitments.map(toHex))
      const found = await get('get_outputs', [[...asked], null, null, proofs, false], outputsAnswer)
      return found.filter(({ commitment, spent }) => !spent && asked.has(commitment))
    },
    poolExcesses: () => get('get_unconfirmed_transactions', [], poolAnswer),
    async pushTransaction(tx, fluff) {
      const answer = await call('push_transaction', [tx, fluff])
      if ('err' in answer && /Duplicate tx/i.test(answer.text)) return 'already-there'
      okOf(answer, 'push_transaction')
      return 'pushed'
    },
    async pmmrIndices(from, to) {
      const { last, highest } = await get('get_pmmr_indices', [from, to], outputPageAnswer)
      return { first: last, last: highest }
    },
    unspentOutputs(range) {
      const page: PageSource['page'] = (first, last, most) =>
        get('get_unspent_outputs', [first, last, most, range.proofs ?? true], outputPageAnswer)
      return outputPages({ host, page }, range)
    },
    close,
  }
}

const blockParams = (at: BlockName): readonly unknown[] =>
  'height' in at ? [at.height, null, null] : [null, at.hash, null]

// Identifies a node's public chain by the hash of its first block.
/** Undefined for a private chain, and for a node that does not return its first block within `timeoutMs`. */
export async function chainOfNode(url: string, timeoutMs: number): Promise<string | undefined> {
  const node = createNodeApi(url, { timeoutMs })
  try {
    const first = await node.header({ height: 0 })
    return first === undefined ? undefined : chainOfFirstBlock(first.hash)
  } catch {
    return undefined
  } finally {
    node.close()
  }
}
