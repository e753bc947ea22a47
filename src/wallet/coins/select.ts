// Chooses the inputs of a payment, its fee and its change. Pure. Fees as in grin-wallet: weight times 500000 nanogrin (specification: grin-wallet, 2.4).
import { MAX_WEIGHT, minimumFee, transactionWeight } from '../../grin/tx/index.js'
import { walletAmount, walletNotEnough, walletTooManyInputs } from '../errors.js'

/** `smallest`: as few coins as suffice, the smallest first. `all`: as many as allowed. */
export const STRATEGIES = ['smallest', 'all'] as const
/** How coins are chosen: `smallest` takes as few as suffice, the smallest first, `all` as many as allowed.*/
export type Strategy = (typeof STRATEGIES)[number]

/** What a choice of coins must pay for. */
export interface SelectionRequest {
  /** Nanogrin, above 0. */
  readonly amount: bigint
  /** True: the receiver gets the amount minus the fee. Default false: the fee comes on top. */
  readonly feeIncluded?: boolean
  /** Default `smallest`. */
  readonly strategy?: Strategy
  /** Most inputs; default 500, as in grin-wallet. */
  readonly maxInputs?: number
  /** Change outputs, 1 … 50, default 1; fewer if the change is not that many nanogrin. `pay` takes no more than fit into its slatepack. */
  readonly changeOutputs?: number
  /** A fee that a slate already fixed, in nanogrin; the chosen shape must not need more. Not with `feeIncluded`. */
  readonly fixedFee?: bigint
}

/** The chosen coins, with amount, fee and change. */
export interface Selection<C> {
  readonly coins: readonly C[]
  /** What the receiver gets, nanogrin. */
  readonly amount: bigint
  /** Nanogrin. */
  readonly fee: bigint
  /** Values of the change outputs, none of them 0: equal parts, the last one with the remainder. */
  readonly change: readonly bigint[]
}

interface Valued {
  /** Nanogrin. */
  readonly value: bigint
}

const MOST_INPUTS = 500
const MOST_CHANGE = 50

/**
 * Chooses from `coins` of at least one nanogrin each. Coins of equal value keep their order. If the smallest coins alone need more inputs
 * than allowed, the smallest ones are left out. Finds a selection whenever one with change exists. Throws WALLET_AMOUNT,
 * WALLET_NOT_ENOUGH or WALLET_TOO_MANY_INPUTS.
 */
export function selectCoins<C extends Valued>(coins: readonly C[], request: SelectionRequest): Selection<C> {
  checkRequest(request)
  const { strategy = 'smallest' } = request
  const maxInputs = mostInputs(request)
  const sorted = [...coins].sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const window = strategy === 'all' ? largest(sorted, maxInputs, request) : smallest(sorted, maxInputs, request)
  if (!window) throw failureFor(sorted, request)
  const chosen = sorted.slice(window.start, window.end)
  return { coins: chosen, ...window.split }
}

function checkRequest({ amount, maxInputs = 1, changeOutputs = 1, feeIncluded, fixedFee }: SelectionRequest): void {
  if (amount <= 0n || amount >= 2n ** 64n) throw walletAmount(`${amount} nanogrin`)
  if (!Number.isSafeInteger(maxInputs) || maxInputs < 1) throw new RangeError(`maxInputs: ${maxInputs}`)
  if (!Number.isSafeInteger(changeOutputs) || changeOutputs < 1 || changeOutputs > MOST_CHANGE)
    throw new RangeError(`changeOutputs: ${changeOutputs}, 1 to ${MOST_CHANGE} are possible`)
  if (feeIncluded && fixedFee !== undefined) throw new RangeError('a fixed fee comes on top of the amount')
}

/** The most inputs that the request allows and a block can hold. */
const mostInputs = ({ maxInputs = MOST_INPUTS, changeOutputs = 1 }: SelectionRequest): number =>
  Math.min(maxInputs, MAX_WEIGHT - transactionWeight({ inputs: 0, outputs: 1 + changeOutputs, kernels: 1 }))

