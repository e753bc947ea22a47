// The signer port of a wallet: everything that needs its seed. No verb hands out a seed, a blinding factor, a nonce or the key of an address, so
// a signer can live where the wallet's program cannot read: another process, a worker, a device.
import type { AddressKey, RangeProof, ViewKey } from '../../grin/kinds/index.js'
import type { FinalizedPayment } from '../../grin/payer/index.js'
import type { FinalizedInvoice, OwnAddress, ReceivedPayment } from '../../grin/receive/index.js'
import type { Slate } from '../../grin/slate/index.js'
import type { AddressPrefix, OpenedSlatepack } from '../../grin/slatepack/index.js'
import type { AddressPlace, OwnOutput } from '../model.js'
import type { ProvenOutput } from '../node/node.js'

/** An output of this wallet, as the chain has it. */
export interface FoundOutput extends OwnOutput {
  readonly chain: ProvenOutput
}

/** The first `count` addresses of an account. */
export interface AddressRange {
  readonly account: number
  readonly count: number
}

/** An output that the signer is to make: m/account/0/index with this value. */
export interface OutputAt {
  readonly account: number
  /** A key index that was never used in the account. */
  readonly index: number
  /** Nanogrin. */
  readonly value: bigint
}

/** What a payment spends and gives back to its wallet. */
export interface SignedSpend {
  readonly inputs: readonly (OwnOutput & { readonly coinbase: boolean })[]
  readonly change: readonly OwnOutput[]
  /** Nanogrin. */
  readonly fee: bigint
}

/** The S1 to make. */
export interface SendRequest {
  /** The account whose first address asks for the payment proof. */
  readonly account: number
  /** A fresh UUID. */
  readonly slateId: string
  /** Nanogrin. */
  readonly amount: bigint
  readonly spend: SignedSpend
  /** Block height at which the slate expires; 0 for never. */
  readonly ttl: number
  /** Who the S1 is for: its secrets are bound to that. */
  readonly recipient?: AddressKey | undefined
  /** Asks the recipient for a payment proof. */
  readonly proof: boolean
}

/** A slate that was begun, and what the signer needs to finish it. */
export interface Begun {
  readonly slate: Slate
  readonly bytes: Uint8Array
  /** The secrets of the slate, encrypted by the signer for itself. The wallet stores them, and forgets them when the slate is final. */
  readonly sealed: Uint8Array
}

/** An S1 of this signer with the S2 that answers it. */
export interface FinishSend {
  readonly account: number
  readonly s1: Slate
  readonly s2: Slate
  readonly spend: SignedSpend
  readonly sealed: Uint8Array
}

/** The I1 to make. */
export interface InvoiceRequest {
  /** A fresh UUID. */
  readonly slateId: string
  /** The output that is paid. */
  readonly at: OutputAt
  /** Who the I1 is for: its secrets are bound to that. */
  readonly payer?: AddressKey | undefined
}

/** An I1 with the output that its I2 pays. */
export interface BegunInvoice extends Begun {
  readonly output: OwnOutput
  readonly rangeProof: RangeProof
}

/** An I1 of this signer with the I2 that answers it. */
export interface FinishInvoice {
  readonly i2: Slate
  readonly output: OwnOutput
  readonly rangeProof: RangeProof
  readonly sealed: Uint8Array
  /** Last known height of the chain. */
  readonly tip: number
}

/** The S1 to answer. It was checked before: its state, amount, fee and expiry are the wallet's affair. */
export interface ReceiveRequest {
  readonly s1: Slate
  /** Where the output goes; its value is the amount of the S1. */
  readonly account: number
  readonly keyIndex: number
  /** The address that the S1 asks for a payment proof, if it asks. */
  readonly named?: OwnAddress
}

/** The I1 to answer. */
export interface PayRequest {
  readonly i1: Slate
  readonly spend: SignedSpend
  /** Block height at which the reply expires; 0 for never. */
  readonly ttl: number
}

/**
 * Arguments and results are plain data that `structuredClone` copies. A signer elsewhere must itself hold to what a wallet promises: a key
 * index makes one output, sealed secrets sign one answer, one S1 or I1 gets one answer. The one in this process leaves that to the wallet,
 * which stores before a slate leaves.
 */
export interface Signer {
  /** 64 hex: which seed it has. A storage belongs to one. */
  identity(): Promise<string>
  /** The view key, 32 bytes: it finds outputs and reveals their amounts, and spends nothing. */
  viewKey(): Promise<ViewKey>
  /** Commitments of outputs to make. */
  outputs(at: readonly OutputAt[]): Promise<OwnOutput[]>
  /** The outputs among them that belong to the seed, with value and path. */
  identify(outputs: readonly ProvenOutput[]): Promise<FoundOutput[]>
  /** The slatepack address m/account/1/index, 32 bytes. */
  address(account: number, index: number): Promise<AddressKey>
  /** The addresses of these ranges; with `only`, that one, or none if it is not among them. */
  addresses(ranges: readonly AddressRange[], only?: AddressKey): Promise<OwnAddress[]>
  /** Reads a slatepack, also one that is encrypted to an address of these ranges. Throws as `readSlatepack`. */
  readSlatepack(text: string, options: ReadBy): Promise<OpenedBySigner>
  /** Armors a slate with the first address of the account as its sender; encrypted, if there is a recipient. */
  writeSlatepack(slate: Slate, options: WriteBy): Promise<string>
  /** Makes an S1. */
  beginSend(request: SendRequest): Promise<Begun>
  /** Checks the S2, and signs. Throws PAYER_REPLY, PAYER_PROOF or OUTPUT_MISMATCH; WALLET_STORAGE_DAMAGED for secrets of another slate. */
  finishSend(request: FinishSend): Promise<FinalizedPayment>
  /** Answers an S1 with an S2: output, range proof, partial signature, and the signature of the payment proof. */
  receive(request: ReceiveRequest): Promise<ReceivedPayment>
  /** Makes an I1 for an output. */
  beginInvoice(request: InvoiceRequest): Promise<BegunInvoice>
  /** Checks the I2, and signs. Throws an I2_… refusal, or WALLET_STORAGE_DAMAGED for secrets of another slate. */
  finishInvoice(request: FinishInvoice): Promise<FinalizedInvoice>
  /** Answers an I1 with an I2: inputs, change with range proofs, partial signature and offset. */
  pay(request: PayRequest): Promise<{ readonly slate: Slate; readonly bytes: Uint8Array }>
}

/** What was in a slatepack, and the address that it was encrypted to. */
export type OpenedBySigner = Omit<OpenedSlatepack, 'seed'> & { readonly address?: AddressPlace }

/** How a signer reads a slatepack. */
export interface ReadBy {
  readonly prefix: AddressPrefix
  readonly ranges: readonly AddressRange[]
  /** Tried before all others. */
  readonly expected?: AddressPlace | undefined
}

/** How a signer writes a slatepack. */
export interface WriteBy {
  readonly prefix: AddressPrefix
  readonly account: number
  readonly recipient?: AddressKey | undefined
  /** The request that is answered: the answer is encrypted to its sender if it was encrypted. */
  readonly request?: { readonly encrypted: boolean; readonly sender?: AddressKey }
}
