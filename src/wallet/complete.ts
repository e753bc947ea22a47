// The complete transaction of a final slate.
import { decodeSlate, type Slate } from '../grin/slate/index.js'
import { openSigningSession, sealKernel, type Transaction, transactionBody } from '../grin/tx/index.js'
import type { WalletTransaction } from './model.js'

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
  isComplete(row) && row.slate ? decodeSlate(row.slate) : undefined
