// Applies what a node said to the wallet's rows. No network.
import type { ChainRules } from '../chain-rules.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput, WalletTransaction } from '../model.js'
import type { ChainOutput } from '../node/node.js'
import { countLook, isComplete, putAnchor, statusOnChain, unspentRow } from '../rows.js'
import { cancelIn } from '../verbs/cancel.js'
import type { Sightings } from './look.js'

/** What a refresh changed: ids of the log. */
export interface Settled {
  readonly height: number
  readonly confirmed: readonly number[]
  readonly reverted: readonly number[]
  /** Cancelled because their slate expired. */
  readonly expired: readonly number[]
}

export interface SettleContext {
  readonly rules: ChainRules
  /** Epoch milliseconds. */
  readonly now: number
}

/** Changes the rows of a draft, oldest transaction first: what one makes, a later one spends. */
export function settle(draft: Draft, sightings: Sightings, context: SettleContext): Settled {
  const events: { readonly id: number; readonly event: Outcome }[] = []
  const rows = draft.rows('transaction').sort((a, b) => a.id - b.id)
  for (const row of rows) events.push({ id: row.id, event: settleTransaction(draft, row, sightings, context) })
  for (const output of draft.rows('output')) settleOutput(draft, output, sightings, context)
  draft.put('seenBlock', sightings.tip)
  putAnchor(draft, sightings.anchor)
  countLook(draft)
  const of = (wanted: Outcome): number[] => events.flatMap(({ id, event }) => (event === wanted ? [id] : []))
  return { height: sightings.tip.height, confirmed: of('confirmed'), reverted: of('reverted'), expired: of('expired') }
}

type Outcome = 'confirmed' | 'reverted' | 'expired' | 'unchanged'

function settleTransaction(draft: Draft, row: WalletTransaction, seen: Sightings, context: SettleContext): Outcome {
  const height = heightSeen(row, seen)
  if (row.status === 'confirmed') return settleConfirmed(draft, row, height, seen)
  if (height !== undefined) return confirm(draft, row, { height, seen, context })
  if (row.status !== 'pending' || !hasExpired(row, seen.tip.height)) return 'unchanged'
  cancelIn(draft, row)
  return 'expired'
}

/** Only what a restore found has no kernel: a slate without one cannot be mined, whatever the chain holds. */
export const canBeMined = ({ excess, slateId }: WalletTransaction): boolean =>
  excess !== undefined || slateId === undefined

/** The block that holds the kernel, or an own output if a block came between the two questions. */
function heightSeen(row: WalletTransaction, seen: Sightings): number | undefined {
  if (!canBeMined(row)) return undefined
  const kernel = row.excess === undefined ? undefined : seen.kernels.get(row.excess)
  const output = row.outputs.map(({ commitment }) => seen.outputs.get(commitment)?.height)
  return kernel ?? output.find((height) => height !== undefined)
}

/** A complete transaction may be mined at any time, so only a user cancels it. */
const hasExpired = (row: WalletTransaction, tip: number): boolean =>
  row.ttl !== undefined && row.ttl <= tip && !isComplete(row)

function settleConfirmed(draft: Draft, row: WalletTransaction, height: number | undefined, seen: Sightings): Outcome {
  if (height !== undefined) {
    if (height !== row.height) draft.put('transaction', { ...row, height })
    return 'unchanged'
  }
  if (!hasVanished(row, draft, seen)) return 'unchanged'
  revert(draft, row)
  return 'reverted'
}

/** The kernel was asked for and is not there; without a kernel, a fork took its outputs. */
function hasVanished({ excess, outputs }: WalletTransaction, draft: Draft, seen: Sightings): boolean {
  if (excess !== undefined) return seen.kernels.has(excess)
  const wasThere = outputs.some(
    ({ commitment }) => seen.outputs.has(commitment) && draft.get('output', commitment)?.status === 'unspent',
  )
  return seen.forked && wasThere
}

