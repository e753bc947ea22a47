// The payee's side of the invoice flow: I1 out, I2 in, I3 out. Specification: grin-wallet, 4.3.

import type { RandomBytes } from '../../lib/random-bytes.js'
import { type NanoGrin, nanoGrin } from '../amount/index.js'
import type { ProveRange, VerifyRange } from '../crypto/index.js'
import { type Identifier, type Keychain, outputIdentifier } from '../keychain/index.js'
import type { Commitment, RangeProof, SlateSecretBytes } from '../kinds/index.js'
import { encodeSlate, type Slate, ZERO_OFFSET } from '../slate/index.js'
import {
  commitmentsOf,
  hasSigned,
  openSigningSession,
  packSecrets,
  participantOf,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  type Transaction,
  transactionBody,
  unpackSecrets,
  validateTransaction,
} from '../tx/index.js'
import { checkI2 } from './invoice-rules.js'
import { checkedWith, checkOwnOutput } from './output-check.js'
import { refusalError } from './rules.js'
import { secretsForI1 } from './slate-secrets.js'

/** An invoice that waits for its I2, as stored. */
export interface OpenInvoice {
  readonly slateId: string
  readonly amount: NanoGrin
  readonly identifier: Identifier
  readonly commitment: Commitment
  readonly rangeProof: RangeProof
  /** Secret, 64 bytes: key and nonce for one I2, once. The store keeps them encrypted, and wipes them when the invoice is final or closed. */
  readonly secrets: SlateSecretBytes
}

export interface IssueInput {
  readonly keychain: Keychain
  readonly amount: NanoGrin
  /** The account that is paid. Default 0. */
  readonly account?: number
  /** A key index that was never used in the account. */
  readonly keyIndex: number
  /** A fresh random UUID. */
  readonly id: string
  readonly prove: ProveRange
}

/** Makes an I1 with fresh secrets. Throws RangeError for an amount of zero. */
export const issueInvoice = (
  input: IssueInput & {
    readonly random: RandomBytes
    /** Epoch milliseconds. */
    readonly now: number
  },
): Promise<{ readonly slate: Slate; readonly bytes: Uint8Array; readonly invoice: OpenInvoice }> =>
  issueWith(secretsForI1(input, input), input)

/** `issueInvoice` with given secrets: for replaying recorded runs. */
export async function issueWith(secrets: SlateSecrets, input: IssueInput) {
  const { keychain, amount, account = 0, keyIndex, id, prove } = input
  if (amount <= 0n) throw new RangeError('an invoice of 0 GRIN')
  const identifier = outputIdentifier(account, keyIndex)
  const output = keychain.proofInput(identifier, amount)
  const slate: Slate = {
    headerVersion: 3,
    id,
    state: 'I1',
    offset: ZERO_OFFSET,
    numParts: 2,
    amount,
    fee: 0n,
    features: 0,
    ttl: 0n,
    participants: [participantOf(secrets)],
  }
  const rangeProof = await checkedWith(prove(output), () => checkOwnOutput(keychain, { identifier, amount }, output))
  const { commitment } = output
  const invoice = { slateId: id, amount, identifier, commitment, rangeProof, secrets: packSecrets(secrets) }
  return { slate, bytes: encodeSlate(slate), invoice }
}

export interface FinalizeInput {
  readonly keychain: Keychain
  readonly invoice: OpenInvoice
  /** The I2. */
  readonly slate: Slate
  /** Last known height of the chain; 0 if unknown. */
  readonly tip: number
  readonly verifyRange: VerifyRange
}

/** The caller stores all of this in one transaction before it pushes the Grin transaction. */
export interface FinalizedInvoice {
  /** The I3. */
  readonly slate: Slate
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  /** Kernel excess, 33 bytes. */
  readonly excess: Commitment
}

/**
 * Completes the payer's I2 after it verifies the payer's signature, the range proofs and the balance, which fixes the amount.
 * After a throw, a valid I2 still finalizes. Throws an I2_… refusal or a TX_… failure.
 */
export async function finalizeInvoice(input: FinalizeInput): Promise<FinalizedInvoice> {
  const refusal = checkI2(input.slate, input)
  if (refusal) throw refusalError(refusal)
  const final = complete(input)
  const failure = await validateTransaction(final.transaction, input.verifyRange)
  if (failure) throw refusalError(failure)
  return final
}

function complete({ keychain, invoice, slate }: FinalizeInput): FinalizedInvoice {
  const secrets = unpackSecrets(invoice.secrets)
  const own = participantOf(secrets)
  const session = openSigningSession(slate, [...slate.participants, own])
  if (!slate.participants.every((payer) => hasSigned(payer, session)))
    throw refusalError({ code: 'I2_SIGNATURE', text: "the payer's signature does not fit this invoice" })
  const participants = [...slate.participants, signedParticipant(secrets, session, own)]
  const blind = keychain.outputBlind(invoice.identifier, invoice.amount)
  const offset = stepOffset(slate.offset, { key: secrets.key, inputs: [], outputs: [blind] })
  const output = { coinbase: false, commitment: invoice.commitment, proof: invoice.rangeProof }
  const body = transactionBody([...(slate.commitments ?? []), output])
  const kernel = sealKernel(slate, participants, session)
  const final: Slate = {
    ...slate,
    state: 'I3',
    amount: nanoGrin(0n),
    offset,
    participants,
    commitments: commitmentsOf(body),
  }
  return {
    slate: final,
    bytes: encodeSlate(final),
    transaction: { offset, ...body, kernels: [kernel] },
    excess: kernel.excess,
  }
}
