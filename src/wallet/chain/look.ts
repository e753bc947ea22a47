// What a refresh asks the node, and in which order: kernels first, because a mined kernel's outputs are then visible too. A payment
// whose own output shows the same is not asked by kernel: outputs come by the hundred, and for each absent kernel the node searches weeks of
// blocks.
import { fromHex, toHex } from '../../lib/bytes.js'
import { walletNodeBehind } from '../errors.js'
import type { WalletState } from '../ledger.js'
import type { SeenBlock, WalletTransaction } from '../model.js'
import { KERNELS_PER_REQUEST, OUTPUTS_PER_REQUEST } from '../node/fetch-node.js'
import type { ChainOutput, KernelQuestion, NodeCall, WalletNode } from '../node/node.js'
import { heightOf, lookupFrom } from '../rows.js'
import { type OwnChain, type OwnChainOptions, requireOwnChain } from './own-chain.js'

/** What the node said. A key that is missing was not asked for. */
export interface Sightings extends OwnChain {
  /** Height of the kernel by excess; undefined: not on the chain. */
  readonly kernels: ReadonlyMap<string, number | undefined>
  /** Outputs by commitment; undefined: not on the chain, or spent. */
  readonly outputs: ReadonlyMap<string, ChainOutput | undefined>
}

/** A cancelled payment that left the house may still be mined: it is looked for that many blocks. */
const WATCH_BLOCKS = 10_080
/** After a fork, what was confirmed or spent within that many blocks is looked for again. */
const FORK_BLOCKS = 1440
/** Requests of one kind that are under way at once. */
const REQUESTS_AT_ONCE = 8

/** Asks the node about everything that may have changed. `thorough`: as after a fork, also for what is spent. */
export async function lookAtChain(
  node: WalletNode,
  state: WalletState,
  { thorough = false, ...options }: OwnChainOptions & { readonly thorough?: boolean },
): Promise<Sightings> {
  const call = { signal: options.signal }
  const chain = await requireOwnChain(node, state, options)
  const { tip, forked } = chain
  // A node that lags shows neither kernels nor outputs of the newest blocks. Nothing would be lost, but much would look reverted.
  if (tip.height < heightOf(state) && !thorough) throw walletNodeBehind(tip.height, heightOf(state))
  const isDeep = forked || thorough
  const depth = { tip: tip.height, isDeep, thorough }
  const kernels = await kernelsOf(node, { tip, rows: kernelQuestions(state, depth) }, call)
  const outputs = await outputsOf(node, outputQuestions(state, depth), call)
  const vanished = vanishedMakers(state, outputs).filter(({ excess }) => excess !== undefined && !kernels.has(excess))
  const makers = await kernelsOf(node, { tip, rows: vanished }, call)
  return { ...chain, kernels: new Map([...kernels, ...makers]), outputs }
}

/** How much is asked again. */
interface Depth {
  readonly tip: number
  readonly isDeep: boolean
  readonly thorough: boolean
}

/** Transactions that may be mined, or not be mined any more. */
function kernelQuestions(state: WalletState, { tip, isDeep, thorough }: Depth): WalletTransaction[] {
  return [...state.transaction.values()].filter((row) => {
    const { status, height = 0 } = row
    if (status === 'cancelled' && !isWatched(row, tip)) return false
    if (isToldByOutput(row)) return thorough
    return status !== 'confirmed' || (isDeep && height + FORK_BLOCKS >= tip)
  })
}

const isWatched = ({ cancelledHeight = 0 }: WalletTransaction, tip: number): boolean =>
  cancelledHeight + WATCH_BLOCKS >= tip

/**
 * Whether an own output is on the chain if and only if the transaction is: this wallet spends no output of an S2 before it is confirmed,
 * and none of a cancelled transaction. Another copy of the wallet may: a thorough look asks for the kernel too.
 */
const isToldByOutput = ({ status, written, outputs }: WalletTransaction): boolean =>
  outputs.length > 0 && (status === 'cancelled' || (status === 'pending' && written === 'S2'))

