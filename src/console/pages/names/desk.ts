// What the pages of a name authority ask of the daemon. Times are epoch milliseconds. Texts of holders are untrusted.
import type { NanoGrin } from '../../../grin/amount/index.js'
import type { ListPage, ListRequest } from '../../lists.js'

/** A Nostr key: 64 hex digits, and as people write it. */
export interface Key {
  readonly hex: string
  readonly npub: string
}

/** Of a released name `holder` is the last one. */
export interface NameRow {
  readonly name: string
  readonly state: 'active' | 'suspended' | 'released'
  readonly holder: Key
  readonly since: number
  readonly releasedAt: number | null
  readonly suspendedAt: number | null
}

/** `held`: active or suspended. */
export type NameChoice = 'all' | 'held' | 'suspended' | 'released'

export interface NameSearch extends ListRequest {
  /** The beginning of names, or a whole key (npub or 64 hex digits); empty: no search. */
  readonly text: string
  readonly choice: NameChoice
}

export interface NameStatus {
  readonly name: string
  /** `taken`: another key holds a look-alike. `invalid`: outside the bounds of the settings. */
  readonly state: 'free' | 'invalid' | 'reserved' | 'taken' | 'active' | 'suspended'
  /** One sentence; null for a free name. */
  readonly why: string | null
  /** The current or last holder. */
  readonly record: NameRow | null
  readonly reserved: {
    /** `command`: by an operator. The others are settings. */
    readonly by: 'built-in' | 'domain' | 'file' | 'command'
    readonly like: string
    readonly reason: string | null
  } | null
  readonly lookAlike: NameRow | null
  /** Until when the holder may not claim another name. */
  readonly cooldownUntil: number | null
  /** The latest, newest first. */
  readonly offers: readonly OfferRow[]
}

/** One entry of the history of a name. */
export interface NameChange {
  readonly id: number
  readonly at: number
  readonly actor: 'holder' | 'sale' | 'operator' | 'import'
  readonly action: string
  readonly key: Key | null
  readonly reason: string | null
}

export interface ReservedRow {
  readonly name: string
  readonly reason: string
  readonly createdAt: number
}

export type OfferState = 'live' | 'consumed' | 'revoked' | 'expired'

/** What proved the payment of a sale. */
interface Sale {
  /** 66 hex digits. */
  readonly kernelExcess: string
  readonly kernelHeight: number
  readonly claimedAt: number
}

export interface OfferRow {
  readonly id: string
  readonly name: string
  readonly state: OfferState
  readonly seller: Key
  readonly buyer: Key
  readonly price: NanoGrin
  readonly proofAddress: string
  readonly expiresAt: number
  readonly createdAt: number
  /** Height of the chain when it ended; null while it is live, or where no node answered. */
  readonly endHeight: number | null
  readonly endedAt: number | null
  readonly sale: Sale | null
}

/** What an operator does to a name. */
export interface NameOrder {
  readonly name: string
  readonly reason: string
}

/** `changed` is false where it was so already. */
export interface OrderOutcome {
  readonly name: string
  readonly changed: boolean
}

/** Every verb throws CONSOLE_NAMES_UNREACHABLE where the names lie with a daemon beside this one and cannot be read. */
export interface NameDesk {
  /** Behind the @. */
  domain(): Promise<string>
  /** Throws NOSTR_CODE_INVALID. */
  names(search: NameSearch): Promise<ListPage<NameRow>>
  /** Throws NAME_UNUSABLE for a text that is no name. */
  name(name: string): Promise<NameStatus>
  /** Newest first. */
  history(name: string, page: ListRequest): Promise<ListPage<NameChange>>
  reserved(page: ListRequest): Promise<ListPage<ReservedRow>>
  /** Newest first. Undefined: every state. */
  offers(state: OfferState | undefined, page: ListRequest): Promise<ListPage<OfferRow>>
  offer(id: string): Promise<OfferRow | undefined>
  /** A text that differs once anything changed that a page could show. */
  changeMark(): Promise<string>
  /** Throws NAME_UNUSABLE. */
  reserve(order: NameOrder): Promise<OrderOutcome>
  /** Throws NAME_NOT_RESERVED, NAME_RESERVED_ELSEWHERE. */
  unreserve(order: NameOrder): Promise<OrderOutcome>
  /** Throws NAME_NOT_HELD. */
  suspend(order: NameOrder, suspended: boolean): Promise<OrderOutcome>
  /** Takes the name from this key (64 hex digits). Throws NAME_NOT_HELD, HOLDER_CHANGED. */
  evict(order: NameOrder, from: { readonly holder: string; readonly reserve: boolean }): Promise<OrderOutcome>
}
