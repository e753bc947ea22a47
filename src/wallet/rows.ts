// Small changes of rows that several verbs make.
import { decodeSlate, type Slate } from '../grin/slate/index.js'
import { openSigningSession, sealKernel, type Transaction, transactionBody } from '../grin/tx/index.js'
import { isSpendable } from './coins/balance.js'
import { walletCoinsMoved, walletExpired, walletNoAccount, walletNotSynced, walletSlateUnknown } from './errors.js'
import type { Draft, WalletState } from './ledger.js'
import type { OwnOutput, SeenBlock, TransactionKind, WalletAccount, WalletOutput, WalletTransaction } from './model.js'
import { MOST_HEIGHT } from './node/node.js'
import type { AddressRange } from './signer/signer.js'
import { ONLY, readingRow } from './storage/tables.js'

/** Heights that no chain reaches were once taken from nodes: a wallet that stored one has seen nothing. */
const plausible = (seen: SeenBlock | undefined): SeenBlock | undefined =>
  seen && seen.height <= MOST_HEIGHT ? seen : undefined

/** The block that the last refresh saw. */
export const seenBlockOf = ({ seenBlock }: WalletState): SeenBlock | undefined => plausible(seenBlock.get(ONLY))

/** The height of the chain at the last refresh; 0 before the first. `heightOf` reads it from a state, `heightIn` from a draft. */
export const heightIn = (draft: Draft): number => plausible(draft.get('seenBlock', ONLY))?.height ?? 0

export const heightOf = (state: WalletState): number => seenBlockOf(state)?.height ?? 0

/** The block by which nodes of this wallet's chain are known; undefined before the first answer of one. */
export const anchorOf = ({ identity }: WalletState): SeenBlock | undefined => identity.get(ONLY)?.anchor

/** Stores another anchor; the row stays as it is without one. */
export function putAnchor(draft: Draft, anchor: SeenBlock | undefined): void {
  const identity = draft.get('identity', ONLY)
  if (identity && anchor) draft.put('identity', { ...identity, anchor })
}

/** How many looks at the chain were stored. */
export const looksOf = ({ identity }: WalletState): number => identity.get(ONLY)?.looks ?? 0

const looksIn = (draft: Draft): number => draft.get('identity', ONLY)?.looks ?? 0

/** Whether another look was stored since this one began: what it saw may be of before. */
export const isOutdated = (draft: Draft, looksBefore: number): boolean => looksIn(draft) !== looksBefore

/** Makes every look that began before this one outdated. */
export function countLook(draft: Draft): void {
  const identity = draft.get('identity', ONLY)
  if (identity) draft.put('identity', { ...identity, looks: looksIn(draft) + 1 })
}

/** Throws WALLET_NO_ACCOUNT. */
export function accountIn(draft: Draft, index: number): WalletAccount {
  const account = draft.get('account', `${index}`)
  if (!account) throw walletNoAccount(`${index}`)
  return account
}

/** Key indexes that are used once: the counter is raised in the same commit. Throws WALLET_NO_ACCOUNT. */
export function takeKeys(draft: Draft, account: number, count: number): number[] {
  const row = accountIn(draft, account)
  draft.put('account', { ...row, nextOutput: row.nextOutput + count })
  return Array.from({ length: count }, (_, at) => row.nextOutput + at)
}

/** The addresses that were handed out, those of account 0 first. */
export const rangesOf = ({ account }: WalletState): AddressRange[] =>
  [...account.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ index, addresses }) => ({ account: index, count: addresses }))

/** The id of the next entry of the log. */
export const nextTransactionId = (draft: Draft): number =>
  draft.rows('transaction').reduce((most, { id }) => Math.max(most, id), -1) + 1

/** The entry of a slate; a payment to oneself has one of each kind. */
export const findBySlate = (draft: Draft, slateId: string, kind?: TransactionKind): WalletTransaction | undefined =>
  draft.rows('transaction').find((one) => one.slateId === slateId && (kind === undefined || one.kind === kind))

/** Throws WALLET_SLATE_UNKNOWN. */
export function transactionOf(draft: Draft, slateId: string, kind?: TransactionKind): WalletTransaction {
  const found = findBySlate(draft, slateId, kind)
  if (!found) throw walletSlateUnknown(slateId)
  return found
}

export const sumOf = (outputs: readonly { readonly value: bigint }[]): bigint =>
  outputs.reduce((sum, { value }) => sum + value, 0n)

/**
 * The outputs of an account that may be inputs. Unconfirmed ones (with `minConfirmations` 0) only if their transaction is complete: an
 * S2 or I2 may never come back as one.
 */
export function spendableIn(draft: Draft, account: number, minConfirmations: number): WalletOutput[] {
  const tip = heightIn(draft)
  return draft
    .rows('output')
    .filter((output) => output.account === account && isSpendable(output, tip, minConfirmations))
    .filter(({ status, transaction }) => status === 'unspent' || isOwnChange(draft, transaction))
}

