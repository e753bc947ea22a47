// The wallet's data: accounts, outputs, transactions. Commitments and excesses are lower-case hex, amounts nanogrin.
import type { SLATE_STATES } from '../grin/slate/index.js'

/** Addresses of one account: all their keys are looked through when a foreign message may name one. */
export const MOST_ADDRESSES = 100_000

/** An address of this wallet: m/account/1/index. */
export interface AddressPlace {
  readonly account: number
  readonly index: number
}

/** An account: its label, and which of its keys are used. */
export interface WalletAccount {
  /** The k of m/k/0/… and m/k/1/…. */
  readonly index: number
  readonly label: string
  /** The next output key: m/index/0/nextOutput was never used. */
  readonly nextOutput: number
  /** How many addresses were handed out: m/index/1/0 … m/index/1/(addresses - 1). */
  readonly addresses: number
}

/**
 * `unconfirmed`: made, not seen on the chain. `unspent`: on the chain. `locked`: chosen as input of a pending transaction.
 * `reverted`: was on the chain before a reorganisation. Names as in grin-wallet (specification: grin-wallet, 4.5).
 */
export const OUTPUT_STATUSES = ['unconfirmed', 'unspent', 'locked', 'spent', 'reverted'] as const
/** The state of an output: unconfirmed, unspent, locked, spent or reverted. */
export type OutputStatus = (typeof OUTPUT_STATUSES)[number]

/** An output that a transaction of this wallet makes. */
export interface OwnOutput {
  /** 66 hex. */
  readonly commitment: string
  /** Key path, such as m/0/0/7. */
  readonly path: string
  /** Nanogrin. */
  readonly value: bigint
}

export interface WalletOutput extends OwnOutput {
  readonly account: number
  readonly status: OutputStatus
  /** The block that holds it; of an unconfirmed output, the height at which it was made. */
  readonly height: number
  readonly coinbase: boolean
  /** The height from which it may be spent; 0 except for coinbases. */
  readonly lockHeight: number
  /** The transaction that made it. */
  readonly transaction: number
  /** The transaction that spends it. */
  readonly spentBy?: number
  /** The height at which it was seen to be spent. */
  readonly spentHeight?: number
  /** Its place among the outputs of the chain, as a scan found it. */
  readonly mmrIndex?: number
}

export const TRANSACTION_KINDS = ['sent', 'received', 'coinbase'] as const
/** Which way the money went. */
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

export const TRANSACTION_STATUSES = ['pending', 'confirmed', 'cancelled', 'reverted'] as const
/** How far a transaction is; `reverted`: a reorganisation took it from the chain. */
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** State of the last slate that this wallet wrote. */
type WrittenState = Exclude<(typeof SLATE_STATES)[number], 'NA'>

/** A payment proof as grin-wallet exports it; the sender's signature is missing at the receiver. */
export interface StoredProof {
  /** Decimal, nanogrin. */
  readonly amount: string
  readonly excess: string
  readonly recipient_address: string
  readonly recipient_sig: string
  readonly sender_address: string
  readonly sender_sig?: string
}

/** An entry of the transaction log. */
export interface WalletTransaction {
  readonly id: number
  readonly account: number
  readonly kind: TransactionKind
  readonly status: TransactionStatus
  /** Absent for what a restore found. */
  readonly slateId?: string
  readonly written?: WrittenState
  /** What the receiver gets, nanogrin. */
  readonly amount: bigint
  /** Nanogrin; known to the sender, and to the receiver of an S1 or I2. */
  readonly fee?: bigint
  /** Sum of the outputs that it gives to this wallet, change included. */
  readonly credited: bigint
  /** Sum of the inputs that it takes from this wallet. */
  readonly debited: bigint
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly confirmedAt?: number
  /** When a node last took its transaction from this wallet, epoch milliseconds. */
  readonly postedAt?: number
  /** The block that holds its kernel or its outputs. */
  readonly height?: number
  /** The tip when it was cancelled. */
  readonly cancelledHeight?: number
  /** Block height at which the slate expires. */
  readonly ttl?: number
  /** Kernel excess; present as soon as the transaction can be mined. */
  readonly excess?: string
  /** Kernel lookups begin at this height. */
  readonly minHeight: number
  /** Commitments of its own inputs. */
  readonly inputs: readonly string[]
  readonly outputs: readonly OwnOutput[]
  /** SHA-256 of the slate that the stored reply answers. */
  readonly request?: string
  /** The last slate that this wallet wrote, in binary form. */
  readonly slate?: Uint8Array
  /** Slatepack address of the other side, as far as it is known. */
  readonly counterparty?: string
  /** The address of this wallet that the S1 was encrypted to. */
  readonly address?: AddressPlace
  readonly label?: string
  readonly proof?: StoredProof
}

/** What a block looked like when the wallet last asked. */
export interface SeenBlock {
  readonly height: number
  /** 64 hex. */
  readonly hash: string
}
