// The checks of an I2 before it is signed (specification: grin-wallet, 4.3, RULE). Sums and proofs are checked on the final transaction.
import { equalBytes } from '../../lib/bytes.js'
import { isCommitment } from '../crypto/index.js'
import type { Commitment } from '../kinds/index.js'
import type { Slate } from '../slate/index.js'
import { minimumFee, shiftedFee, splitFee } from '../tx/index.js'
import { firstRefusal, isScalar, type SlateRefusal, type SlateRule } from './rules.js'

export interface I2Context {
  readonly invoice: { readonly slateId: string; readonly commitment: Commitment }
  /** Last known height of the chain; 0 if unknown. */
  readonly tip: number
}

/**
 * Every commitment costs a square root and every output a range proof, before the node says whether the inputs exist. Stock
 * wallets spend at most 500 inputs and make few change outputs.
 */
const MOST_INPUTS = 500
const MOST_OUTPUTS = 50

/** Checked in this order; the first broken rule is what the payer reads. */
const I2_RULES: readonly SlateRule<Slate, I2Context>[] = [
  {
    code: 'I2_STATE',
    broken: ({ state }) =>
      state === 'I2' ? undefined : `this slatepack is in state ${state}, the invoice waits for I2`,
  },
  {
    code: 'I2_UNKNOWN',
    broken: ({ id }, { invoice }) => (id === invoice.slateId ? undefined : 'this slatepack belongs to another invoice'),
  },
  {
    code: 'I2_PARTICIPANTS',
    broken: ({ participants }) =>
      participants.length === 1 ? undefined : `this slatepack names ${participants.length} participants instead of one`,
  },
  {
    code: 'I2_UNSIGNED',
    broken: ({ participants }) => (participants.every(({ part }) => part) ? undefined : 'the payer has not signed'),
  },
  {
    code: 'I2_NUM_PARTS',
    broken: ({ numParts }) => (numParts === 2 ? undefined : 'only payments between two participants are possible here'),
  },
  {
    code: 'I2_FEATURES',
    broken: ({ features, lockHeight }) =>
      features === 0 && lockHeight === undefined
        ? undefined
        : 'this payment would be locked or conditional (kernel features); make an ordinary one',
  },
  {
    code: 'I2_INPUTS',
    broken: ({ commitments = [] }) =>
      commitments.some(({ proof }) => !proof) ? undefined : 'the payment spends nothing',
  },
  { code: 'I2_TOO_LARGE', broken: tooLarge },
  { code: 'I2_COMMITMENT', broken: badCommitment },
  {
    code: 'I2_FEE_FIELD',
    broken: ({ fee }) => (splitFee(fee).stray ? 'the fee field has bits set that mean nothing' : undefined),
  },
  { code: 'I2_FEE_TOO_LOW', broken: feeTooLow },
  {
    code: 'I2_EXPIRED',
    broken: ({ ttl }, { tip }) =>
      ttl === 0n || ttl > BigInt(tip) ? undefined : `this slatepack expired at block ${ttl}, the chain is at ${tip}`,
  },
  {
    code: 'I2_OFFSET',
    broken: ({ offset }) => (isScalar(offset) ? undefined : 'the offset is not a valid number'),
  },
]

/** The first reason to refuse an I2, or undefined. Computes no sums of commitments. */
export const checkI2 = (slate: Slate, context: I2Context): SlateRefusal | undefined =>
  firstRefusal(I2_RULES, slate, context)

function tooLarge({ commitments = [] }: Slate): string | undefined {
  const inputs = commitments.filter(({ proof }) => !proof).length
  const outputs = commitments.length - inputs
  return inputs > MOST_INPUTS || outputs > MOST_OUTPUTS
    ? `${inputs} inputs and ${outputs} outputs; at most ${MOST_INPUTS} and ${MOST_OUTPUTS} are taken`
    : undefined
}

function badCommitment({ commitments = [] }: Slate, { invoice }: I2Context): string | undefined {
  if (!commitments.every(({ commitment }) => isCommitment(commitment))) return 'a commitment is not valid'
  const ours = commitments.some(({ commitment }) => equalBytes(commitment, invoice.commitment))
  return ours ? 'the payment already contains our output' : undefined
}

/** The fee of the final transaction: the payer's commitments, the till's output, one kernel. */
function feeTooLow({ commitments = [], fee }: Slate): string | undefined {
  const inputs = commitments.filter(({ proof }) => !proof).length
  const least = minimumFee({ inputs, outputs: commitments.length - inputs + 1, kernels: 1 })
  return shiftedFee(fee) >= least
    ? undefined
    : `the fee of ${shiftedFee(fee)} nanogrin is below ${least}, no node would take it`
}
