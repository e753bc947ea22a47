// The payer's coins: which are free, which are promised to a payment under way.
import { minimumFee } from '../grin/tx/index.js'
import { noCoins } from './errors.js'

export interface Coin {
  /** Number of its key in account 0. */
  readonly index: number
  /** Nanogrin. */
  readonly value: bigint
  /** 33 bytes. */
  readonly commitment: Uint8Array
  readonly coinbase: boolean
}

/** Coins set aside for one payment, with what they pay and what comes back. */
export interface Promised {
  readonly coins: readonly Coin[]
  readonly fee: bigint
  readonly change: bigint
}

export type Purse = ReturnType<typeof createPurse>

const sum = (coins: readonly Coin[]): bigint => coins.reduce((total, coin) => total + coin.value, 0n)

/** The fee of a payment with these inputs, the receiver's output, change and one kernel. */
const feeFor = (inputs: number): bigint => minimumFee({ inputs, outputs: 2, kernels: 1 })

export function createPurse() {
  let free: readonly Coin[] = []
  return {
    add: (coins: readonly Coin[]): void => {
      free = [...free, ...coins]
    },
    /** Sets coins aside, largest first, so that at least one nanogrin comes back. Throws SANDBOX_NO_COINS. */
    promise: (amount: bigint): Promised => {
      const sorted = [...free].sort((a, b) => (a.value > b.value ? -1 : 1))
      const count = sorted.findIndex((_, at) => sum(sorted.slice(0, at + 1)) > amount + feeFor(at + 1)) + 1
      if (count === 0) throw noCoins(amount, sum(free))
      const coins = sorted.slice(0, count)
      const fee = feeFor(count)
      free = sorted.slice(count)
      return { coins, fee, change: sum(coins) - amount - fee }
    },
    balance: (): bigint => sum(free),
  }
}