function isOwnChange(draft: Draft, transaction: number): boolean {
  const row = draft.get('transaction', `${transaction}`)
  return row?.kind === 'sent' && row.status === 'pending' && isComplete(row)
}

/** Locks inputs for a transaction. */
export function lockInputs(draft: Draft, inputs: readonly WalletOutput[], transaction: number): void {
  for (const input of inputs) draft.put('output', { ...input, status: 'locked', spentBy: transaction })
}

/** Rows of outputs that are not on the chain yet. */
export function addUnconfirmed(draft: Draft, outputs: readonly OwnOutput[], { id, account }: WalletTransaction): void {
  for (const output of outputs)
    draft.put('output', {
      ...output,
      account,
      status: 'unconfirmed',
      height: heightIn(draft),
      coinbase: false,
      lockHeight: 0,
      transaction: id,
    })
}

/** What an output that the chain holds is, apart from being spent: locked while a transaction that may still be mined spends it. */
export function statusOnChain(draft: Draft, { spentBy }: WalletOutput): 'locked' | 'unspent' {
  const spender = spentBy === undefined ? undefined : draft.get('transaction', `${spentBy}`)
  return spender?.status === 'pending' || spender?.status === 'reverted' ? 'locked' : 'unspent'
}

/** The row without its spender. */
export function unspentRow(output: WalletOutput): WalletOutput {
  const { spentBy: _, spentHeight: __, ...rest } = output
  return rest
}

/**
 * The height at which a slate expires this many blocks after the last seen tip; 0 (never) without a number. Throws WALLET_NOT_SYNCED
 * before the first refresh.
 */
export function ttlIn(draft: Draft, blocks: number | undefined): number {
  if (blocks === undefined) return 0
  if (!Number.isSafeInteger(blocks) || blocks < 1 || blocks > MOST_HEIGHT) throw new RangeError(`ttlBlocks: ${blocks}`)
  const height = heightIn(draft)
  if (height === 0) throw walletNotSynced()
  return height + blocks
}

/** Throws WALLET_SLATE_EXPIRED. */
export function checkTtl(ttl: bigint, height: number): void {
  if (ttl > 0n && ttl <= BigInt(height)) throw walletExpired(Number(ttl), height)
}

/** Blocks before the last seen tip from which a kernel is looked for: a reorganisation may bring it there. */
const LOOKUP_MARGIN = 1440

/** The height from which the kernel of a transaction that is made now is looked for (specification: grin-wallet, 5, RULE). */
export const lookupHeightIn = (draft: Draft): number => Math.max(0, heightIn(draft) - LOOKUP_MARGIN)

/** The same, should the last seen tip have been a wrong one: from a height beyond the chain the kernel would never be found. */
export const lookupFrom = ({ minHeight }: WalletTransaction, tip: SeenBlock): number =>
  Math.min(minHeight, Math.max(0, tip.height - LOOKUP_MARGIN))

/** Whether outputs that were chosen before are still as they were: a proof was made meanwhile. */
export const areFree = (draft: Draft, coins: readonly WalletOutput[]): boolean =>
  coins.every(({ commitment, status }) => draft.get('output', commitment)?.status === status)

const MOST_CHOICES = 5

/** Repeats a job that answers undefined when another payment took its coins. Throws WALLET_COINS_MOVED. */
export async function retryWhileCoinsMove<T>(job: () => Promise<T | undefined>): Promise<T> {
  for (let choice = 0; choice < MOST_CHOICES; choice++) {
    const result = await job()
    if (result !== undefined) return result
  }
  throw walletCoinsMoved()
}

// The complete transaction of a final slate.
/** The transaction of an S3 or I3, sorted. Throws TX_INVALID if a signature is missing. */
export function transactionOfSlate(slate: Slate): Transaction {
  const { participants, commitments = [], offset } = slate
  const kernel = sealKernel(slate, participants, openSigningSession(slate, participants))
  return { offset, ...transactionBody(commitments), kernels: [kernel] }
}

/** Whether this wallet holds the whole transaction: it finalized it. */
export const isComplete = ({ written }: WalletTransaction): boolean => written === 'S3' || written === 'I3'

/** The final slate of an entry; undefined if this wallet did not finalize it. */
export const finalSlateOf = (row: WalletTransaction): Slate | undefined =>
  isComplete(row) && row.slate ? storedSlate(row, row.slate) : undefined

/** The slate of an entry. Throws WALLET_STORAGE_DAMAGED. */
export const storedSlate = ({ id }: WalletTransaction, bytes: Uint8Array): Slate =>
  readingRow(`transaction/${id} slate`, () => decodeSlate(bytes))
