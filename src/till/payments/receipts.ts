// Signed receipts (specification: invoicing, 7). The member order is what gets hashed.
import { createHash } from 'node:crypto'
import { toHex, utf8 } from '../../lib/bytes.js'
import { momentText } from '../../lib/moment-text.js'
import type { Secret } from '../../lib/secret.js'
import { signDigest } from '../../nostr/keys/index.js'
import type { Receipt, SignedReceipt } from '../api.js'
import type { Payment, ReceiverProof } from '../model.js'

/** Members in alphabetical order. */
const proofView = (proof: ReceiverProof) => ({
  amount: Number(proof.amount),
  kernel_excess: proof.kernelExcess,
  recipient_address: proof.recipientAddress,
  recipient_sig: proof.recipientSig,
  sender_address: proof.senderAddress,
})

/** What is said about a payment at `now`; before confirmation `confirmed_height` is null. */
export const receiptOf = (payment: Payment, serverPubkey: string, now: number): Receipt => ({
  version: 1,
  payment_id: payment.id,
  amount: Number(payment.amount),
  kernel_excess: toHex(payment.excess),
  confirmed_height: payment.minedHeight,
  confirmations: null,
  proof: payment.proof && proofView(payment.proof),
  issued_at: momentText(now),
  server_pubkey: serverPubkey,
})

/** BIP-340 over SHA-256 of the compact JSON, without auxiliary randomness. */
export function signReceipt(receipt: Receipt, identity: Secret<Uint8Array>): SignedReceipt {
  const digest = createHash('sha256')
    .update(utf8(JSON.stringify(receipt)))
    .digest()
  return { receipt, sig: signDigest(new Uint8Array(digest), identity) }
}