/** Its outputs are gone from the chain, and its inputs are back: they stay locked, because it may be mined again. */
function revert(draft: Draft, row: WalletTransaction): void {
  const { height: _, confirmedAt: __, ...rest } = row
  draft.put('transaction', { ...rest, status: 'reverted' })
  for (const { commitment } of row.outputs) {
    const output = draft.get('output', commitment)
    if (output) draft.put('output', { ...output, status: 'reverted' })
  }
  for (const commitment of row.inputs) {
    const input = draft.get('output', commitment)
    if (input?.spentBy === row.id && input.status === 'spent') draft.put('output', { ...input, status: 'locked' })
  }
}

interface Confirmation {
  readonly height: number
  readonly seen: Sightings
  readonly context: SettleContext
}

function confirm(draft: Draft, row: WalletTransaction, { height, seen, context }: Confirmation): Outcome {
  const { cancelledHeight: _, ...rest } = row
  draft.put('transaction', { ...rest, status: 'confirmed', height, confirmedAt: context.now })
  for (const own of row.outputs) confirmOutput(draft, own, row, { height, seen, context })
  spendInputs(draft, row, height)
  return 'confirmed'
}

/** Whatever else was to spend the inputs of a confirmed transaction. */
export function spendInputs(draft: Draft, { id, inputs }: WalletTransaction, height: number): void {
  for (const commitment of inputs) {
    const input = draft.get('output', commitment)
    if (input) draft.put('output', { ...input, status: 'spent', spentBy: id, spentHeight: height })
  }
}

/** Its row may be missing after a cancellation. An output that is not there although its kernel is was spent. */
function confirmOutput(
  draft: Draft,
  own: OwnOutput,
  row: WalletTransaction,
  { height, seen, context }: Confirmation,
): void {
  const known = draft.get('output', own.commitment)
  const output = known ?? { ...own, ...freshRow(row), height }
  const found = seen.outputs.get(own.commitment)
  if (found) place(draft, output, found, context)
  else draft.put('output', { ...output, height, ...statusUnseen(draft, output, seen) })
}

/** A cancelled output was not asked for: the next refresh does. */
function statusUnseen(draft: Draft, output: WalletOutput, seen: Sightings): Partial<WalletOutput> {
  const isGone = seen.outputs.has(output.commitment) && output.status !== 'locked'
  return isGone ? { status: 'spent', spentHeight: seen.tip.height } : { status: statusOnChain(draft, output) }
}

const freshRow = ({ account, id, kind }: WalletTransaction) => ({
  account,
  status: 'unconfirmed' as const,
  coinbase: kind === 'coinbase',
  lockHeight: 0,
  transaction: id,
})

/**
 * The output as the chain has it. One that a confirmed transaction spends stays spent: a fork came between two questions, and the next look finds
 * the transaction reverted. Free in between, it could be spent twice.
 */
export function place(
  draft: Draft,
  output: WalletOutput,
  found: ChainOutput,
  { rules }: Pick<SettleContext, 'rules'>,
): void {
  const { coinbase, height, mmrIndex } = found
  const spender = output.spentBy === undefined ? undefined : draft.get('transaction', `${output.spentBy}`)
  if (spender?.status === 'confirmed') {
    draft.put('output', { ...output, status: 'spent', spentHeight: output.spentHeight ?? spender.height ?? height })
    return
  }
  const status = statusOnChain(draft, output)
  const row = status === 'locked' ? output : unspentRow(output)
  const lockHeight = coinbase ? height + rules.coinbaseMaturity : 0
  draft.put('output', { ...row, status, coinbase, height, lockHeight, mmrIndex })
}

/**
 * Outputs of confirmed transactions: moved by a fork, come back, or spent by another copy of this wallet. Locked and reverted ones too: a scan
 * confirms a transaction by one of its outputs, and looks neither at the others nor at its inputs.
 */
function settleOutput(draft: Draft, output: WalletOutput, seen: Sightings, context: SettleContext): void {
  const maker = draft.get('transaction', `${output.transaction}`)
  if (!seen.outputs.has(output.commitment) || maker?.status !== 'confirmed') return
  const found = seen.outputs.get(output.commitment)
  if (found) place(draft, output, found, context)
  else if (output.status !== 'spent' && statusOnChain(draft, output) === 'unspent')
    draft.put('output', { ...output, status: 'spent', spentHeight: seen.tip.height })
}
