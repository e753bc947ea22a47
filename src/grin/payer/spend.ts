// Inputs and change of a payment.

import type { NanoGrin } from '../amount/index.js'
import type { ProveRange } from '../crypto/index.js'
import type { Identifier, Keychain } from '../keychain/index.js'
import type { Amount } from '../kinds/index.js'
import type { SlateCommitment } from '../slate/index.js'
import { feeField, minimumFee } from '../tx/index.js'
import { notEnoughCoins } from './errors.js'

/** An output of the wallet: spent as an input, or created as change. */
export interface Coin {
  readonly identifier: Identifier
  /** Nanogrin. */
  readonly value: Amount
  readonly coinbase?: boolean
}

/** Coins that a payment takes, change that it gives back, and its fee. */
export interface Spend {
  readonly coins: readonly Coin[]
  readonly change: readonly Coin[]
  /** The whole fee field. */
  readonly fee: bigint
}

/**
 * Spends all `coins` on `amount`, with the minimum fee. The rest becomes one change output at `changeAt`, or none if it is zero.
 * Throws PAYER_NOT_ENOUGH.
 */
export function planSpend(coins: readonly Coin[], amount: NanoGrin, changeAt: Identifier): Spend {
  const have = coins.reduce((sum, { value }) => sum + value, 0n)
  const feeFor = (outputs: number): bigint => minimumFee({ inputs: coins.length, outputs, kernels: 1 })
  const even = amount + feeFor(1)
  if (have === even) return { coins, change: [], fee: feeField(feeFor(1)) }
  const left = have - amount - feeFor(2)
  if (left <= 0n) throw notEnoughCoins(have, have < even ? even : amount + feeFor(2) + 1n)
  return { coins, change: [{ identifier: changeAt, value: left }], fee: feeField(feeFor(2)) }
}

/** The blinding factors of a spend, for the offset and the sums. */
export const blindsOf = (keychain: Keychain, { coins, change }: Spend) => ({
  inputs: coins.map(({ identifier, value }) => keychain.outputBlind(identifier, value)),
  outputs: change.map(({ identifier, value }) => keychain.outputBlind(identifier, value)),
})

/** Inputs, and change with its range proofs. */
export async function commitmentsOfSpend(
  keychain: Keychain,
  { coins, change }: Spend,
  prove: ProveRange,
): Promise<SlateCommitment[]> {
  const inputs = coins.map(({ identifier, value, coinbase = false }) => ({
    coinbase,
    commitment: keychain.commitOutput(identifier, value),
  }))
  const outputs: SlateCommitment[] = []
  for (const { identifier, value } of change) {
    const input = keychain.proofInput(identifier, value)
    outputs.push({ coinbase: false, commitment: input.commitment, proof: await prove(input) })
  }
  return [...inputs, ...outputs]
}
