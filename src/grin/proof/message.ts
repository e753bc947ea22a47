// What a payment proof signs, and with what. Specification: grin-wallet.md 6.1.
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from '../../lib/bytes.js'
import type { NanoGrin } from '../amount/index.js'
import { createByteWriter } from '../wire/index.js'

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
export const paymentProofMessage = ({ amount, excess, sender }: ProofContent): Uint8Array =>
  createByteWriter().u64(amount).bytes(excess, 33, 'excess').bytes(sender, 32, 'sender').done()

/** Signs with the ed25519 seed (32 bytes) behind one's address: 64 bytes. */
export const signProof = (content: ProofContent, seed: Uint8Array): Uint8Array =>
  ed25519.sign(paymentProofMessage(content), seed)

const { Point } = ed25519
/** The order of the base point. */
const L = Point.CURVE().n

/**
 * Verifies as grin-wallet's ed25519 library does, without the cofactor: s*B - k*A, spelled out, must be the very 32 bytes of R. Keys of
 * small or mixed order, R of small order, second spellings of a point and s at or above the group order are refused.
 */
export function verifyProof(content: ProofContent, signer: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const r = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  const key = primeOrderPoint(signer)
  if (!key || s >= L) return false
  const k = littleEndian(sha512(concatBytes(r, signer, paymentProofMessage(content)))) % L
  const nonce = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k))
  return !nonce.is0() && equalBytes(nonce.toBytes(), r)
}

/** The point of a key in the subgroup of prime order, spelled in the one way that counts; undefined for any other 32 bytes. */
function primeOrderPoint(bytes: Uint8Array): InstanceType<typeof Point> | undefined {
  try {
    const point = Point.fromBytes(bytes)
    return !point.is0() && point.isTorsionFree() ? point : undefined
  } catch {
    return undefined // no point of the curve
  }
}

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Makes the receiver's half with the seed behind the address the sender asked. */
export function makeReceiverProof(content: ProofContent, seed: Uint8Array): ReceiverProof {
  return { ...content, recipient: ed25519.getPublicKey(seed), signature: signProof(content, seed) }
}

/** Whether the half is signed by the recipient it names. */
export const verifyReceiverProof = (proof: ReceiverProof): boolean =>
  verifyProof(proof, proof.recipient, proof.signature)
