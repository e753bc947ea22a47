// What a payment proof signs, and with what. Specification: grin-wallet.md 6.1.
import { ed25519 } from '@noble/curves/ed25519.js'
import type { NanoGrin } from '../amount/index.js'
import { createWriter } from '../wire/index.js'

export interface ProofContent {
  /** What the receiver got, without the fee. */
  readonly amount: NanoGrin
  /** Kernel excess, 33 bytes. */
  readonly excess: Uint8Array
  /** The sender's ed25519 key, 32 bytes. The receiver's is bound by its signature. */
  readonly sender: Uint8Array
}

/** The receiver's half: enough for the payer to hold against us. */
export interface ReceiverProof extends ProofContent {
  /** The receiver's ed25519 key, 32 bytes. */
  readonly recipient: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

/** The 73 signed bytes. Throws RangeError for fields of the wrong length. */
export const proofMessage = ({ amount, excess, sender }: ProofContent): Uint8Array =>
  createWriter().u64(amount).bytes(excess, 33, 'excess').bytes(sender, 32, 'sender').done()

/** Signs with the ed25519 seed (32 bytes) behind one's address: 64 bytes. */
export const signProof = (content: ProofContent, seed: Uint8Array): Uint8Array =>
  ed25519.sign(proofMessage(content), seed)

/** Plain RFC 8032 verification; keys that do not decode and s at or above the group order are simply wrong. */
export function verifyProof(content: ProofContent, signer: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, proofMessage(content), signer)
  } catch {
    return false
  }
}

/** Makes the receiver's half with the seed behind the address the sender asked. */
export function makeReceiverProof(content: ProofContent, seed: Uint8Array): ReceiverProof {
  return { ...content, recipient: ed25519.getPublicKey(seed), signature: signProof(content, seed) }
}

/** Whether the half is signed by the recipient it names. */
export const verifyReceiverProof = (proof: ReceiverProof): boolean =>
  verifyProof(proof, proof.recipient, proof.signature)
