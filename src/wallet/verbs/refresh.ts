// Brings the wallet up to date with the chain: confirmations, expiry, reorganisations.
import { lookAtChain } from '../chain/look.js'
import { type Settled, settle } from '../chain/settle.js'
import type { NodeCall, WalletNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'

/** The node that is asked, and how far back. */
export interface RefreshOptions extends NodeCall {
  readonly node: WalletNode
  /** Also asks again for what was confirmed or spent within 1440 blocks, as after a fork. */
  readonly thorough?: boolean
}

/** Asks the node and stores what changed, in one commit. Throws the node's errors; nothing changes then. */
export async function refresh(
  parts: WalletParts,
  { node, thorough = false, signal }: RefreshOptions,
): Promise<Settled> {
  const { ledger, rules, now } = parts
  const sightings = await lookAtChain(node, await ledger.read(), { signal, thorough })
  return ledger.change((draft) => settle(draft, sightings, { rules, now: now() }))
}
