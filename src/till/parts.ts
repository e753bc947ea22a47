// What a till is made of. The composition passes these in; nothing in the till reaches outside by itself.
import type { NanoGrin } from '../grin/amount/index.js'
import type { Clock, Log } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { Secret } from '../lib/secret.js'
import type { RailsState, TillSettings } from './api.js'
import type { Invoice, InvoiceSlate, MessageDraft, ReceiverProof, User } from './model.js'
import type { Chain, Rates, SendWebhook, TillStore } from './ports.js'
import type { PaymentRail } from './rail.js'

/** A received slate, decoded. No key is taken and nothing is signed yet. */
export interface IncomingSlate {
  /** UUID, lower case with hyphens. */
  readonly id: string
  /** `S1`, `I2`, … as the slate names it. */
  readonly state: string
  readonly amount: NanoGrin
  readonly feeFields: bigint
  /** Last valid block height; 0 for none. */
  readonly ttl: bigint
  /** 32 bytes over the binary form. */
  readonly digest: Uint8Array
  /** Why this S1 can never be received (specification: grin-wallet, 4.1), without amount and ttl; undefined when it can. */
  readonly refusal: { readonly code: string; readonly text: string } | undefined
  /** Signs the receiver's half with the output key of this index. Call at most once per index. */
  receive(keyIndex: number): Promise<ReceivedSlate>
  /**
   * Completes this I2 with the secrets of its open invoice slate, after every check (specification: grin-wallet, 4.3); `tip` is the
   * chain's height, 0 when unknown. Throws an I2_… or TX_… refusal (422); the honest I2 still works afterwards.
   */
  finalize(invoice: InvoiceSlate, tip: number): Promise<FinalizedSlate>
}

/** A payment by invoice slate, signed by both. To be stored whole before anything of it leaves the house. */
export interface FinalizedSlate {
  /** The binary I3. */
  readonly i3: Uint8Array
  /** The armored I3. */
  readonly reply: string
  readonly excess: Uint8Array
  /** JSON as push_transaction takes it. */
  readonly transaction: string
}

/** A fresh I1: what the store keeps of it, and its armor for the payer. */
export interface FreshSlate {
  readonly slate: Pick<InvoiceSlate, 'slateId' | 'amount' | 'keyIndex' | 'commitment' | 'rangeProof' | 'sealedSecrets'>
  /** Names our address as sender, in the plain: the payer's wallet delivers its I2 there. */
  readonly armor: string
}

export interface ReceivedSlate {
  /** The binary S2. */
  readonly s2: Uint8Array
  /** The armored S2. */
  readonly reply: string
  readonly commitment: Uint8Array
  readonly excess: Uint8Array
  readonly proof: ReceiverProof | null
}

/** The till's own Grin wallet. */
export interface Wallet {
  /** grin1… or tgrin1…. */
  readonly address: string
  /**
   * Reads a slatepack in a text, plain or encrypted to the till. Throws the documented SLATEPACK_… and SLATE_… errors (422).
   * `sealed`: it came through a transport that encrypts already, and the reply will go back through it in the plain.
   */
  open(text: string, options?: { readonly sealed?: boolean }): Promise<IncomingSlate>
  /** Reads a slate as JSON gave it. Throws SLATE_INVALID and SLATE_VERSION_UNSUPPORTED (422). */
  read(json: unknown): IncomingSlate
  /** Makes an I1 over the output key of this index, which must never have been used. */
  issue(amount: NanoGrin, keyIndex: number): Promise<FreshSlate>
  /** Why the verbs above throw WALLET_STOPPED until the till is restarted; undefined while all is well. */
  fault(): string | undefined
}

/** The id of an invoice to come, and the key (64 hex) that will be paid. */
export interface OneTimeKey {
  readonly invoiceId: string
  readonly pubkey: string
}

/** Where new invoices of mode `derived` get their id and key from. */
export interface OneTimeKeys {
  /** The relays are asked for this key already. Each is handed out once. */
  take(): Promise<OneTimeKey>
}

/** How the core wakes the sender of its messages. */
export interface MessageQueue {
  /** Messages were queued in the store: send them now. */
  kick(): void
  /** Sends a message again from the start, to every relay (specification: invoicing, 4.7). */
  requeue(paymentId: string, draft: MessageDraft): Promise<'queued' | 'unknown-payment'>
}

/** What the Nostr rail lends to the core; absent without the rail. */
export interface NostrHooks {
  readonly oneTimeKeys?: OneTimeKeys
  readonly messages?: MessageQueue
  /** Listens again to the key of an invoice that had ended and can be paid once more; resolves like `watchEndpub`. */
  readonly watchInvoice?: (invoice: Pick<Invoice, 'id' | 'recipientPubkey'>) => Promise<void>
  /** Resolves when the relays are asked for this user's new key, or after a short while. */
  readonly watchEndpub?: (user: Pick<User, 'id' | 'epoch' | 'pubkey'>) => Promise<void>
  /** Health of relays and inbox, for the operator. */
  readonly relayState?: () => RailsState | undefined
}

/**
 * How the instances of a till on one database tell each other of changes. A message may be lost: who waits also looks. A topic is one line of
 * at most some hundred bytes, and reaches every instance, this one included.
 */
export interface Bell {
  ring(topic: string): void
  /** `heard` gets undefined when some may have been missed. Answers what ends the listening. */
  listen(heard: (topic: string | undefined) => void): () => void
}

export interface TillParts extends NostrHooks {
  readonly store: TillStore
  /** This process among those that share the store: a UUID made at its start. */
  readonly workerId: string
  readonly chain: Chain
  readonly rates: Rates
  readonly send: SendWebhook
  readonly wallet: Wallet
  /** The 32-byte secret of the till's Nostr identity; never derived from the Grin seed. */
  readonly identity: Secret<Uint8Array>
  /**
   * Whether a key may be taken for what no payer pays for now, a fresh invoice slate: only as long as the counter stays where a start from an
   * older database would begin (specification: grin-wallet, 10.2).
   */
  readonly hasSpareKey: () => Promise<boolean>
  /** False: the disk is full, and what is there to store belongs to payments. Absent: the rows are elsewhere. */
  readonly hasRoom?: (() => boolean) | undefined
  readonly clock: Clock
  readonly random: RandomBytes
  readonly settings: TillSettings
  readonly log: Log
  /** Of one receiver: the secret in force first; during a rotation older ones after it. */
  readonly webhookSecrets: (receiver: number) => Iterable<Secret>
  /** Of the program, for `User-Agent`. */
  readonly version: string
  /** Where several instances share the store; absent: this is the only one. */
  readonly bell?: Bell | undefined
  /** `PAYMENT_RAILS` unless given. */
  readonly paymentRails?: readonly PaymentRail[]
  /** Seconds between two passes over the payments that are due; 30 by default. */
  readonly confirmEverySeconds?: number
}