/** Commitments that may be on the chain, or not be there any more. Those of a cancelled transaction have no row. */
function outputQuestions(state: WalletState, { tip, isDeep }: Depth): string[] {
  const rows = [...state.output.values()].filter(
    ({ status, spentHeight = 0 }) => status !== 'spent' || (isDeep && spentHeight + FORK_BLOCKS >= tip),
  )
  const watched = [...state.transaction.values()].filter((row) => row.status === 'cancelled' && isWatched(row, tip))
  return [...new Set([...rows, ...watched.flatMap(({ outputs }) => outputs)].map(({ commitment }) => commitment))]
}

/** The makers of outputs that were on the chain and are not any more: their kernel says whether they were spent or reverted. */
function vanishedMakers(state: WalletState, outputs: Sightings['outputs']): WalletTransaction[] {
  const ids = [...state.output.values()]
    .filter(({ commitment, status }) => (status === 'unspent' || status === 'locked') && isAbsent(outputs, commitment))
    .map(({ transaction }) => `${transaction}`)
  return [...new Set(ids)].flatMap((id) => state.transaction.get(id) ?? [])
}

const isAbsent = (outputs: Sightings['outputs'], commitment: string): boolean =>
  outputs.has(commitment) && outputs.get(commitment) === undefined

interface KernelQuestions {
  readonly tip: SeenBlock
  readonly rows: readonly WalletTransaction[]
}

async function kernelsOf(node: WalletNode, { tip, rows }: KernelQuestions, call: NodeCall) {
  const asked = rows.flatMap((row) =>
    row.excess === undefined ? [] : [{ excess: fromHex(row.excess), minHeight: lookupFrom(row, tip) }],
  )
  const found = await atOnce(batchesOf(asked, node.kernelHeights ? KERNELS_PER_REQUEST : 1), (batch) =>
    kernelHeights(node, batch, call),
  )
  const heights = found.flat()
  return new Map(asked.map(({ excess }, at) => [toHex(excess), heights[at]]))
}

/** One question at a time for a port without batches. */
async function kernelHeights(
  node: WalletNode,
  batch: readonly KernelQuestion[],
  call: NodeCall,
): Promise<readonly (number | undefined)[]> {
  if (node.kernelHeights) return node.kernelHeights(batch, call)
  const heights: (number | undefined)[] = []
  for (const { excess, minHeight } of batch) heights.push(await node.kernelHeight(excess, minHeight, call))
  return heights
}

/** All questions in parts of at most so many. */
const batchesOf = <Q>(questions: readonly Q[], most: number): Q[][] =>
  Array.from({ length: Math.ceil(questions.length / most) }, (_, at) => questions.slice(at * most, (at + 1) * most))

async function outputsOf(node: WalletNode, asked: readonly string[], call: NodeCall) {
  const outputs = new Map<string, ChainOutput | undefined>(asked.map((commitment) => [commitment, undefined]))
  const found = await atOnce(batchesOf(asked, OUTPUTS_PER_REQUEST), (batch) =>
    node.outputs(
      batch.map((commitment) => fromHex(commitment)),
      call,
    ),
  )
  for (const output of found.flat()) outputs.set(toHex(output.commitment), output)
  return outputs
}

/** The answers in the order of the questions, some of which are under way together. After the first failure no more are asked. */
async function atOnce<Q, A>(questions: readonly Q[], ask: (question: Q) => Promise<A>): Promise<A[]> {
  const answers: A[] = []
  const left = questions.entries()
  let hasFailed = false
  async function worker(): Promise<void> {
    for (const [at, question] of left) {
      if (hasFailed) return
      answers[at] = await ask(question)
    }
  }
  const workers = Array.from({ length: Math.min(REQUESTS_AT_ONCE, questions.length) }, () =>
    worker().catch((thrown: unknown) => {
      hasFailed = true
      throw thrown
    }),
  )
  await Promise.all(workers)
  return answers
}
