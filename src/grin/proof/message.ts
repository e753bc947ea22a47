// The signed message of a payment proof, and its signatures. Specification: grin-wallet, 6.1.
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from '../../lib/bytes.js'
import { checkKind } from '../../lib/kinds.js'
import type { NanoGrin } from '../amount/index.js'
import type { AddressKey, AddressSeed, AddressSignature, Commitment } from '../kinds/index.js'
import { addressKey } from '../slate/index.js'
import { addressOfSeed } from '../slatepack/index.js'
import { createByteWriter } from '../wire/index.js'

/** What a payment proof says, and what its two signatures cover. */
export interface ProofContent {
  /** The received amount, without the fee. */
  readonly amount: NanoGrin
  /** Kernel excess, 33 bytes. */
  readonly excess: Commitment
  /** The sender's ed25519 key, 32 bytes. The signature binds the receiver's. */
  readonly sender: AddressKey
}

/** The receiver's half: the payer can prove the payment with it. */
export interface SignedReceiverProof extends ProofContent {
  /** The receiver's ed25519 key, 32 bytes. */
  readonly recipient: AddressKey
  /** 64 bytes. */
  readonly signature: AddressSignature
}

/** The 73 signed bytes. Throws RangeError for fields of the wrong length. */
export const paymentProofMessage = ({ amount, excess, sender }: ProofContent): Uint8Array =>
  createByteWriter().u64(amount).bytes(excess, 33, 'excess').bytes(addressKey(sender, 'sender'), 32).done()

/** Signs with the ed25519 seed (32 bytes) of an address: 64 bytes. */
export const signProof = (content: ProofContent, seed: AddressSeed): AddressSignature =>
  ed25519.sign(paymentProofMessage(content), checkKind('address seed', seed))

const { Point } = ed25519
/** The order of the base point. */
const L = Point.CURVE().n

/**
 * Verifies as grin-wallet's ed25519 library does, without the cofactor: the encoding of s*B - k*A must equal the 32 bytes of R. Refuses
 * keys of small or mixed order, R of small order, non-canonical encodings of a point, and s at or above the group order.
 */
export function verifyProof(content: ProofContent, signer: AddressKey, signature: AddressSignature): boolean {
  if (signature.length !== 64) return false
  const r = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  const key = primeOrderPoint(signer)
  if (!key || s >= L) return false
  const k = littleEndian(sha512(concatBytes(r, signer, paymentProofMessage(content)))) % L
  const nonce = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k))
  return !nonce.is0() && equalBytes(nonce.toBytes(), r)
}

/** The point of a canonical key in the subgroup of prime order; undefined for all other 32 bytes. */
function primeOrderPoint(bytes: Uint8Array): InstanceType<typeof Point> | undefined {
  try {
    const point = Point.fromBytes(bytes)
    return !point.is0() && point.isTorsionFree() ? point : undefined
  } catch {
    return undefined // no point of the curve
  }
}

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Makes the receiver's half with the seed of the address that the sender named. */
export function makeReceiverProof(content: ProofContent, seed: AddressSeed): SignedReceiverProof {
  return { ...content, recipient: addressOfSeed(seed), signature: signProof(content, seed) }
}

/** Whether the named recipient signed this half. */
export const verifyReceiverProof = (proof: SignedReceiverProof): boolean =>
  verifyProof(proof, proof.recipient, proof.signature)
