// The invoice flow: the payee asks with an I1, the payer answers with an I2, the payee makes I3 and transaction (Grin RFC 4).
import { nanoGrin } from '../grin/amount/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import { payI1 as pay, type Spend } from '../grin/payer/index.js'
import {
  checkI2 as check,
  type FinalizedInvoice,
  finalizeInvoice as finalize,
  issueInvoice as issue,
  type OpenInvoice,
  type SlateRefusal,
} from '../grin/receive/index.js'
import type { Slate } from '../grin/slate/index.js'
import { localProver, type Prover } from './local-prover.js'
import { now as clock, newSlateId, type RandomSource, randomFrom } from './surroundings.js'

export type { FinalizedInvoice, OpenInvoice, SlateRefusal }

/** What `issueInvoice` asks for. */
export interface InvoiceOptions {
  readonly keychain: Keychain
  /** Nanogrin that the payee gets; the payer's fee comes on top. */
  readonly amount: bigint
  /** The account that is paid. Default 0. */
  readonly account?: number
  /** A key index that was never used in the account. */
  readonly keyIndex: number
  /** A fresh UUID. Default: a random one. */
  readonly id?: string
  /** Default: the calling thread. */
  readonly prover?: Prover
  readonly random?: RandomSource
  /** Epoch milliseconds; enters the secrets. Default: the clock. */
  readonly now?: number
}

/** A new invoice: the slate to send, and what the payee stores before it leaves. */
export interface IssuedInvoice {
  /** The I1. */
  readonly slate: Slate
  /** The I1 in binary form. */
  readonly bytes: Uint8Array
  readonly invoice: OpenInvoice
}

/** Makes an I1 with fresh secrets. Rejects with RangeError for an amount of zero or above 2^64-1, and OUTPUT_MISMATCH. */
export async function issueInvoice(options: InvoiceOptions): Promise<IssuedInvoice> {
  const { amount, id = newSlateId(options.random), prover = localProver, random, now = clock(), ...rest } = options
  return issue({ ...rest, amount: nanoGrin(amount), id, prove: prover.prove, random: randomFrom(random), now })
}

/** The I1 that `payI1` answers, and the coins that pay it. */
export interface PayOptions {
  readonly keychain: Keychain
  /** The I1. */
  readonly slate: Slate
  /** Coins and change, as `planSpend` of `send` returns them. */
  readonly spend: Spend
  /** Block height at which the reply expires; 0 (default) for never. */
  readonly ttl?: bigint
  /** Default: the calling thread. */
  readonly prover?: Prover
  readonly random?: RandomSource
}

/** Answers an I1 with an I2, whose secrets are dropped on return. Rejects with PAYER_INVOICE. */
export const payI1 = ({
  prover = localProver,
  random,
  ...options
}: PayOptions): Promise<{ readonly slate: Slate; readonly bytes: Uint8Array }> =>
  pay({ ...options, prove: prover.prove, random: randomFrom(random) })

/** The invoice that an I2 must fit. */
export interface I2Expectations {
  readonly invoice: Pick<OpenInvoice, 'slateId' | 'commitment'>
  /** Last known height of the chain. Default 0 (unknown): no slate counts as expired. */
  readonly tip?: number
}

/** The first reason to refuse an I2, or undefined. Computes no sums and checks no range proofs. */
export const checkI2 = (slate: Slate, { invoice, tip = 0 }: I2Expectations): SlateRefusal | undefined =>
  check(slate, { invoice, tip })

/** The I2 that `finalizeInvoice` completes, and the invoice it belongs to. */
export interface FinalizeInvoiceOptions {
  readonly keychain: Keychain
  readonly invoice: OpenInvoice
  /** The I2. */
  readonly slate: Slate
  /** Last known height of the chain. Default 0 (unknown). */
  readonly tip?: number
  /** Default: the calling thread. */
  readonly prover?: Prover
}

/**
 * Completes the payer's I2 after it verifies signature, range proofs and balance, which fixes the amount. Store the result before the
 * transaction is pushed. After a rejection a valid I2 still finalizes. Rejects with an `I2_…` refusal or a `TX_…` failure.
 */
export const finalizeInvoice = (options: FinalizeInvoiceOptions): Promise<FinalizedInvoice> => {
  const { tip = 0, prover = localProver, ...rest } = options
  return finalize({ ...rest, tip, verifyRange: prover.verify })
}
