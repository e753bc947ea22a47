// What the authority offers to its routes, wherever they are mounted: in its own process or inside the relay.
import type { NanoGrin } from '../grin/amount/index.js'
import type { NostrEvent } from '../nostr/event/index.js'
import type { OfferStatus, Resource } from './model.js'
import type { Aged } from './ports.js'

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

/** A request to verify with NIP-98: the decoded path and the raw body. */
interface SignedRequest {
  readonly authorization: string | undefined
  readonly method: string
  /** Without query; percent-decoded and lower-cased where the specification says so. */
  readonly path: string
  readonly body: Uint8Array
}

/** The key that signed a request. 64 lower-case hex. */
export interface Caller {
  readonly pubkey: string
}

export interface Holder {
  readonly name: string
  readonly pubkey: string
}

export interface Availability {
  /** Normalised: lower-case. */
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

interface CreatedOffer {
  readonly offerId: string
  readonly name: string
  /** Unix seconds. */
  readonly expiresAt: number
}

interface ShownOffer {
  readonly event: NostrEvent
  readonly status: OfferStatus
}

/** Names: finding and claiming. Every rejection is an entry of `errors.ts`, or DATABASE_*. */
export interface Names {
  /** The holder of a name in upper or lower case; undefined for invalid, unknown, released and suspended names. */
  lookup(name: string, aged?: Aged): Promise<Holder | undefined>
  /** The name of a key. `pubkey`: 64 hex in upper or lower case; undefined for everything else. */
  nameOf(pubkey: string, aged?: Aged): Promise<Holder | undefined>
  availability(name: string): Promise<Availability>
  /** Steps 3 to 15 of a registration (specification: names, 6); `body` is the raw body. */
  register(caller: Caller, body: Uint8Array): Promise<Registration>
  /** `name`: percent-decoded, in upper or lower case. Returns the released name. */
  release(caller: Caller, name: string): Promise<string>
}

/** Sells names or write access. Without a sale every verb behaves as in mode `off` (specification: names, 6 and 9). */
export interface PaidAccess {
  /** Resolves when the key may claim. True: the claim spends a paid grant. Rejects with PAYMENT_REQUIRED, PAYMENT_BACKEND_UNAVAILABLE. */
  requireName(pubkey: string): Promise<boolean>
  /** Undefined when the text is not a key. */
  isWritePaid(pubkey: string): Promise<{ readonly pubkey: string; readonly paid: boolean } | undefined>
  /** `body`: raw. Resolves when the resource is paid for; rejects like `requireName`. */
  quote(caller: Caller, body: Uint8Array): Promise<{ readonly resource: Resource; readonly pubkey: string }>
  /** `signature`: the header X-Pay-Signature or X-GoblinPay-Signature. Rejects with NOT_FOUND, BAD_SIGNATURE, INVALID_BODY. */
  webhook(body: Uint8Array, signature: string | undefined): Promise<void>
}

/** Sales between keys (specification: names, 10). */
export interface Transfers {
  createOffer(caller: Caller, body: Uint8Array): Promise<CreatedOffer>
  read(offerId: string): Promise<ShownOffer>
  revoke(caller: Caller, offerId: string): Promise<void>
  /** `isNew` false: an earlier, identical claim was carried out. */
  claim(caller: Caller, body: Uint8Array): Promise<Holder & { readonly nip05: string; readonly isNew: boolean }>
}

export interface Authority {
  readonly settings: AuthoritySettings
  /** Verifies NIP-98 and records the event id against replay. Rejects with the text of the first failed check (specification: names, 5). */
  authorize(request: SignedRequest): Promise<Caller>
  readonly names: Names
  readonly paid: PaidAccess
  /** Undefined: the routes do not exist. */
  readonly transfers: Transfers | undefined
  /** Periodic work for the daemon: expire offers, poll grants, delete used event ids. */
  readonly loops: readonly AuthorityLoop[]
}

export interface AuthorityLoop {
  readonly name: string
  readonly everyMs: number
  pass(): Promise<void>
}
