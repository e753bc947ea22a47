// Receiving in the standard flow: S1 in, S2 out (Grin RFC 4).
import { nanoGrin } from '../grin/amount/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import type { AddressKey } from '../grin/kinds/index.js'
import {
  ownAddresses as addressesAt,
  checkS1 as check,
  type OwnAddress,
  type ReceivedPayment,
  receiveS1 as receive,
  replyArmor as reply,
  type SlateRefusal,
} from '../grin/receive/index.js'
import type { Slate } from '../grin/slate/index.js'
import type { AddressPrefix } from '../grin/slatepack/index.js'
import { localProver, type Prover } from './local-prover.js'
import { type RandomSource, randomFrom } from './surroundings.js'

export type { OwnAddress, ReceivedPayment, SlateRefusal }

/** What an S1 must satisfy besides being well formed. */
export interface S1Expectations {
  /** Nanogrin. Absent: every amount is accepted. */
  readonly amount?: bigint
  /** Last known height of the chain. Default 0 (unknown): no slate counts as expired. */
  readonly tip?: number
  /** The addresses that a payment proof may name. Default: index 0 of the account; without a keychain none. */
  readonly addresses?: readonly OwnAddress[]
  /** Whose addresses are ours. */
  readonly keychain?: Keychain
  /** The account that receives. Default 0. */
  readonly account?: number
}

/** One reading for both verbs: what `checkS1` lets pass, `receiveS1` does not refuse. */
const rulesOf = ({ amount, tip = 0, keychain, account = 0, addresses }: S1Expectations) => ({
  ...(amount !== undefined && { amount: nanoGrin(amount) }),
  tip,
  addresses: addresses ?? (keychain ? addressesAt(keychain, [0], account) : []),
})

/** The first reason to refuse an S1, or undefined: what `receiveS1` refuses with the same options. Uses no key index. */
export const checkS1 = (slate: Slate, expected: S1Expectations = {}): SlateRefusal | undefined =>
  check(slate, rulesOf(expected))

/** The addresses of an account: `account` and `indices` default to account 0 and index 0, the published address. */
export const ownAddresses = (
  keychain: Keychain,
  { account = 0, indices = [0] }: { readonly account?: number; readonly indices?: readonly number[] } = {},
): OwnAddress[] => addressesAt(keychain, indices, account)

export interface ReceiveOptions extends S1Expectations {
  readonly keychain: Keychain
  /** The S1. */
  readonly slate: Slate
  /** A key index that was never used in the account: the same index and amount would be the same output. */
  readonly keyIndex: number
  /** Default: the calling thread. */
  readonly prover?: Prover
  readonly random?: RandomSource
}

/**
 * Receives a payment: makes the output, signs, and returns the S2. Store the result before the S2 leaves, and answer a repeated S1 from
 * the store: never call this twice for one S1. Rejects with the refusal of `checkS1` (codes `S1_…`), POINT_AT_INFINITY if the keys
 * cancel, OUTPUT_MISMATCH if two computations of the output differ, or what the prover rejects with.
 */
export function receiveS1({ prover = localProver, random, ...options }: ReceiveOptions): Promise<ReceivedPayment> {
  const { keychain, slate, account = 0, keyIndex } = options
  const rules = rulesOf(options)
  return receive({ keychain, slate, rules, account, keyIndex, prove: prover.prove, random: randomFrom(random) })
}

/** How `replyArmor` writes an answer. */
export interface ReplyOptions {
  readonly prefix: AddressPrefix
  /** The wallet's address key, 32 bytes: the sender of the reply. */
  readonly sender: AddressKey
  /** What `readSlatepack` returned for the request. Absent: the reply is plain. */
  readonly request?: { readonly encrypted: boolean; readonly sender?: AddressKey }
  readonly random?: RandomSource
}

/** The armored reply: encrypted to the sender of an encrypted request, otherwise plain. */
export const replyArmor = (slate: Slate, { random, ...options }: ReplyOptions): Promise<string> =>
  reply(slate, { ...options, random: randomFrom(random) })
