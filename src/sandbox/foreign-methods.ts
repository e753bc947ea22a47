// The methods of a node's Foreign API that a wallet uses, answered from the simulated chain. Specification: grin-network, 2.
import { messageOf } from '../lib/errors.js'
import { answerRpc, badArgument, type RpcMethod } from '../lib/json-rpc.js'
import { INVALID } from './admission.js'
import type { Block } from './block.js'
import type { SimulatedChain } from './chain.js'
import { rangeSize } from './ledger.js'
import { blockJson, kernelJson, outputJson, poolJson } from './node-json.js'
import type { TransactionJson } from './transaction.js'
import { parseTransaction } from './transaction-json.js'

// Typed access to the arguments of a JSON-RPC call. Specification: grin-network, 2.

/** A value of the wrong shape fails as a node's does. */
function createArguments(values: readonly unknown[], names: readonly string[]) {
  function read<T>(at: number, parse: (value: unknown) => T | undefined): T {
    const parsed = parse(values[at])
    if (parsed === undefined) throw badArgument(names[at] ?? '', at)
    return parsed
  }

  /** `null` where the caller left it out. */
  const optional = <T>(at: number, parse: (value: unknown) => T | undefined): T | null =>
    values[at] === null || values[at] === undefined ? null : read(at, parse)

  return { read, optional }
}

type Arguments = ReturnType<typeof createArguments>

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
const asHeight = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
const asTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined

/** Curve arithmetic of a pushed transaction: proofs, kernel signatures, sums. True when all of it holds. */
export type Validate = (transaction: TransactionJson) => Promise<boolean>

export interface NodeApiParts {
  readonly chain: SimulatedChain
  readonly validate: Validate
  readonly now: () => number
}

/** A node's own result: `{Ok}` or `{Err}`, both with HTTP 200. */
type Result = { readonly Ok: unknown } | { readonly Err: unknown }

interface Method {
  readonly names: readonly string[]
  call(args: Arguments, parts: NodeApiParts): Result | Promise<Result>
}

const NOT_FOUND: Result = { Err: 'NotFound' }
const MOST_OUTPUTS = 10_000
const NODE_VERSION = '5.5.2'

const ok = (value: unknown): Result => ({ Ok: value })
const internal = (text: string): Result => ({ Err: { Internal: text } })

function findBlock(args: Arguments, { chain: { ledger } }: NodeApiParts): Block | undefined {
  const [height, hash, commit] = [args.optional(0, asHeight), args.optional(1, asText), args.optional(2, asText)]
  if (height !== null) return ledger.blockAt(height)
  if (hash !== null) return ledger.blockBy((block) => block.header.hash === hash.toLowerCase())
  const output = commit === null ? undefined : ledger.output(commit.toLowerCase())
  return output && ledger.blockAt(output.height)
}

function getKernel(args: Arguments, { chain: { ledger } }: NodeApiParts): Result {
  const excess = args.read(0, asText).toLowerCase()
  const [min, max] = [args.optional(1, asHeight), args.optional(2, asHeight)]
  if (!/^([0-9a-f]{2})*$/.test(excess)) return { Err: { RequestError: 'invalid excess hex' } }
  if (excess.length !== 66) return { Err: { RequestError: 'invalid excess length' } }
  const found = ledger.kernel(excess)
  if (!found || found.height < (min ?? 0) || found.height > (max ?? found.height)) return NOT_FOUND
  const failure = kernelHeightFailure(found.height, ledger.tip().height, min, max)
  return failure === undefined ? ok(kernelJson(found)) : internal(`Invalid Header Height: ${failure}`)
}

/**
 * After a node found a kernel, it looks for its block by halving the asked range, and fails at heights it does not have.
 * The height at which a node's search fails, or undefined when it reaches the kernel's block.
 * Specification: grin-network, 2, "max_height above the tip".
 */
function kernelHeightFailure(
  kernelHeight: number,
  tip: number,
  min: number | null,
  max: number | null,
): number | undefined {
  let low = Math.max(0, (min ?? 0) - 1)
  let high = max ?? tip
  while (low < high) {
    const middle = high - Math.floor((high - low) / 2)
    if (middle > tip) return middle
    if (middle === kernelHeight) return undefined
    if (middle < kernelHeight) low = middle
    else high = middle - 1
  }
  return undefined
}

function getOutputs(args: Arguments, { chain: { ledger } }: NodeApiParts): Result {
  const commits = args.optional(0, asTexts) ?? []
  const [start, end] = [args.optional(1, asHeight), args.optional(2, asHeight)]
  const withProof = args.optional(3, asFlag) ?? false
  args.optional(4, asFlag)
  const named = commits.flatMap((commit) => ledger.output(commit.toLowerCase()) ?? [])
  const inRange =
    start === null && end === null
      ? []
      : ledger.unspent().filter(({ height }) => height >= (start ?? 0) && height <= (end ?? height))
  return ok([...named, ...inRange].map((output) => outputJson(output, withProof)))
}

