// What the till stores: plain values, no behaviour. Times are epoch milliseconds, amounts nanogrin, keys bytes or lower-case hex as named.
// Each list of words stands here once: the schemas of the API, the row readers of the store and the OpenAPI document read it.
import type { NanoGrin } from '../grin/amount/index.js'

/** `expired` may still turn `paid` and `confirmed` when an abandoned payment's kernel appears late. */
export const INVOICE_STATUSES = ['open', 'paid', 'confirmed', 'expired', 'cancelled'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const MATCH_MODES = ['memo', 'derived', 'amount'] as const
export type MatchMode = (typeof MATCH_MODES)[number]

/** The rails that a payment can arrive on. */
export type RailName = string

/** A price in fiat money, its amount as the request wrote it, with the rate (fiat per GRIN, decimal text) that was locked. */
export interface FiatQuote {
  readonly amount: string
  /** Upper case. */
  readonly currency: string
  /** The currency as the request wrote it, where that is another text: answers echo it. */
  readonly sentAs?: string | undefined
  readonly rate: string
  readonly source: string
  /** When the source was asked for it, epoch milliseconds; absent on invoices of earlier versions. */
  readonly rateAt?: number | undefined
}

/** What was known of GRIN when an invoice was made whose price is in GRIN: no price, but what it was worth. */
export type GrinRate = Omit<FiatQuote, 'amount' | 'sentAs'>

/** A currency in its one spelling, and as it was sent where that is another. */
export function spelled(text: string): Pick<FiatQuote, 'currency' | 'sentAs'> {
  const currency = text.toUpperCase()
  return currency === text ? { currency } : { currency, sentAs: text }
}

export interface Invoice {
  /** 32 lower-case hex characters. */
  readonly id: string
  /** 43 characters of URL-safe base64: the whole authority for the checkout page. Never logged. */
  readonly token: string
  readonly status: InvoiceStatus
  readonly amount: NanoGrin
  readonly fiat: FiatQuote | null
  /** The mode in force when the invoice was made. */
  readonly matchMode: MatchMode
  readonly orderRef: string | null
  readonly memo: string | null
  /** Mode `memo` only: the text a payer's subject must equal (sanitised order_ref, else 12 hex of the id). */
  readonly matchKey: string | null
  /** 64 hex: the Nostr key this invoice is paid to (its own child key in mode `derived`). */
  readonly recipientPubkey: string
  /** End of the price lock or of the merchant's window, whichever is earlier. */
  readonly expiresAt: number | null
  /** End of the merchant's own window (`expiry_secs`): re-quotes are possible until then; null: it set none, and only their number is bounded. */
  readonly windowEndsAt: number | null
  readonly requotes: number
  readonly payLink: string
  /** Drawn once, kept. Empty when the link does not fit a code. */
  readonly qrSvg: string
  readonly createdAt: number
  readonly paidAt: number | null
  readonly confirmedAt: number | null
  readonly paymentId: string | null
  /** Depth of the payment's kernel as last seen; 0 until mined. */
  readonly confirmations: number
  /** A rail that can pay this invoice beyond the ways that every invoice has; stored as `rail`. */
  readonly offeredRail: RailName | null
  /** The native invoice slate issued last. */
  readonly slateId: string | null
  /** That slate as armored I1; null once it is closed or finalized. */
  readonly slatepack: string | null
  /** An http or https address of the shop, where the payer goes back to. */
  readonly returnUrl: string | null
  /** Null: the price is in fiat, or no fresh rate was known. */
  readonly grinRate: GrinRate | null
  /** The part of the price that is a tip: decimal text in the currency of the price. */
  readonly tip: string | null
}

/**
 * Where a payment stands on the chain. `received`: stored, reply not yet handed out; `replied`: the payer has S2;
 * `seen` : its kernel is in a node's pool; `mined`: in a block; `confirmed`: deep enough; `abandoned`: no kernel for too long.
 */
export const SETTLEMENTS = ['received', 'replied', 'seen', 'mined', 'confirmed', 'abandoned'] as const
export type Settlement = (typeof SETTLEMENTS)[number]

/** What the chain said of our output when the kernel was last counted: it was not an unspent output (spent with the same seed elsewhere?). */
export const OUTPUT_NOTES = ['spent-or-missing'] as const
type OutputNote = (typeof OUTPUT_NOTES)[number]

/** The receiver's half of a Grin payment proof (specification: invoicing, 7). Keys and signature are hex. */
export interface ReceiverProof {
  readonly amount: NanoGrin
  readonly kernelExcess: string
  readonly recipientAddress: string
  readonly recipientSig: string
  readonly senderAddress: string
}

export interface Payment {
  /** The slate's UUID, lower case with hyphens. */
  readonly id: string
  readonly invoiceId: string | null
  readonly userId: string | null
  readonly amount: NanoGrin
  /** The fee member of S1 as received: shift in bits 40…43, fee below. */
  readonly feeFields: bigint
  /** How the payment came. */
  readonly rail: RailName
  /** 64 hex of the payer's Nostr key, where the rail names one. */
  readonly payer: string | null
  /** 64 hex of the Nostr key that was paid, where the rail has one. */
  readonly recipientPubkey: string | null
  readonly settlement: Settlement
  /** 32-byte digest of the S1 in its binary form: a repeat is the same slate, not only the same id. */
  readonly s1Digest: Uint8Array
  /** The binary S2, exactly as signed. */
  readonly s2: Uint8Array
  /** The armored reply, exactly as handed out. */
  readonly reply: string
  readonly keyIndex: number
  /** 33 bytes. */
  readonly commitment: Uint8Array
  /** 33 bytes; found on the chain by it. */
  readonly excess: Uint8Array
  readonly proof: ReceiverProof | null
  /** The node's height when it was received, 0 when none was known; kernel searches start a margin below. */
  readonly receivedHeight: number
  readonly minedHeight: number | null
  readonly confirmations: number
  readonly createdAt: number
  readonly minedAt: number | null
  readonly confirmedAt: number | null
  /** When the chain is asked about it next; null when it is no longer watched. */
  readonly nextCheckAt: number | null
  readonly output: OutputNote | null
  /** Confirmed without settling the invoice it was made for: that one; `invoiceId` is null until an operator assigns it. */
  readonly intendedInvoiceId: string | null
}

/** The invoice that a payment pays, or was made for where it settled none. */
export const invoiceMeant = ({ invoiceId, intendedInvoiceId }: Payment): string | null => invoiceId ?? intendedInvoiceId

export const EVENT_TYPES = ['payment.received', 'payment.confirmed', 'test.ping'] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const DELIVERY_STATES = ['pending', 'delivered', 'abandoned'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One webhook event. `body` is signed and sent exactly as stored. */
export interface WebhookEvent {
  readonly eventId: string
  readonly type: EventType
  readonly invoiceId: string | null
  readonly paymentId: string | null
  readonly body: string
  readonly createdAt: number
}

/** An event to be queued, once for each of these receivers. */
export interface QueuedEvent extends WebhookEvent {
  readonly receivers: readonly number[]
}

/** An event with what became of it at one receiver. `attempts` counts since the last replay. */
export interface Delivery extends WebhookEvent {
  /** 1 to 8, as the settings number them. */
  readonly receiver: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: string | null
}

/** One try, kept for the operator. */
export interface Attempt {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  /** HTTP status, or null when no answer came. */
  readonly httpStatus: number | null
  readonly error: string | null
  /** The first 512 bytes of the answer as text. */
  readonly answerHead: string
}

/**
 * What a message over Nostr is about. `reply`: the S2 to the payer; `thanks`: the payer's receipt in words;
 * `merchant-…`: the notices to the merchant.
 */
export const MESSAGE_KINDS = ['reply', 'thanks', 'merchant-received', 'merchant-confirmed'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** Notices that must not overtake the reply of their payment. */
export const HELD_NOTICES: readonly MessageKind[] = ['thanks', 'merchant-received']

/** `plain`: preamble and armor; `json`: the object that the payer's own message was. */
export const MESSAGE_LAYOUTS = ['plain', 'json'] as const
export type MessageLayout = (typeof MESSAGE_LAYOUTS)[number]

/** `sent`: nothing more to do; `given-up`: its time is over, some relay never took it. */
export const MESSAGE_STATES = ['pending', 'sent', 'given-up'] as const
type MessageState = (typeof MESSAGE_STATES)[number]

/** A message that the till owes, kept until relays took it. One per payment and kind; what it says follows from the payment. */
export interface OutgoingMessage {
  readonly paymentId: string
  readonly kind: MessageKind
  readonly layout: MessageLayout
  readonly state: MessageState
  /** When it was (re)queued. */
  readonly createdAt: number
  /** Tries since it was (re)queued. */
  readonly attempts: number
  /** Null when it is not pending. */
  readonly nextAttemptAt: number | null
  /** JSON text of the signed gift wrap: built once and sent again unchanged; null before the first try and once it is finished. */
  readonly wrap: string | null
  /** The relays that said OK. */
  readonly acceptedBy: readonly string[]
  readonly lastError: string | null
}

/** A message before it is stored. */
export type MessageDraft = Pick<OutgoingMessage, 'kind' | 'layout'>

/** `open`: waits for its I2; `finalized`: signed, the transaction is pushed until its kernel is on the chain; `closed`: never to be signed again. */
export const INVOICE_SLATE_STATES = ['open', 'finalized', 'closed'] as const

/** The native invoice slate (I1) of an invoice on the grin1 rail. */
export interface InvoiceSlate {
  /** The slate's UUID, lower case with hyphens. */
  readonly slateId: string
  readonly invoiceId: string
  readonly state: (typeof INVOICE_SLATE_STATES)[number]
  readonly amount: NanoGrin
  readonly keyIndex: number
  /** 33 bytes. */
  readonly commitment: Uint8Array
  /** 675 bytes. */
  readonly rangeProof: Uint8Array
  /** The slate's secrets, sealed with a key of the wallet; null (wiped) unless `open`. */
  readonly sealedSecrets: Uint8Array | null
  readonly createdAt: number
}

/** How the till stands with one of its relays. */
export const RELAY_STATES = ['connected', 'connecting', 'waiting', 'shunned'] as const
/** Whether a relay delivers messages for one-time keys over one connection, or wants a connection for each key. */
export const ONE_TIME_KEY_MODES = ['served', 'per-connection', 'unknown'] as const

/** A tenant whose receiving key (endpub) rotates. */
export interface User {
  readonly id: string
  /** Seconds; null = the global setting, 0 = never. */
  readonly rotateInterval: number | null
  readonly epoch: number
  readonly pubkey: string
  readonly rotatedAt: number
  readonly createdAt: number
}

/** What `grinpay` finds by the beginning of its id. */
export const SEARCHABLE_IDS = ['invoice', 'payment', 'event'] as const
export type SearchableId = (typeof SEARCHABLE_IDS)[number]

/** A page of a list, newest first; `next` is an opaque cursor. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}
