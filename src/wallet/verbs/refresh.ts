// Brings the wallet up to date with the chain: confirmations, expiry, reorganisations.
import type { WebAbortSignal } from '../../lib/web-types.js'
import { lookAtChain } from '../chain/look.js'
import { type Settled, settle } from '../chain/settle.js'
import { walletStorageConflict } from '../errors.js'
import { checkedNode, type NodeCall, type WalletNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'
import { heightOf, isOutdated, looksOf } from '../rows.js'

/** The node that is asked, and how far back. */
export interface RefreshOptions extends NodeCall {
  readonly node: WalletNode
  /** Also asks again for what was confirmed or spent within 1440 blocks, as after a fork. */
  readonly thorough?: boolean
}

/** Looks of one refresh, while other windows store newer ones. */
const MOST_LOOKS = 5

/**
 * Asks the node and stores what changed, in one commit. What it saw is dropped if another refresh stored its own meanwhile, which may be
 * newer: then it looks again. Throws the node's errors, and WALLET_NODE_CHAIN or WALLET_NODE_BEHIND for one of another chain or far behind;
 * nothing changes then. Throws WALLET_STORAGE_CONFLICT if a thorough look never gets its turn.
 */
export async function refresh(
  { ledger, chainType, rules, now }: WalletParts,
  { node, thorough = false, signal }: RefreshOptions,
): Promise<Settled> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const state = await ledger.read()
    const sightings = await lookAtChain(checkedNode(node), state, { signal, thorough, chainType })
    const settled = await ledger.change((draft) =>
      isOutdated(draft, looksOf(state)) ? undefined : settle(draft, sightings, { rules, now: now() }),
    )
    if (settled) return settled
  }
  if (thorough) throw walletStorageConflict()
  return { height: heightOf(await ledger.read()), confirmed: [], reverted: [], expired: [] }
}

interface Running {
  readonly node: WalletNode
  readonly thorough: boolean
  readonly result: Promise<Settled>
  /** Ends it when its last caller has left. */
  readonly end: AbortController
  callers: number
}

/** `refresh` of one wallet: a call joins one that is running, if that asks the same node for as much. */
export function joinRefreshes(parts: WalletParts): (options: RefreshOptions) => Promise<Settled> {
  const running = new Set<Running>()

  function start({ node, thorough = false }: RefreshOptions): Running {
    const end = new AbortController()
    const result = refresh(parts, { node, thorough, signal: end.signal })
    const started: Running = { node, thorough, result, end, callers: 0 }
    running.add(started)
    const forget = (): void => void running.delete(started)
    result.then(forget, forget)
    return started
  }

  return async ({ node, thorough = false, signal }) => {
    signal?.throwIfAborted()
    const other = [...running].find(
      (one) => one.node === node && (one.thorough || !thorough) && !one.end.signal.aborted,
    )
    return join(other ?? start({ node, thorough }), signal)
  }
}

/** The result, or the reason of the caller's signal: others may go on waiting. */
function join(one: Running, signal?: WebAbortSignal): Promise<Settled> {
  one.callers += 1
  if (!signal) return one.result
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      one.callers -= 1
      if (one.callers === 0) one.end.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    const stay = (): void => signal.removeEventListener('abort', leave)
    one.result.finally(stay).then(resolve, reject)
  })
}