/** A page of the unspent set; the last index tells where to go on. */
function getUnspentOutputs(args: Arguments, { chain: { ledger } }: NodeApiParts): Result {
  const size = ledger.tip().output_mmr_size
  const [start, end] = [args.read(0, asHeight), args.optional(1, asHeight) ?? size]
  const most = Math.min(args.read(2, asHeight), MOST_OUTPUTS)
  const withProof = args.optional(3, asFlag) ?? false
  const all = ledger.unspent().filter(({ position }) => position >= start && position <= end)
  const page = all.slice(0, most)
  const last = page.length === most ? (page.at(-1)?.position ?? 0) : end
  return ok({
    highest_index: end,
    last_retrieved_index: last,
    outputs: page.map((output) => outputJson(output, withProof)),
  })
}

function getPmmrIndices(args: Arguments, { chain: { ledger } }: NodeApiParts): Result {
  const [start, end] = [args.read(0, asHeight), args.optional(1, asHeight)]
  const before = ledger.blockAt(Math.max(0, start - 1))?.header
  const last = ledger.blockAt(end ?? ledger.tip().height)?.header
  if (!before || !last) return NOT_FOUND
  const first = (start === 0 ? rangeSize(0) : before.output_mmr_size) + 1
  return ok({ highest_index: last.output_mmr_size, last_retrieved_index: first, outputs: [] })
}

/** Cheap refusals first, then the arithmetic, then the chain as it is by then. */
async function pushTransaction(args: Arguments, { chain, validate, now }: NodeApiParts): Promise<Result> {
  const transaction = args.read(0, parseTransaction)
  args.optional(1, asFlag)
  const refusal =
    chain.quickRefusal(transaction) ?? ((await validate(transaction)) ? chain.admit(transaction, now()) : INVALID)
  return refusal === undefined ? ok(null) : internal(`Failed to update pool: ${refusal}`)
}

const BY = ['height', 'hash', 'commit'] as const

const METHODS: Readonly<Record<string, Method>> = {
  get_version: {
    names: [],
    call: (_, { chain }) => ok({ block_header_version: chain.ledger.tip().version, node_version: NODE_VERSION }),
  },
  get_tip: {
    names: [],
    call: (_, { chain }) => {
      const { height, hash, previous, total_difficulty } = chain.ledger.tip()
      return ok({ height, last_block_pushed: hash, prev_block_to_last: previous, total_difficulty })
    },
  },
  get_header: {
    names: BY,
    call: (args, parts) => {
      const block = findBlock(args, parts)
      return block ? ok(block.header) : NOT_FOUND
    },
  },
  get_block: {
    names: BY,
    call: (args, parts) => {
      const block = findBlock(args, parts)
      return block ? ok(blockJson(block, parts.chain.ledger)) : NOT_FOUND
    },
  },
  get_kernel: { names: ['excess', 'min_height', 'max_height'], call: getKernel },
  get_outputs: {
    names: ['commits', 'start_height', 'end_height', 'include_proof', 'include_merkle_proof'],
    call: getOutputs,
  },
  get_unspent_outputs: { names: ['start_index', 'end_index', 'max', 'include_proof'], call: getUnspentOutputs },
  get_pmmr_indices: { names: ['start_block_height', 'end_block_height'], call: getPmmrIndices },
  get_pool_size: { names: [], call: (_, { chain }) => ok(chain.pool().length) },
  get_stempool_size: { names: [], call: () => ok(0) },
  get_unconfirmed_transactions: { names: [], call: (_, { chain }) => ok(chain.pool().map(poolJson)) },
  push_transaction: { names: ['tx', 'fluff'], call: pushTransaction },
}

// One HTTP body to the simulated node, answered as a node answers it. Specification: grin-network, 2.

/** What goes back over HTTP. */
export interface NodeAnswer {
  readonly status: number
  readonly body: string
  readonly contentType?: string
}

const MOST_CALLS = 1_000

const methodsOver = (parts: NodeApiParts): Readonly<Record<string, RpcMethod>> =>
  Object.fromEntries(
    Object.entries(METHODS).map(([name, { names, call }]) => [
      name,
      { names, call: (values) => call(createArguments(values, names), parts) },
    ]),
  )

/** Never throws for what a client sent. */
export async function answerForeign(text: string, parts: NodeApiParts): Promise<NodeAnswer> {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch (error) {
    const reason = messageOf(error)
    return { status: 500, body: `Request error: Invalid request body: ${reason}` }
  }
  const answer = await answerRpc(request, { methods: methodsOver(parts), mostCalls: MOST_CALLS })
  return { status: 200, body: JSON.stringify(answer, null, 2), contentType: 'application/json' }
}
