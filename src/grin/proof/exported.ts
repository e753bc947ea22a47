// Proof texts: the payer's export (both signatures) and the receiver's half as a till stores it. Specification: grin-wallet, 6.
import { fromHex, toHex } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { type NanoGrin, nanoGrin } from '../amount/index.js'
import { isCommitment } from '../crypto/index.js'
import type { AddressKey, AddressSeed, AddressSignature } from '../kinds/index.js'
import { type AddressPrefix, formatAddress, parseAddress } from '../slatepack/index.js'
import { proofInvalid, recipientSignatureInvalid, senderSignatureInvalid } from './errors.js'
import { type SignedReceiverProof, signProof, verifyProof, verifyReceiverProof } from './message.js'

/** The export of `grin-wallet export_proof`: both sides sign the same 73 bytes. */
export interface PaymentProof extends SignedReceiverProof {
  /** 64 bytes. */
  readonly senderSignature: AddressSignature
}

/** Completes the receiver's half with the sender's signature (ed25519 seed, 32 bytes). */
export const completeProof = (half: SignedReceiverProof, senderSeed: AddressSeed): PaymentProof => ({
  ...half,
  senderSignature: signProof(half, senderSeed),
})

/** Checks both signatures; the caller looks up the kernel on the chain. Throws PROOF_RECIPIENT_SIGNATURE, PROOF_SENDER_SIGNATURE. */
export function checkPaymentProof(proof: PaymentProof): void {
  if (!verifyReceiverProof(proof)) throw recipientSignatureInvalid()
  if (!verifyProof(proof, proof.sender, proof.senderSignature)) throw senderSignatureInvalid()
}

/** Reads an exported proof (a parsed JSON value) of the chain: six members, addresses in either case. Throws PROOF_INVALID. */
export function parsePaymentProof(value: unknown, prefix: AddressPrefix): PaymentProof {
  if (typeof value !== 'object' || value === null) throw proofInvalid('not an object')
  const from: Members = { ...value }
  const proof = {
    amount: readAmount(from.amount),
    excess: readBytes(from, 'excess', 33),
    recipient: readAddress(from, 'recipient_address', prefix),
    signature: readBytes(from, 'recipient_sig', 64),
    sender: readAddress(from, 'sender_address', prefix),
    senderSignature: readBytes(from, 'sender_sig', 64),
  }
  if (!isCommitment(proof.excess)) throw proofInvalid('excess is not a commitment')
  return proof
}

type Members = Readonly<Record<string, unknown>>

function readAmount(value: unknown): NanoGrin {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) throw proofInvalid('amount is not a whole number')
  const amount = BigInt(text)
  if (amount >= 2n ** 64n) throw proofInvalid('amount is above 2^64-1')
  return nanoGrin(amount)
}

function readBytes(from: Members, name: string, length: number): Uint8Array {
  const value = from[name]
  if (typeof value !== 'string' || !/^[0-9a-fA-F]*$/.test(value) || value.length !== 2 * length)
    throw proofInvalid(`${name} is not ${length} bytes of hex`)
  return fromHex(value)
}

function readAddress(from: Members, name: string, prefix: AddressPrefix): AddressKey {
  const value = from[name]
  if (typeof value !== 'string') throw proofInvalid(`${name} is missing`)
  try {
    return parseAddress(value, prefix)
  } catch (error) {
    throw error instanceof GrinpayError ? proofInvalid(`${name}: ${error.message}`) : error
  }
}

/** The export as JSON. Addresses are slatepack addresses, the rest hex; `amount` is decimal nanogrin. */
export interface PaymentProofJson {
  readonly amount: string
  readonly excess: string
  readonly recipient_address: string
  readonly recipient_sig: string
  readonly sender_address: string
  readonly sender_sig: string
}

/** The export as an object, members in grin-wallet's order. */
export const paymentProofJson = (proof: PaymentProof, prefix: AddressPrefix): PaymentProofJson => ({
  amount: `${proof.amount}`,
  excess: toHex(proof.excess),
  recipient_address: formatAddress(prefix, proof.recipient),
  recipient_sig: toHex(proof.signature),
  sender_address: formatAddress(prefix, proof.sender),
  sender_sig: toHex(proof.senderSignature),
})

/** The receiver's half with hex keys, as in a receipt. `amount` stays a bigint: the JSON writer formats it. */
export const receiverProofJson = (proof: SignedReceiverProof) => ({
  amount: proof.amount,
  kernel_excess: toHex(proof.excess),
  recipient_address: toHex(proof.recipient),
  recipient_sig: toHex(proof.signature),
  sender_address: toHex(proof.sender),
})
