// Which outputs may be spent, and how they are counted. Rules of grin-wallet.
import type { WalletOutput } from '../model.js'

/** Blocks on top of and including the block of an output; 0 for what is not on the chain. */
export function confirmationsOf({ status, height }: WalletOutput, tip: number): number {
  const isOnChain = status === 'unspent' || status === 'locked'
  return isOnChain && height <= tip ? tip - height + 1 : 0
}

/** Whether an output may be an input of a new payment. With `minConfirmations` 0 also one that is not on the chain yet. */
export function isSpendable(output: WalletOutput, tip: number, minConfirmations: number): boolean {
  const { status, coinbase, lockHeight } = output
  if (lockHeight > tip) return false
  if (status === 'unspent') return confirmationsOf(output, tip) >= minConfirmations
  return status === 'unconfirmed' && !coinbase && minConfirmations === 0
}
