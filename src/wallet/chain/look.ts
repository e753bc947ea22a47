// What a refresh asks the node, and in which order: kernels first, because a mined kernel's outputs are then visible too.
import { fromHex, toHex } from '../../lib/bytes.js'
import { walletNodeBehind } from '../errors.js'
import type { WalletState } from '../ledger.js'
import type { SeenBlock, WalletOutput, WalletTransaction } from '../model.js'
import type { ChainOutput, NodeCall, WalletNode } from '../node/node.js'
import { ageOf, lookupFrom } from '../rows.js'
import { ONLY } from '../storage/tables.js'

/** What the node said. A key that is missing was not asked for. */
export interface Sightings {
  readonly tip: SeenBlock
  /** The last seen block is not on the chain any more. */
  readonly forked: boolean
  /** Height of the kernel by excess; undefined: not on the chain. */
  readonly kernels: ReadonlyMap<string, number | undefined>
  /** Outputs by commitment; undefined: not on the chain, or spent. */
  readonly outputs: ReadonlyMap<string, ChainOutput | undefined>
}

/** A cancelled payment that left the house may still be mined: it is looked for that many blocks. */
const WATCH_BLOCKS = 10_080
/** After a fork, what was confirmed or spent within that many blocks is looked for again. */
const FORK_BLOCKS = 1440
/** Commitments per request. */
const BATCH = 100

/** Asks the node about everything that may have changed. `thorough`: as after a fork, also for what is spent. */
export async function lookAtChain(
  node: WalletNode,
  state: WalletState,
  { signal, thorough = false }: NodeCall & { readonly thorough?: boolean },
): Promise<Sightings> {
  const call = { signal }
  const tip = await node.tip(call)
  const last = state.seenBlock.get(ONLY)
  // A node that lags shows neither kernels nor outputs of the newest blocks. Nothing would be lost, but much would look reverted.
  if (last && tip.height < last.height && !thorough) throw walletNodeBehind(tip.height, last.height)
  const forked = await hasForked(node, last, tip, call)
  const isDeep = forked || thorough
  const kernels = await kernelsOf(node, { tip, rows: kernelQuestions(state, tip.height, isDeep) }, call)
  const outputs = await outputsOf(node, outputQuestions(state, tip.height, isDeep), call)
  const vanished = vanishedMakers(state, outputs).filter(({ excess }) => excess !== undefined && !kernels.has(excess))
  const makers = await kernelsOf(node, { tip, rows: vanished }, call)
  return { tip, forked, kernels: new Map([...kernels, ...makers]), outputs }
}

async function hasForked(
  node: WalletNode,
  last: SeenBlock | undefined,
  tip: SeenBlock,
  call: NodeCall,
): Promise<boolean> {
  if (!last || (last.height === tip.height && last.hash === tip.hash)) return false
  return (await node.blockHash(last.height, call)) !== last.hash
}

/** Transactions that may be mined, or not be mined any more. */
function kernelQuestions(state: WalletState, tip: number, isDeep: boolean): WalletTransaction[] {
  return [...state.transaction.values()].filter((row) => {
    const { status, cancelledHeight = 0, height = 0 } = row
    if (status === 'cancelled') return cancelledHeight + WATCH_BLOCKS >= tip
    // Its output says as much, and many are asked for at once: an old S2 costs no question of its own.
    if (status === 'pending' && row.written === 'S2' && ageOf(row, tip) > WATCH_BLOCKS) return isDeep
    return status !== 'confirmed' || (isDeep && height + FORK_BLOCKS >= tip)
  })
}

function outputQuestions(state: WalletState, tip: number, isDeep: boolean): WalletOutput[] {
  return [...state.output.values()].filter(
    ({ status, spentHeight = 0 }) => status !== 'spent' || (isDeep && spentHeight + FORK_BLOCKS >= tip),
  )
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
  const kernels = new Map<string, number | undefined>()
  for (const row of rows)
    if (row.excess !== undefined)
      kernels.set(row.excess, await node.kernelHeight(fromHex(row.excess), lookupFrom(row, tip), call))
  return kernels
}

async function outputsOf(node: WalletNode, rows: readonly WalletOutput[], call: NodeCall) {
  const asked = rows.map(({ commitment }) => commitment)
  const outputs = new Map<string, ChainOutput | undefined>(asked.map((commitment) => [commitment, undefined]))
  for (let at = 0; at < asked.length; at += BATCH) {
    const found = await node.outputs(
      asked.slice(at, at + BATCH).map((commitment) => fromHex(commitment)),
      call,
    )
    for (const output of found) outputs.set(toHex(output.commitment), output)
  }
  return outputs
}
