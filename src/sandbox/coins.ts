// The payer's coins: those that are free. A payment takes its coins out, and brings them or the change back.
import type { Coin } from '../grin/payer/index.js'
import { minimumFee } from '../grin/tx/index.js'
import { noCoins } from './errors.js'

const sum = (coins: readonly Coin[]): bigint => coins.reduce((total, coin) => total + coin.value, 0n)

/** The most a payment with these inputs costs: the receiver's output, change, one kernel. */
const feeFor = (inputs: number): bigint => minimumFee({ inputs, outputs: 2, kernels: 1 })

export function createFreeCoins() {
  let free: readonly Coin[] = []
  return {
    add: (coins: readonly Coin[]): void => {
      free = [...free, ...coins]
    },
    /** Takes coins out, largest first, until they cover the amount and the fee with change. Throws SANDBOX_NO_COINS. */
    take: (amount: bigint): readonly Coin[] => {
      const sorted = [...free].sort((a, b) => (a.value > b.value ? -1 : 1))
      const count = sorted.findIndex((_, at) => sum(sorted.slice(0, at + 1)) > amount + feeFor(at + 1)) + 1
      if (count === 0) throw noCoins(amount, sum(free))
      free = sorted.slice(count)
      return sorted.slice(0, count)
    },
    free: (): readonly Coin[] => free,
    /** Forgets the coins that are gone, such as those of a block that was replaced. */
    keep: (exists: (coin: Coin) => boolean): void => {
      free = free.filter(exists)
    },
    balance: (): bigint => sum(free),
  }
}
