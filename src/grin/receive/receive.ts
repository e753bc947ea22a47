// S1 in, S2 out: the receiver's side of the standard flow. Specification: grin-wallet, 4.1; grin-crypto, 9.
import { equalBytes } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { type NanoGrin, nanoGrin } from '../amount/index.js'
import type { ProveRange } from '../crypto/index.js'
import { type Identifier, type Keychain, outputIdentifier } from '../keychain/index.js'
import type { AddressKey, Commitment, RangeProof } from '../kinds/index.js'
import { makeReceiverProof, type SignedReceiverProof } from '../proof/index.js'
import { digestSlate, encodeSlate, type Slate } from '../slate/index.js'
import { type AddressPrefix, armorSlate, armorSlateTo, type OpenedSlatepack } from '../slatepack/index.js'
import {
  excessOf,
  openSigningSession,
  participantOf,
  type SlateSecrets,
  signedParticipant,
  stepOffset,
} from '../tx/index.js'
import { checkedWith, checkOwnOutput } from './output-check.js'
import { addressNamed, checkS1, type ReceiveRules, refusalError } from './rules.js'
import { secretsForS1 } from './slate-secrets.js'

export interface ReceiveInput {
  readonly keychain: Keychain
  /** The S1. */
  readonly slate: Slate
  readonly rules: ReceiveRules
  /** The account that receives. Default 0. */
  readonly account?: number
  /** A key index that was never used in the account: the same index and amount would be the same output. */
  readonly keyIndex: number
  readonly prove: ProveRange
}

/** The caller stores all of this before it sends the reply. */
export interface ReceivedPayment {
  readonly slateId: string
  readonly amount: NanoGrin
  /** The whole fee field as received. */
  readonly feeFields: bigint
  /** `digestSlate` of the S1. */
  readonly digest: Uint8Array
  readonly keyIndex: number
  /** 17 bytes. */
  readonly identifier: Identifier
  /** 33 bytes. */
  readonly commitment: Commitment
  /** 675 bytes. */
  readonly rangeProof: RangeProof
  /** Kernel excess, 33 bytes: identifies the payment on the chain. */
  readonly excess: Commitment
  /** The S2. */
  readonly slate: Slate
  /** The S2 in binary form. */
  readonly bytes: Uint8Array
  /** Present if the sender requested a payment proof. */
  readonly proof?: SignedReceiverProof
}

/**
 * Receives a payment with fresh secrets, which are dropped on return. Never call it twice for one S1: answer a repeated S1 from the
 * store. Throws the refusal of `checkS1`, or POINT_AT_INFINITY if the keys cancel.
 */
export const receiveS1 = (input: ReceiveInput & { readonly random: RandomBytes }): Promise<ReceivedPayment> =>
  receiveWith(secretsForS1(input, digestSlate(input.slate)), input)

/** `receiveS1` with given secrets: for replaying recorded runs. */
export async function receiveWith(secrets: SlateSecrets, input: ReceiveInput): Promise<ReceivedPayment> {
  const { keychain, slate, rules, account = 0, keyIndex, prove } = input
  const refusal = checkS1(slate, rules)
  if (refusal) throw refusalError(refusal)
  const identifier = outputIdentifier(account, keyIndex)
  const output = keychain.proofInput(identifier, slate.amount)
  // Sums both sides before the sender's participant is removed: the S2 alone does not contain the excess.
  const own = participantOf(secrets)
  const session = openSigningSession(slate, [...slate.participants, own])
  const proof = signReceipt(input, excessOf(session))
  const { amount } = slate
  const rangeProof = await checkedWith(prove(output), () => checkOwnOutput(keychain, { identifier, amount }, output))
  const reply = replyTo(slate, {
    offset: stepOffset(slate.offset, { key: secrets.key, inputs: [], outputs: [output.blind] }),
    participants: [signedParticipant(secrets, session, own)],
    commitments: [{ coinbase: false, commitment: output.commitment, proof: rangeProof }],
    ...(slate.proof && proof && { proof: { ...slate.proof, signature: proof.signature } }),
  })
  const { commitment } = output
  const made = { keyIndex, identifier, commitment, rangeProof, excess: excessOf(session), ...(proof && { proof }) }
  const asked = { slateId: slate.id, amount: slate.amount, feeFields: slate.fee, digest: digestSlate(slate) }
  return { ...asked, ...made, slate: reply, bytes: encodeSlate(reply) }
}

type Answer = Pick<Slate, 'offset' | 'participants' | 'commitments' | 'proof'>

/** The S2: without amount and fee, with the receiver's participant instead of the sender's, and the other members unchanged. */
const replyTo = (slate: Slate, answer: Answer): Slate => ({
  ...slate,
  state: 'S2',
  amount: nanoGrin(0n),
  fee: 0n,
  ...answer,
})

/**
 * Signs with the key of the address that the sender named, whatever its index. Stock wallets use index 0. Throws RangeError for an own
 * address whose account and index have another key: the sender would refuse that signature.
 */
function signReceipt({ keychain, slate, rules }: ReceiveInput, excess: Commitment): SignedReceiverProof | undefined {
  const own = slate.proof && addressNamed(slate.proof.receiver, rules.addresses)
  if (!slate.proof || !own) return undefined
  const { account = 0, index } = own
  const content = { amount: slate.amount, excess, sender: slate.proof.sender }
  const proof = makeReceiverProof(content, keychain.addressSeed(account, index))
  if (!equalBytes(proof.recipient, slate.proof.receiver))
    throw new RangeError(`address ${index} of account ${account} has another key`)
  return proof
}

export interface ReplyOptions {
  readonly prefix: AddressPrefix
  /** The wallet's address key (index 0), named as the sender of the reply. */
  readonly sender: AddressKey
  readonly random: RandomBytes
  /** The request. Omit it if the transport encrypts (gift wraps): the reply is then plain. */
  readonly request?: Pick<OpenedSlatepack, 'encrypted' | 'sender'>
}

/** The armored reply: encrypted if the request was encrypted and named a sender, otherwise plain. Specification: grin-wallet, 3.5, RULE. */
export async function replyArmor(slate: Slate, { prefix, sender, random, request }: ReplyOptions): Promise<string> {
  if (!request?.encrypted || !request.sender) return armorSlate(slate, { prefix, sender })
  return armorSlateTo([request.sender], slate, { prefix, sender, random })
}
