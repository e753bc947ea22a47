// The balance of an account by the states of its outputs, with the sums of `grin-wallet info`.
import type { WalletOutput } from '../model.js'

// Which outputs may be spent, and how they are counted. Rules of grin-wallet.
/** Blocks on top of and including the block of an output; 0 for what is not on the chain. */
function confirmationsOf({ status, height }: WalletOutput, tip: number): number {
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

/** Nanogrin. */
export interface WalletBalance {
  /** Spendable, awaiting confirmation and immature. Neither locked nor unfinished amounts are in it. */
  readonly total: bigint
  readonly spendable: bigint
  /** On the chain with fewer confirmations than asked for. */
  readonly awaitingConfirmation: bigint
  /** Not on the chain: outputs of pending transactions. */
  readonly awaitingFinalization: bigint
  /** Inputs of pending transactions. */
  readonly locked: bigint
  /** Coinbases that are too young. */
  readonly immature: bigint
  /** Was on the chain before a reorganisation. */
  readonly reverted: bigint
  /** The tip that the sums are for. */
  readonly height: number
  readonly minConfirmations: number
}

type Sum = 'spendable' | 'awaitingConfirmation' | 'awaitingFinalization' | 'locked' | 'immature' | 'reverted'

/** Sums the outputs at this tip. */
export function balanceOf(outputs: readonly WalletOutput[], height: number, minConfirmations: number): WalletBalance {
  const sumOf = (wanted: Sum): bigint =>
    outputs
      .filter((output) => sumFor(output, height, minConfirmations) === wanted)
      .reduce((sum, { value }) => sum + value, 0n)
  const [spendable, awaitingConfirmation, immature] = [
    sumOf('spendable'),
    sumOf('awaitingConfirmation'),
    sumOf('immature'),
  ]
  return {
    total: spendable + awaitingConfirmation + immature,
    spendable,
    awaitingConfirmation,
    awaitingFinalization: sumOf('awaitingFinalization'),
    locked: sumOf('locked'),
    immature,
    reverted: sumOf('reverted'),
    height,
    minConfirmations,
  }
}

/** The sum that an output belongs to; undefined: none. */
function sumFor(output: WalletOutput, tip: number, minConfirmations: number): Sum | undefined {
  switch (output.status) {
    case 'unspent':
      if (output.coinbase && output.lockHeight > tip) return 'immature'
      return confirmationsOf(output, tip) < minConfirmations ? 'awaitingConfirmation' : 'spendable'
    case 'unconfirmed':
      if (output.coinbase) return undefined
      return minConfirmations === 0 ? 'awaitingConfirmation' : 'awaitingFinalization'
    case 'locked':
      return 'locked'
    case 'reverted':
      return 'reverted'
    case 'spent':
      return undefined
  }
}
