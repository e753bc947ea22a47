// The complete transaction of a final slate.
import { decodeSlate, type Slate } from '../grin/slate/index.js'
import { openSigningSession, sealKernel, type Transaction, transactionBody } from '../grin/tx/index.js'
import type { WalletTransaction } from './model.js'
import { readingRow } from './storage/tables.js'

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
