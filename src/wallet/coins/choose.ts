// The coins of a payment: which outputs of an account, with what fee and change, under which keys.
import { identifierFromPath, type Keychain } from '../../grin/keychain/index.js'
import type { Coin, Spend } from '../../grin/payer/index.js'
import { feeField } from '../../grin/tx/index.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput } from '../model.js'
import { accountIn, ownOutputAt, spendableIn, takeKeys } from '../rows.js'
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
export function changeFor(keychain: Keychain, draft: Draft, account: number, values: readonly bigint[]): OwnOutput[] {
  const indexes = takeKeys(draft, account, values.length)
  return values.map((value, at) => ownOutputAt(keychain, { account, index: indexes[at] ?? 0, value }))
}

const coinOf = ({ path, value }: OwnOutput): Coin => ({ identifier: identifierFromPath(path), value })

/** The spend as the payer's side of the protocol takes it; `fee` in nanogrin. */
export const spendOf = (inputs: readonly WalletOutput[], change: readonly OwnOutput[], fee: bigint): Spend => ({
  coins: inputs.map((input) => ({ ...coinOf(input), coinbase: input.coinbase })),
  change: change.map(coinOf),
  fee: feeField(fee),
})
