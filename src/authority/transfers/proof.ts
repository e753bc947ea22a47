// A Grin payment proof as a buyer sends it (specification: names, 10.6). Parsing and verifying are separate steps to keep the order of refusals.
import type { NanoGrin } from '../../grin/amount/index.js'
import { checkPaymentProof, type PaymentProof } from '../../grin/proof/index.js'
import { fromHex } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { membersOf, objectOf, parseExact, strictText } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import { invalidBody, invalidProof } from '../errors.js'
import { keyOfAddress, nanoGrinOf, normaliseAddress } from './offer.js'

/** The six fields with hex and addresses in lower case; lengths and signatures are not checked yet. */
export interface ClaimedProof {
  readonly amount: NanoGrin
  readonly excess: string
  readonly recipientAddress: string
  readonly recipientSignature: string
  readonly senderAddress: string
  readonly senderSignature: string
}

/** Step 3 of a claim. `amount` is a decimal text or a non-negative integer; further members are ignored. */
function readClaimedProof(value: unknown): ClaimedProof | undefined {
  const { amount, excess, recipient_address, recipient_sig, sender_address, sender_sig } = membersOf(value)
  const paid = amountOf(amount)
  const texts = [excess, recipient_address, recipient_sig, sender_address, sender_sig]
  if (paid === undefined || !texts.every((text) => typeof text === 'string')) return undefined
  const [kernel = '', recipient = '', recipientSignature = '', sender = '', senderSignature = ''] = texts
  return {
    amount: paid,
    excess: kernel.toLowerCase(),
    recipientAddress: normaliseAddress(recipient),
    recipientSignature: recipientSignature.toLowerCase(),
    senderAddress: normaliseAddress(sender),
    senderSignature: senderSignature.toLowerCase(),
  }
}

function amountOf(value: unknown): NanoGrin | undefined {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  return isWhole || typeof value === 'string' ? nanoGrinOf(foreignText(value)) : undefined
}

/** Step 9: whether both parties signed this amount, kernel and sender. */
export function isProven(claimed: ClaimedProof): boolean {
  const proof = signedProof(claimed)
  if (!proof) return false
  try {
    checkPaymentProof(proof)
    return true
  } catch (thrown) {
    if (thrown instanceof GrinpayError) return false
    throw thrown
  }
}

function signedProof(claimed: ClaimedProof): PaymentProof | undefined {
  const recipient = keyOfAddress(claimed.recipientAddress)
  const sender = keyOfAddress(claimed.senderAddress)
  const excess = bytesOf(claimed.excess, 33)
  const signature = bytesOf(claimed.recipientSignature, 64)
  const senderSignature = bytesOf(claimed.senderSignature, 64)
  if (!recipient || !sender || !excess || !signature || !senderSignature) return undefined
  return { amount: claimed.amount, excess, recipient, signature, sender, senderSignature }
}

const bytesOf = (hex: string, length: number): Uint8Array | undefined =>
  /^[0-9a-f]*$/.test(hex) && hex.length === 2 * length ? fromHex(hex, length) : undefined

export interface ClaimBody {
  readonly offerId: string
  readonly proof: ClaimedProof
}

/** `{"offer_id", "proof"}`. The signatures of the proof are verified later. Throws INVALID_BODY, INVALID_PROOF. */
export function readClaimBody(body: Uint8Array): ClaimBody {
  const members = objectOf(exactJson(body))
  const { offer_id: id } = members
  if (typeof id !== 'string' || !/^[0-9a-fA-F]{64}$/.test(id) || !('proof' in members)) throw invalidBody()
  const proof = readClaimedProof(members.proof)
  if (!proof) throw invalidProof()
  return { offerId: id.toLowerCase(), proof }
}

/** Amounts may be JSON numbers beyond 2^53. */
function exactJson(body: Uint8Array): unknown {
  try {
    return parseExact(strictText(body))
  } catch {
    return undefined
  }
}
