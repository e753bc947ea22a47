// What the authority offers to its routes, wherever they are mounted: in its own process or inside the relay.
import type { NanoGrin } from '../grin/amount/index.js'
import type { NostrEvent } from '../nostr/event/index.js'
import type { OfferStatus, Resource } from './model.js'

export interface AuthoritySettings {
  /** Of the names: `alice@domain`. */
  readonly domain: string
  /** Public base address, no trailing slash; what signed requests must name (specification: names, 5). */
  readonly baseUrl: string
  /** Advertised in the NIP-05 document. */
  readonly relays: readonly string[]
  /** In characters. */
  readonly nameMin: number
  readonly nameMax: number
  readonly cooldownSeconds: number
  readonly authMaxAgeSeconds: number
  /** The operator's own reserved names, lower-case. */
  readonly reserved: readonly string[]
  readonly sale: Sale | undefined
  readonly pollIntervalSeconds: number
  /** Undefined: transfers are off, as always inside a relay. */
  readonly transfers: TransferSettings | undefined
}

/** What is sold, and for how much. */
export interface Sale {
  readonly resource: Resource
  readonly price: NanoGrin
}

export interface TransferSettings {
  readonly minConfirmations: number
  readonly maxOfferSeconds: number
  readonly claimGraceSeconds: number
}

/** A request as it is to be proven by NIP-98: the path as the server understood it, the body as it came. */
export interface SignedRequest {
  readonly authorization: string | undefined
  readonly method: string
  /** Without query; percent-decoded and lower-cased where the specification says so. */
  readonly path: string
  readonly body: Uint8Array
}

/** Who proved to have signed a request. 64 lower-case hex. */
export interface Caller {
  readonly pubkey: string
}

export interface Holder {
  readonly name: string
  readonly pubkey: string
}

export interface Availability {
  /** As it was understood: lower-case. */
  readonly name: string
  readonly state: 'free' | 'invalid' | 'reserved' | 'taken'
}

export interface Registration {
  readonly name: string
  /** `name@domain`. */
  readonly nip05: string
  /** False: the caller held it already. */
  readonly isNew: boolean
}

export interface LodgedOffer {
  readonly offerId: string
  readonly name: string
  /** Unix seconds. */
  readonly expiresAt: number
}

export interface ShownOffer {
  readonly event: NostrEvent
  readonly status: OfferStatus
}

/** Names: finding and claiming. Every rejection is an entry of `errors.ts`, or DATABASE_*. */
export interface Names {
  /** The active name as somebody typed it; undefined for invalid, unknown, released and suspended ones. */
  lookup(name: string): Promise<Holder | undefined>
  /** 64 hex in any case; undefined for everything else. */
  nameOf(pubkey: string): Promise<Holder | undefined>
  availability(name: string): Promise<Availability>
  /** Steps 3 to 15 of specification names, 6 "Register"; `body` is the raw body. */
  register(caller: Caller, body: Uint8Array): Promise<Registration>
  /** `name` percent-decoded, in any case. Answers the name that was released. */
  release(caller: Caller, name: string): Promise<string>
}

/** Selling names or write access. Without a sale every verb behaves as specification names 6 and 9 say for mode `off`. */
export interface PaidAccess {
  /** Resolves when the key may claim; rejects with PAYMENT_REQUIRED, PAYMENT_BACKEND_UNAVAILABLE. True: a paid grant is to be spent. */
  requireName(pubkey: string): Promise<boolean>
  /** Undefined for what is no key. */
  isWritePaid(pubkey: string): Promise<{ readonly pubkey: string; readonly paid: boolean } | undefined>
  /** The raw body. Resolves when it is paid; rejects like `requireName`. */
  quote(caller: Caller, body: Uint8Array): Promise<{ readonly resource: Resource; readonly pubkey: string }>
  /** The raw body of a signed event, and its header X-Pay-Signature or X-GoblinPay-Signature. Rejects with NOT_FOUND, BAD_SIGNATURE, INVALID_BODY. */
  webhook(body: Uint8Array, signature: string | undefined): Promise<void>
}

/** Sales between keys (specification: names, 10). */
export interface Transfers {
  lodge(caller: Caller, body: Uint8Array): Promise<LodgedOffer>
  read(offerId: string): Promise<ShownOffer>
  revoke(caller: Caller, offerId: string): Promise<void>
  /** `isNew` false: this very claim was carried out before. */
  claim(caller: Caller, body: Uint8Array): Promise<Holder & { readonly nip05: string; readonly isNew: boolean }>
}

export interface Authority {
  readonly settings: AuthoritySettings
  /** NIP-98 with its replay record. Rejects with one of the texts of specification names, 5. */
  authorize(request: SignedRequest): Promise<Caller>
  readonly names: Names
  readonly paid: PaidAccess
  /** Undefined: the routes do not exist. */
  readonly transfers: Transfers | undefined
  /** Passes that the daemon repeats: sweeping offers, polling grants, forgetting spent ids. */
  readonly loops: readonly AuthorityLoop[]
}

export interface AuthorityLoop {
  readonly name: string
  readonly everyMs: number
  pass(): Promise<void>
}
