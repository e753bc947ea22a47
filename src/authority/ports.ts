// The authority's ports. Verbs are atomic and durable when their promise resolves; two processes may share one database.
import type { NanoGrin } from '../grin/amount/index.js'
import type { ActiveName, Grant, NameShape, Offer, ReservedName, Resource, Transfer } from './model.js'

export interface NameReads {
  activeName(name: string): Promise<ActiveName | undefined>
  /** The key of an active name that is not suspended. NIP-05 requests make this the busiest query. */
  keyOfName(name: string): Promise<string | undefined>
  nameOfKey(pubkey: string): Promise<ActiveName | undefined>
  /** Another key's active name that looks like this one; exact equality counts. `exceptKey` may hold look-alikes itself. */
  rivalOf(shape: NameShape, exceptKey?: string): Promise<ActiveName | undefined>
  /** A name reserved by `name reserve` that looks like this one. */
  reservedLike(shape: NameShape): Promise<ReservedName | undefined>
  /** `reservedLike` and then `rivalOf` for a key without a name, in one query: availability is requested often. */
  availabilityOf(shape: NameShape): Promise<'free' | 'reserved' | 'taken'>
  /** Until when the key may not claim another name; 0: no cooldown. */
  cooldownUntil(pubkey: string): Promise<number>
}

/** Hears how old an answer is that could not be had newer. */
export type Aged = (ms: number) => void

/** What the public lookups ask, as in `NameReads`; their answers may be seconds old, and older while the database does not answer. */
export interface PublicLookups {
  keyOfName(name: string, aged?: Aged): Promise<string | undefined>
  nameOfKey(pubkey: string, aged?: Aged): Promise<ActiveName | undefined>
}

export interface AuthRecords {
  /** Exactly one caller, across processes and restarts, gets `recorded` for an id (64 hex). */
  recordAuth(id: string, forgetAt: number): Promise<'recorded' | 'replayed'>
  /** Deletes at most `limit` records whose `forgetAt` has passed; returns their number. */
  forgetAuths(now: number, limit: number): Promise<number>
}

export interface NameClaim {
  readonly shape: NameShape
  readonly pubkey: string
  readonly now: number
  /** Armed when an old name is released by this claim. */
  readonly cooldownMs: number
  /** True: a paid grant of resource `name` is spent by this claim, and must be there. */
  readonly paid: boolean
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly released: string | null }
  /** The key holds this name already; nothing changed, nothing was spent. */
  | { readonly outcome: 'held' }
  | { readonly outcome: 'taken' | 'reserved' | 'cooldown' | 'unpaid' }
  /** The name that the key holds is suspended and cannot be given up. */
  | { readonly outcome: 'suspended' }

export interface NameRelease {
  readonly name: string
  readonly pubkey: string
  readonly now: number
  readonly cooldownMs: number
}

export interface NameChanges {
  /** One transaction: check the name, its look-alikes, the cooldown and the grant again; release the old name; store the new one. */
  claimName(claim: NameClaim): Promise<ClaimOutcome>
  releaseName(release: NameRelease): Promise<'released' | 'unknown' | 'not-owner' | 'suspended'>
}

export interface GrantStore {
  grant(pubkey: string, resource: Resource): Promise<Grant | undefined>
  grantOfInvoice(invoiceId: string): Promise<Grant | undefined>
  /** The highest serial ever stored for this key and resource, spent and replaced grants included; 0 when none was. */
  lastSerial(pubkey: string, resource: Resource): Promise<number>
  /**
   * Stores a pending grant when there is none, or in place of the pending grant of invoice `replaces`. Returns the stored grant, or
   * `serial-used` when this serial or this invoice was stored before: it may have bought something already.
   */
  saveGrant(grant: Grant, replaces: string | null): Promise<Grant | 'serial-used'>
  /** Pending to paid; repeatable. */
  settleGrant(invoiceId: string, now: number): Promise<'paid' | 'unknown'>
  /** Pending grants created at `since` or later, newest first. */
  pendingGrants(since: number, limit: number): Promise<readonly Grant[]>
}

export interface TransferClaim {
  readonly offerId: string
  readonly kernelExcess: string
  readonly kernelHeight: number
  readonly now: number
  /** The seller's. */
  readonly cooldownMs: number
}

export type TransferOutcome =
  | { readonly outcome: 'transferred'; readonly transfer: Transfer }
  | { readonly outcome: 'owner-changed' | 'proof-reused' | 'consumed' | 'unknown' | 'suspended' }
  | { readonly outcome: 'has-name'; readonly name: string }

export interface OfferStore {
  /** In this order (specification: names, 10.2): holder, live offer of the name, live offer of the address, same event before. */
  createOffer(offer: Offer): Promise<'stored' | 'not-owner' | 'suspended' | 'offer-exists' | 'offer-ambiguous'>
  offer(id: string): Promise<Offer | undefined>
  /** Ends a live offer, or revokes an expired one; an earlier end height is kept. Returns the stored offer. */
  endOffer(
    id: string,
    end: { readonly status: 'revoked' | 'expired'; readonly endHeight: number | null; readonly now: number },
  ): Promise<Offer | undefined>
  /** Live offers whose expiration (unix seconds) is before `seconds`, oldest first. */
  lapsedOffers(seconds: number, limit: number): Promise<readonly Offer[]>
  transferOf(offerId: string): Promise<Transfer | undefined>
  /**
   * One transaction: move the name, record the kernel, consume the offer, start the seller's cooldown. The buyer's cooldown does not
   * count. Refusals in this order: unknown, consumed, owner-changed, suspended, proof-reused, has-name.
   */
  transferName(claim: TransferClaim): Promise<TransferOutcome>
}

/** The database of the running authority. */
export interface NameStore extends NameReads, AuthRecords, NameChanges, GrantStore, OfferStore {
  /** Rejects when the database cannot be written. */
  check(): Promise<void>
}

/** The state of an invoice of the invoicing service. */
export interface InvoiceState {
  /** `open`, `paid`, `confirmed`, `expired`, `cancelled`, or a word of a later version. */
  readonly status: string
  readonly confirmations?: number
  readonly confirmationsRequired?: number
  /** What a wallet needs to build its own payment page; absent when the service has none. */
  readonly scan?: ScanTexts
}

/** Of an invoice that can be paid over Nostr. */
export interface ScanTexts {
  readonly nprofile?: string
  /** A link that opens a wallet, `goblin:` or `nostr:`. */
  readonly payLink?: string
  /** SVG without script. */
  readonly qrSvg?: string
}

/** A new invoice of the invoicing service. */
export interface BoughtInvoice extends InvoiceState {
  readonly invoiceId: string
  readonly payUrl: string
}

/** The invoicing service (specification: names, 9). Any rejection means that it is unavailable. */
export interface PaymentService {
  createInvoice(order: {
    readonly orderRef: string
    readonly amount: NanoGrin
    readonly memo: string
  }): Promise<BoughtInvoice>
  /** `gone`: the service does not know this invoice. */
  readInvoice(invoiceId: string): Promise<InvoiceState | 'gone'>
}

/** A Grin node, as far as a sale needs it. */
export interface KernelSource {
  /** The heights of the kernel (33 bytes as 66 hex) and of the tip; undefined: unknown kernel. Rejects when no node gives a usable answer. */
  kernel(excess: string): Promise<{ readonly height: number; readonly tip: number } | undefined>
  /** Rejects when no node answers. */
  tip(): Promise<number>
}
