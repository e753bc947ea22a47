// What the authority needs from outside. Verbs are atomic and durable when their promise resolves; two processes may share one database.
import type { NanoGrin } from '../grin/amount/index.js'
import type { ActiveName, Grant, NameShape, Offer, ReservedName, Resource, Transfer } from './model.js'

/** Time as the authority sees it: epoch milliseconds. */
export interface Clock {
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface NameReads {
  activeName(name: string): Promise<ActiveName | undefined>
  /** The key of an active name that is not suspended: what NIP-05 asks for all the time. */
  keyOfName(name: string): Promise<string | undefined>
  nameOfKey(pubkey: string): Promise<ActiveName | undefined>
  /** Another key's active name that looks like this one; exact equality counts. `exceptKey` may hold look-alikes itself. */
  rivalOf(shape: NameShape, exceptKey?: string): Promise<ActiveName | undefined>
  /** A name kept back by `name reserve` that looks like this one. */
  reservedLike(shape: NameShape): Promise<ReservedName | undefined>
  /** What `reservedLike` and then `rivalOf` say to somebody who holds no name, in one look: it is asked for all the time. */
  standingOf(shape: NameShape): Promise<'free' | 'reserved' | 'taken'>
  /** Until when the key may not claim another name; 0: it may. */
  cooldownUntil(pubkey: string): Promise<number>
}

export interface AuthRecords {
  /** Exactly one of any number of callers, in any process and after any restart, is told `recorded` for an id (64 hex). */
  recordAuth(id: string, forgetAt: number): Promise<'recorded' | 'replayed'>
  /** Drops at most `limit` records whose time has come; answers how many. */
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
  /** The key holds this very name already; nothing changed, nothing was spent. */
  | { readonly outcome: 'held' }
  | { readonly outcome: 'taken' | 'reserved' | 'cooldown' | 'unpaid' }
  /** The name the key holds is suspended: it cannot be left behind. */
  | { readonly outcome: 'suspended' }

export interface NameRelease {
  readonly name: string
  readonly pubkey: string
  readonly now: number
  readonly cooldownMs: number
}

export interface NameChanges {
  /** One transaction: look at the name, its look-alikes, the cooldown and the grant again; release the old name; take the new one. */
  claimName(claim: NameClaim): Promise<ClaimOutcome>
  releaseName(release: NameRelease): Promise<'released' | 'unknown' | 'not-owner' | 'suspended'>
}

export interface GrantStore {
  grant(pubkey: string, resource: Resource): Promise<Grant | undefined>
  grantOfInvoice(invoiceId: string): Promise<Grant | undefined>
  /** The highest serial ever stored for this key and resource, spent and replaced grants included; 0 when none was. */
  lastSerial(pubkey: string, resource: Resource): Promise<number>
  /**
   * Stores a pending grant when there is none, or in place of the pending one of invoice `replaces`. Answers what is stored afterwards,
   * or `serial-used` when nothing is because this serial or this invoice was stored before: it may have bought something already.
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
  /** In the order of specification names, 10.2: holder, live offer of the name, live offer of the address, same event before. */
  lodgeOffer(offer: Offer): Promise<'stored' | 'not-owner' | 'suspended' | 'offer-exists' | 'offer-ambiguous'>
  offer(id: string): Promise<Offer | undefined>
  /** Live, or expired in the case of `revoked`, to its end; keeps an earlier end. Answers the offer as it is afterwards. */
  endOffer(
    id: string,
    end: { readonly status: 'revoked' | 'expired'; readonly endHeight: number | null; readonly now: number },
  ): Promise<Offer | undefined>
  /** Live offers whose expiration (unix seconds) is before `seconds`, oldest first. */
  lapsedOffers(seconds: number, limit: number): Promise<readonly Offer[]>
  transferOf(offerId: string): Promise<Transfer | undefined>
  /**
   * One transaction: move the name, remember the kernel, consume the offer, arm the seller's cooldown. The buyer's cooldown does not
   * count. Of several refusals: unknown, consumed, owner-changed, suspended, proof-reused, has-name, in this order.
   */
  transferName(claim: TransferClaim): Promise<TransferOutcome>
}

/** Everything the running authority asks of its database. */
export interface NameStore extends NameReads, AuthRecords, NameChanges, GrantStore, OfferStore {
  /** Rejects when the database cannot be written. */
  check(): Promise<void>
}

/** How far an invoice of the invoicing service is. */
export interface InvoiceState {
  /** `open`, `paid`, `confirmed`, `expired`, `cancelled`, or whatever a later service says. */
  readonly status: string
  readonly confirmations?: number
  readonly confirmationsRequired?: number
  /** What a wallet builds its own page from; absent where the service has none. */
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

/** An invoice of the invoicing service as far as the authority cares. */
export interface BoughtInvoice extends InvoiceState {
  readonly invoiceId: string
  readonly payUrl: string
}

/** The invoicing service (specification: names, 9). Any rejection means: it cannot be asked now. */
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
  /** The height of the kernel (33 bytes as 66 hex) and of the tip. Rejects when no node gives a usable answer; undefined: they know no such kernel. */
  kernel(excess: string): Promise<{ readonly height: number; readonly tip: number } | undefined>
  /** Rejects when no node answers. */
  tip(): Promise<number>
}

export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
