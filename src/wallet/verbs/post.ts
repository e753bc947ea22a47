// Posts a complete transaction, and again after a reorganisation.
import { fromHex } from '../../lib/bytes.js'
import { requireOwnChain } from '../chain/own-chain.js'
import { walletNodeRefused, walletNothingToPost, walletSlateUnknown } from '../errors.js'
import { checkedNode, type NodeCall, type WalletNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'
import { finalSlateOf, lookupFrom, transactionOfSlate } from '../rows.js'

/** Where a transaction goes, and how. */
export interface PostOptions extends NodeCall {
  readonly node: WalletNode
  /** True: to all peers at once. Default false: by Dandelion, which hides where it comes from and takes some seconds more. */
  readonly fluff?: boolean
}

/**
 * Posts the transaction that this wallet finalized and did not cancel. May be repeated. Stores when it was taken. Throws WALLET_NOTHING_TO_POST, WALLET_SLATE_UNKNOWN,
 * WALLET_NODE_CHAIN before anything is posted, or the node's errors; a refusal of a transaction that is mined already is none.
 */
export async function post(parts: WalletParts, slateId: string, options: PostOptions): Promise<void> {
  const { ledger, chainType, now } = parts
  const { fluff = false, signal } = options
  const node = checkedNode(options.node)
  const state = await ledger.read()
  const rows = [...state.transaction.values()].filter((one) => one.slateId === slateId)
  if (rows.length === 0) throw walletSlateUnknown(slateId)
  const row = rows.find((one) => one.status !== 'cancelled' && finalSlateOf(one))
  const slate = row && finalSlateOf(row)
  if (!row?.excess || !slate) throw walletNothingToPost(slateId)
  const { tip } = await requireOwnChain(node, state, { chainType, signal })
  try {
    await node.push(transactionOfSlate(slate), fluff, { signal })
  } catch (thrown) {
    // The inputs of a mined transaction are gone, and the node's text does not say why.
    if (!walletNodeRefused.is(thrown)) throw thrown
    if ((await node.kernelHeight(fromHex(row.excess), lookupFrom(row, tip), { signal })) === undefined) throw thrown
  }
  await ledger.change((draft) => {
    const posted = draft.get('transaction', `${row.id}`)
    if (posted) draft.put('transaction', { ...posted, postedAt: now() })
  })
}
