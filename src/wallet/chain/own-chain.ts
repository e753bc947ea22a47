// Whether a node is on the wallet's chain: asked before any other answer of it is believed. Chains differ in their first block and in
// the anchor: a block that the wallet saw and that lies deeper than nodes follow a fork.
import { chainOfFirstBlock, firstBlockOf } from '../../lib/chains.js'
import type { ChainType } from '../chain-rules.js'
import { walletNodeBehind, walletNodeChain } from '../errors.js'
import type { WalletState } from '../ledger.js'
import type { SeenBlock } from '../model.js'
import type { NodeCall, WalletNode } from '../node/node.js'
import { anchorOf, seenBlockOf } from '../rows.js'

/** Blocks that a fork can replace: one that begins further back is another chain to every node (Grin's cut-through horizon, one week). */
export const HORIZON = 10_080
/** The anchor follows the tip in steps of that many blocks. */
const ANCHOR_STEP = 1440

/** What a node of the wallet's chain said of it. */
export interface OwnChain {
  readonly tip: SeenBlock
  /** The last seen block is not on the chain any more. */
  readonly forked: boolean
  /** A newer anchor to store; absent: the stored one stays. */
  readonly anchor?: SeenBlock
}

export interface OwnChainOptions extends NodeCall {
  readonly chainType: ChainType
  /** Takes the node's chain for the wallet's, whatever was seen before; the first block of a public chain must be right all the same. */
  readonly acceptChain?: boolean | undefined
}

/**
 * The node's tip. Asks for nothing else while the chain still holds the last seen block, but for a newer anchor once a day. Throws
 * WALLET_NODE_CHAIN for another chain or a fork beyond the horizon, WALLET_NODE_BEHIND for a node that has not come to the anchor.
 */
export async function requireOwnChain(
  node: WalletNode,
  state: WalletState,
  { chainType, acceptChain = false, signal }: OwnChainOptions,
): Promise<OwnChain> {
  const call = { signal }
  const tip = await node.tip(call)
  const last = seenBlockOf(state)
  const anchor = acceptChain ? undefined : anchorOf(state)
  const forked = await hasForked(node, last, tip, call)
  if (!anchor) await requireFirstBlock(node, chainType, call)
  else if (!last || forked) await requireAnchor(node, { anchor, tip, last, chainType }, call)
  const next = await newerAnchor(node, { anchor, tip }, call)
  return { tip, forked, ...(next && { anchor: next }) }
}

/** A node that is behind shows no last seen block either. */
async function hasForked(
  node: WalletNode,
  last: SeenBlock | undefined,
  tip: SeenBlock,
  call: NodeCall,
): Promise<boolean> {
  if (!last || (last.height === tip.height && last.hash === tip.hash)) return false
  return tip.height < last.height || (await node.blockHash(last.height, call)) !== last.hash
}

/** The first block of a private chain is none of the public ones'. */
async function requireFirstBlock(node: WalletNode, chainType: ChainType, call: NodeCall): Promise<void> {
  const expected = firstBlockOf(chainType)
  const hash = await node.blockHash(0, call)
  const found = hash === undefined ? undefined : chainOfFirstBlock(hash)
  if (expected === undefined ? found === undefined : hash === expected) return
  throw walletNodeChain(
    expected ? `the first block ${expected} of ${chainType}` : `a chain of ${chainType}`,
    said(0, hash),
  )
}

/** A block as an error names it, with its chain where that is known. */
function said(height: number, hash: string | undefined): string {
  if (hash === undefined) return `that it has no block ${height}`
  const chain = height === 0 ? chainOfFirstBlock(hash) : undefined
  return `${height === 0 ? 'the first block' : `block ${height} with`} ${hash}${chain === undefined ? '' : ` of ${chain}`}`
}

interface AnchorQuestion {
  readonly anchor: SeenBlock
  readonly tip: SeenBlock
  readonly last: SeenBlock | undefined
  readonly chainType: ChainType
}

async function requireAnchor(
  node: WalletNode,
  { anchor, tip, last = anchor, chainType }: AnchorQuestion,
  call: NodeCall,
): Promise<void> {
  const hash = await node.blockHash(anchor.height, call)
  if (hash === anchor.hash) return
  // Says so if the node is of another network, which says more than a strange block.
  await requireFirstBlock(node, chainType, call)
  if (hash === undefined && tip.height < anchor.height) throw walletNodeBehind(tip.height, last.height)
  throw walletNodeChain(`block ${anchor.height} with ${anchor.hash}`, said(anchor.height, hash))
}

/** The block a horizon below the tip, or the first one, when the anchor is far from it. */
async function newerAnchor(
  node: WalletNode,
  { anchor, tip }: { readonly anchor: SeenBlock | undefined; readonly tip: SeenBlock },
  call: NodeCall,
): Promise<SeenBlock | undefined> {
  const height = Math.max(0, tip.height - HORIZON)
  if (anchor && height < anchor.height + ANCHOR_STEP) return undefined
  const hash = await node.blockHash(height, call)
  return hash === undefined ? undefined : { height, hash }
}