type Split = Pick<Selection<unknown>, 'amount' | 'fee' | 'change'>

interface Window {
  readonly start: number
  readonly end: number
  readonly split: Split
}

/** The window of ascending coins that starts lowest, and then is shortest. */
function smallest(sorted: readonly Valued[], maxInputs: number, request: SelectionRequest): Window | undefined {
  const sums = prefixSums(sorted)
  for (let start = 0; start < sorted.length; start++) {
    const most = Math.min(sorted.length, start + maxInputs)
    if ((sums[most] ?? 0n) - (sums[start] ?? 0n) < request.amount) continue
    for (let end = start + 1; end <= most; end++) {
      const split = splitOf((sums[end] ?? 0n) - (sums[start] ?? 0n), end - start, request)
      if (split) return { start, end, split }
    }
  }
  return undefined
}

/** The largest coins, as many as allowed; fewer only if the fixed fee pays for no more. */
function largest(sorted: readonly Valued[], maxInputs: number, request: SelectionRequest): Window | undefined {
  const sums = prefixSums(sorted)
  const total = sums.at(-1) ?? 0n
  for (let start = Math.max(0, sorted.length - maxInputs); start < sorted.length; start++) {
    const split = splitOf(total - (sums[start] ?? 0n), sorted.length - start, request)
    if (split) return { start, end: sorted.length, split }
  }
  return undefined
}

function prefixSums(coins: readonly Valued[]): bigint[] {
  const sums = [0n]
  for (const { value } of coins) sums.push((sums.at(-1) ?? 0n) + value)
  return sums
}

/** How inputs of this sum and number are divided; undefined if they do not suffice. */
function splitOf(total: bigint, inputs: number, request: SelectionRequest): Split | undefined {
  const { changeOutputs = 1 } = request
  return (
    withoutChange(total, inputs, request) ??
    withChange(total, inputs, changeOutputs, request) ??
    withChange(total, inputs, 1, request)
  )
}

const feeFor = (inputs: number, change: number): bigint => minimumFee({ inputs, outputs: 1 + change, kernels: 1 })

/** Nothing is left: the receiver's output is the only one. */
function withoutChange(total: bigint, inputs: number, request: SelectionRequest): Split | undefined {
  const { amount, feeIncluded = false, fixedFee } = request
  const least = feeFor(inputs, 0)
  const fee = fixedFee ?? least
  if (fee < least || total !== (feeIncluded ? amount : amount + fee)) return undefined
  const sent = feeIncluded ? amount - fee : amount
  return sent > 0n ? { amount: sent, fee, change: [] } : undefined
}

function withChange(total: bigint, inputs: number, outputs: number, request: SelectionRequest): Split | undefined {
  const { amount, feeIncluded = false, fixedFee } = request
  const least = feeFor(inputs, outputs)
  const fee = fixedFee ?? least
  const left = total - (feeIncluded ? amount : amount + fee)
  const sent = feeIncluded ? amount - fee : amount
  if (fee < least || left < BigInt(outputs) || sent <= 0n) return undefined
  const part = left / BigInt(outputs)
  const change = Array.from({ length: outputs }, (_, at) =>
    at === outputs - 1 ? left - part * BigInt(outputs - 1) : part,
  )
  return { amount: sent, fee, change }
}

/** Why no window suffices. */
function failureFor(sorted: readonly Valued[], request: SelectionRequest): Error {
  const { amount, feeIncluded = false, fixedFee } = request
  const maxInputs = mostInputs(request)
  const have = sorted.reduce((sum, { value }) => sum + value, 0n)
  const fee = fixedFee ?? feeFor(1, 1)
  if (feeIncluded && amount <= fee) return walletAmount(`the fee takes all of ${amount} nanogrin`)
  const need = feeIncluded ? amount : amount + fee
  return have < need || sorted.length <= maxInputs ? walletNotEnough(have, need) : walletTooManyInputs(maxInputs)
}
