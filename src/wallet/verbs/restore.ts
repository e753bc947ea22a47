// Restore and check: a scan of the chain's outputs, then a thorough refresh.
import type { Settled } from '../chain/settle.js'
import type { Draft } from '../ledger.js'
import { checkedNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'
import { isComplete } from '../rows.js'
import { endScan, type ScanOptions, type ScanProgress, scan } from '../scan/scan.js'
import { checkAddressCount } from './accounts.js'
import { cancelIn } from './cancel.js'
import { refresh } from './refresh.js'

/** What a scan found, and what changed by it. */
export interface ScanResult {
  /** Outputs that were looked at. */
  readonly seen: number
  /** Own outputs among them. */
  readonly found: number
  readonly settled: Settled
}

/**
 * Finds the outputs of the seed on the chain, and the accounts they belong to; sets every key counter past the highest found key. Goes on
 * where an interrupted scan was. Throws the node's errors, WALLET_SCAN_UNFINISHED, or the signal's reason.
 */
export async function restore(parts: WalletParts, options: ScanOptions): Promise<ScanResult> {
  checkAddressCount(options.addresses ?? 1)
  const { seen, found }: ScanProgress = await scan(parts, { ...options, node: checkedNode(options.node) })
  const { node, signal } = options
  const settled = await refresh(parts, { node, signal, thorough: true })
  await endScan(parts, options)
  return { seen, found, settled }
}

/** A scan, and what becomes of pending transactions. */
export interface CheckOptions extends ScanOptions {
  /** Cancels every pending transaction that is not complete, which frees its inputs. Complete ones may be mined at any time. */
  readonly cancelPending?: boolean
}

/** Repairs the states of all outputs: `restore` on a wallet that has rows. Outputs that the chain does not hold are spent. */
export async function check(
  parts: WalletParts,
  { cancelPending = false, ...options }: CheckOptions,
): Promise<ScanResult> {
  const result = await restore(parts, options)
  if (cancelPending) await parts.ledger.change(cancelUnfinished)
  return result
}

/** Newest first: a later transaction may spend what an earlier one makes. */
function cancelUnfinished(draft: Draft): void {
  const open = draft.rows('transaction').filter((row) => row.status === 'pending' && !isComplete(row))
  for (const row of open.sort((a, b) => b.id - a.id)) cancelIn(draft, row)
}
