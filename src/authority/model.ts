// What a name authority stores. Times are epoch milliseconds, keys 64 lower-case hex, names normalised and valid.
import type { NanoGrin } from '../grin/amount/index.js'
import type { NostrEvent } from '../nostr/event/index.js'

/** A name that a key holds now. */
export interface ActiveName {
  readonly name: string
  readonly pubkey: string
  readonly createdAt: number
  /** Since when the name neither resolves nor changes hands; null: not suspended. */
  readonly suspendedAt: number | null
}

/** A name as the database knows it; a released row stays until the next claim of the name. */
export interface NameRecord extends ActiveName {
  readonly releasedAt: number | null
}

/** How a name looks: equal keys are necessary for two names to be look-alikes, `looksLike` is the exact relation (specification: names, 3.4). */
export interface NameShape {
  readonly name: string
  /** Digits as letters, `l` as `i`, separators dropped. */
  readonly skeleton: string
  looksLike(other: string): boolean
}

/** What can be for sale: a name, or the right to write to a relay. */
export const RESOURCES = ['name', 'write'] as const
export type Resource = (typeof RESOURCES)[number]

export const GRANT_STATUSES = ['pending', 'paid'] as const

/** One invoice for one key. Once paid it buys one claim (`name`) or lasting write access (`write`). Specification: names, 9. */
export interface Grant {
  readonly pubkey: string
  readonly resource: Resource
  /** Counts the invoices of this key and resource from 1; part of the order_ref. */
  readonly serial: number
  readonly invoiceId: string
  readonly payUrl: string
  readonly amount: NanoGrin
  readonly status: (typeof GRANT_STATUSES)[number]
  readonly createdAt: number
  readonly paidAt: number | null
}

export const OFFER_STATUSES = ['live', 'consumed', 'revoked', 'expired'] as const
export type OfferStatus = (typeof OFFER_STATUSES)[number]

/** A seller's signed offer of a name to one buyer (specification: names, 10). */
export interface Offer {
  /** The id of `event`. */
  readonly id: string
  readonly event: NostrEvent
  readonly name: string
  readonly seller: string
  readonly buyer: string
  readonly price: NanoGrin
  /** Where the seller is paid: grin1… or tgrin1…, lower-case. */
  readonly proofAddress: string
  /** Unix seconds. */
  readonly expiration: number
  readonly status: OfferStatus
  /** Height of the chain when the offer ended; null while it is live, or when no node answered then. */
  readonly endHeight: number | null
  readonly stateChangedAt: number
  readonly createdAt: number
}

/** A sale that was carried out. */
export interface Transfer {
  readonly offerId: string
  readonly name: string
  readonly seller: string
  readonly buyer: string
  readonly price: NanoGrin
  /** 66 lower-case hex; never used twice. */
  readonly kernelExcess: string
  readonly kernelHeight: number
  readonly claimedAt: number
}

/** Who changed something: the signing key, a sale, a command on the server, or an import. */
export const ACTORS = ['holder', 'sale', 'operator', 'import'] as const
type Actor = (typeof ACTORS)[number]

export const AUDIT_ACTIONS = [
  'claim',
  'release',
  'transfer',
  'assign',
  'evict',
  'suspend',
  'resume',
  'reserve',
  'unreserve',
  'void-grant',
  'import',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** One line of the history of a name; never changed, never deleted. */
export interface AuditEntry {
  readonly id: number
  readonly at: number
  readonly actor: Actor
  readonly action: AuditAction
  /** Null for a grant. */
  readonly name: string | null
  readonly pubkey: string | null
  readonly reason: string | null
}

/** A name that the operator keeps back, beside the built-in list and the file of the settings. */
export interface ReservedName {
  readonly name: string
  readonly reason: string
  readonly createdAt: number
}

const KEY = /^[0-9a-f]{64}$/

/** A Nostr public key as 64 lower-case hex digits, from text in upper or lower case. Undefined for anything else, an npub included. */
export function parseKey(text: string): string | undefined {
  const folded = text.toLowerCase()
  return KEY.test(folded) ? folded : undefined
}
