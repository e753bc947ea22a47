// The coins of a payment: which outputs of an account, with what fee and change, under which keys.
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput } from '../model.js'
import { accountIn, spendableIn, takeKeys } from '../rows.js'
import type { SignedSpend, Signer } from '../signer/signer.js'
import { type Selection, type SelectionRequest, selectCoins } from './select.js'

/** How the coins of a payment are chosen. */
export interface CoinOptions extends Pick<SelectionRequest, 'strategy' | 'maxInputs' | 'changeOutputs'> {
  /** Confirmations that a coin needs; default 10, as in grin-wallet. 0 also spends the change of complete payments. */
  readonly minConfirmations?: number
}

const MIN_CONFIRMATIONS = 10

type Request = CoinOptions & Pick<SelectionRequest, 'amount' | 'feeIncluded' | 'fixedFee'>

/** Coins, fee and change of a payment, with nothing locked yet. Throws as `selectCoins`, WALLET_NO_ACCOUNT, and RangeError for confirmations that are no whole number. */
export function chooseCoins(draft: Draft, account: number, request: Request): Selection<WalletOutput> {
  accountIn(draft, account)
  const { minConfirmations = MIN_CONFIRMATIONS, ...rest } = request
  if (!Number.isSafeInteger(minConfirmations) || minConfirmations < 0)
    throw new RangeError(`minConfirmations: ${minConfirmations}`)
  return selectCoins(spendableIn(draft, account, minConfirmations), rest)
}

/** Outputs for the change, under keys that were never used. */
export async function changeFor(
  signer: Signer,
  draft: Draft,
  account: number,
  values: readonly bigint[],
): Promise<OwnOutput[]> {
  const indexes = takeKeys(draft, account, values.length)
  return signer.outputs(values.map((value, at) => ({ account, index: indexes[at] ?? 0, value })))
}

/** The spend as a signer takes it; `fee` in nanogrin. */
export const spendOf = (inputs: readonly WalletOutput[], change: readonly OwnOutput[], fee: bigint): SignedSpend => ({
  inputs: inputs.map(({ commitment, path, value, coinbase }) => ({ commitment, path, value, coinbase })),
  change: change.map(({ commitment, path, value }) => ({ commitment, path, value })),
  fee,
})
