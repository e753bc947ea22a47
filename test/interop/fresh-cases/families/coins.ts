// Coin selection: which coins, what fee, what change.
import { toHex } from '../../../../src/lib/bytes.js'
import type { Dice } from '../dice.js'
import { attempt, type Family } from '../family.js'
import type { Library } from '../library.js'
import { okOf } from '../reference.js'

export const coinsFamily: Family = {
  name: 'coin selection',
  weight: 3,
  async run({ dice, library, ask, agree }) {
    const coins = dice.many(dice.upTo(12), () => 1n + dice.bigBelow(3_000_000_000n))
    const request = {
      amount: amountFor(dice, library, coins),
      feeIncluded: dice.chance(0.3),
      strategy: dice.pick(['smallest', 'all'] as const),
      changeOutputs: dice.upTo(3),
    }
    const named = coins.map((value, at) => ({ identifier: toHex(library.keychain.outputIdentifier(0, at)), value }))
    const opened = { entropy: dice.hex(32), account: 0, tip: 3_000_000, next: 100 }
    const held = named.map(({ identifier, value }) => ({ identifier, value: `${value}` }))
    const { wallet } = okOf<{ wallet: number }>(await ask('wallet', { ...opened, coins: held }))
    const { amount, feeIncluded, strategy, changeOutputs } = request
    const args = { amount: `${amount}`, included: feeIncluded, all: strategy === 'all', change: changeOutputs }
    const theirs = await ask('choose', { wallet, ...args })
    await ask('forget', { wallet })
    const ours = await attempt(() => {
      const chosen = library.wallet.selectCoins(named, request)
      return {
        coins: chosen.coins.map(({ identifier }) => identifier),
        amount: `${chosen.amount}`,
        fee: `${chosen.fee}`,
        change: chosen.change.map((value) => `${value}`),
      }
    })
    agree(JSON.stringify({ coins: coins.map(String), ...args }), ours, theirs)
  },
}

/** Any amount, or one at an edge: all that some coins hold, with and without the fee of a payment that leaves no change. */
function amountFor(dice: Dice, { tx }: Library, coins: readonly bigint[]): bigint {
  const some = [...coins].sort((a, b) => (a < b ? -1 : 1)).slice(0, dice.upTo(coins.length))
  const sum = some.reduce((total, value) => total + value, 0n)
  const fee = tx.minimumFee({ inputs: some.length, outputs: dice.upTo(4), kernels: 1 })
  const around = BigInt(dice.below(5) - 2)
  const amount = dice.pick([1n + dice.bigBelow(sum + 1_000_000_000n), sum, sum - fee, sum - fee + around])
  return amount > 0n ? amount : 1n
}
