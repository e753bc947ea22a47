// The checks of an S1 before a key index is used for it. Specification: grin-wallet, 4.1, RULE.
import { equalBytes } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { formatGrin, type NanoGrin } from '../amount/index.js'
import { scalarFromBytes } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import type { AddressKey } from '../kinds/index.js'
import type { Slate } from '../slate/index.js'
import { addressOfSeed } from '../slatepack/index.js'
import { SMALLEST_FEE, shiftedFee, splitFee } from '../tx/index.js'

// Refusals of slates as data: the result of a rule list, the text for the payer, and an error for HTTP.
/** Why a slate is refused: the first rule that it breaks. */
export interface SlateRefusal {
  /** Stable machine-readable code. */
  readonly code: string
  /** The fault in one sentence for the payer, without secrets. */
  readonly text: string
}

/** `broken` returns the text for the payer, or undefined if the rule holds. */
export interface SlateRule<Subject, Context> {
  readonly code: string
  readonly broken: (subject: Subject, context: Context) => string | undefined
}

/** The first broken rule in order. */
export function firstRefusal<S, C>(
  rules: readonly SlateRule<S, C>[],
  subject: S,
  context: C,
): SlateRefusal | undefined {
  for (const { code, broken } of rules) {
    const text = broken(subject, context)
    if (text !== undefined) return { code, text }
  }
  return undefined
}

/** A refusal as a GrinpayError, status 422. */
export const refusalError = ({ code, text }: SlateRefusal): GrinpayError => new GrinpayError(code, text, 422)

/** An address key of an account. Index 0 is the account's published address. */
export interface OwnAddress {
  /** Default 0. */
  readonly account?: number
  readonly index: number
  /** ed25519, 32 bytes. */
  readonly publicKey: AddressKey
}

/** The addresses of `account` (default 0) at these indices, default index 0. */
export const ownAddresses = (keychain: Keychain, indices: readonly number[] = [0], account = 0): OwnAddress[] =>
  indices.map((index) => ({ account, index, publicKey: addressOfSeed(keychain.addressSeed(account, index)) }))

export interface ReceiveRules {
  /** The amount of the invoice; absent: every amount is accepted. */
  readonly amount?: NanoGrin
  /** Last known height of the chain; 0 if unknown: no slate counts as expired. */
  readonly tip: number
  /** The addresses a payment proof may name. */
  readonly addresses: readonly OwnAddress[]
}

const grin = (amount: NanoGrin): string => formatGrin(amount)

/** Checked in this order; the first broken rule is what the payer reads. */
export const S1_RULES: readonly SlateRule<Slate, ReceiveRules>[] = [
  { code: 'S1_STATE', broken: ({ state }) => (state === 'S1' ? undefined : wrongState(state)) },
  {
    code: 'S1_ZERO_AMOUNT',
    broken: ({ amount }) => (amount > 0n ? undefined : 'this slatepack is for 0 GRIN'),
  },
  {
    code: 'S1_WRONG_AMOUNT',
    broken: ({ amount }, rules) =>
      rules.amount === undefined || rules.amount === amount
        ? undefined
        : `this slatepack is for ${grin(amount)} GRIN, the invoice is ${grin(rules.amount)}`,
  },
  {
    code: 'S1_PARTICIPANTS',
    broken: ({ participants }) =>
      participants.length === 1 ? undefined : `this slatepack names ${participants.length} participants instead of one`,
  },
  {
    code: 'S1_SIGNED',
    broken: ({ participants }) =>
      participants.some(({ part }) => part) ? 'this slatepack is signed before we could answer it' : undefined,
  },
  {
    code: 'S1_NUM_PARTS',
    broken: ({ numParts }) =>
      numParts === 2 ? undefined : `this payment is between ${numParts} participants, only two are possible here`,
  },
  {
    code: 'S1_FEATURES',
    broken: ({ features, lockHeight }) =>
      features === 0 && lockHeight === undefined
        ? undefined
        : 'this payment would be locked or conditional (kernel features); send an ordinary one',
  },
  {
    code: 'S1_FEE_TOO_LOW',
    broken: ({ fee }) =>
      shiftedFee(fee) >= SMALLEST_FEE
        ? undefined
        : `the fee of ${shiftedFee(fee)} nanogrin is below ${SMALLEST_FEE}, no node would take it`,
  },
  {
    code: 'S1_FEE_FIELD',
    broken: ({ fee }) => (splitFee(fee).stray ? 'the fee field has bits set that mean nothing' : undefined),
  },
  {
    code: 'S1_EXPIRED',
    broken: ({ ttl }, { tip }) =>
      ttl === 0n || ttl > BigInt(tip) ? undefined : `this slatepack expired at block ${ttl}, the chain is at ${tip}`,
  },
  {
    code: 'S1_OFFSET',
    broken: ({ offset }) => (isScalar(offset) ? undefined : 'the offset is not a valid number'),
  },
  {
    code: 'S1_PROOF_SIGNED',
    broken: ({ proof }) => (proof?.signature ? 'the payment proof is already signed' : undefined),
  },
  {
    code: 'S1_PROOF_ADDRESS',
    broken: ({ proof }, { addresses }) =>
      proof && !addressNamed(proof.receiver, addresses)
        ? 'the payment proof is asked from an address that is not ours'
        : undefined,
  },
]

/** The first reason to refuse an S1, or undefined. Uses no key index. */
export const checkS1 = (slate: Slate, rules: ReceiveRules): SlateRefusal | undefined =>
  firstRefusal(S1_RULES, slate, rules)

const STATES: Readonly<Partial<Record<Slate['state'], string>>> = {
  S2: 'this is an answer (S2), not a new payment',
  S3: 'this payment is already complete (S3)',
  I1: 'this is an invoice (I1), not a payment',
  I2: 'this is the answer to an invoice (I2), not a new payment',
  I3: 'this invoice payment is already complete (I3)',
}

const wrongState = (state: Slate['state']): string => STATES[state] ?? 'this slatepack is in an unknown state'

/** The own address with this key. */
export const addressNamed = (publicKey: AddressKey, addresses: readonly OwnAddress[]): OwnAddress | undefined =>
  addresses.find((own) => equalBytes(own.publicKey, publicKey))

/** Whether 32 bytes are a number below the group order. */
export function isScalar(bytes: Uint8Array): boolean {
  try {
    scalarFromBytes(bytes)
    return true
  } catch {
    return false
  }
}
