// The --json documents of `name`, `offer` and `grant`. Members are only ever added. Keys appear as hex and as npub.
import { formatGrin } from '../../grin/amount/index.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../model.js'

export interface NameView {
  readonly name: string
  readonly status: 'active' | 'suspended' | 'released'
  /** 64 hex; of a released name the last holder. */
  readonly pubkey: string
  readonly npub: string
  readonly created_at: string
  readonly released_at: string | null
  readonly suspended_at: string | null
}

export interface ReservedView {
  readonly name: string
  readonly reason: string
  readonly created_at: string
}

export interface OfferView {
  readonly offer_id: string
  readonly name: string
  readonly status: Offer['status']
  readonly seller: string
  readonly seller_npub: string
  readonly buyer: string
  readonly buyer_npub: string
  /** Decimal GRIN: 64 bits of nanogrin outgrow what JSON readers keep. */
  readonly price_grin: string
  readonly proof_address: string
  readonly expires_at: string
  readonly created_at: string
  /** Height of the chain when the offer ended. */
  readonly end_height: number | null
  readonly state_changed_at: string
}

export interface SaleView {
  readonly kernel_excess: string
  readonly kernel_height: number
  readonly claimed_at: string
}

/** One offer in full: the signed event, and its sale, where there is one. */
export interface OfferDetailView extends OfferView {
  readonly event: NostrEvent
  readonly sale: SaleView | null
}

export interface GrantView {
  readonly invoice_id: string
  readonly pubkey: string
  readonly npub: string
  readonly resource: Grant['resource']
  readonly status: Grant['status']
  readonly price_grin: string
  readonly pay_url: string
  readonly created_at: string
  readonly paid_at: string | null
}

export interface HistoryView {
  readonly id: number
  readonly at: string
  readonly actor: AuditEntry['actor']
  readonly action: AuditEntry['action']
  readonly name: string | null
  readonly pubkey: string | null
  readonly npub: string | null
  readonly reason: string | null
}

/** ISO 8601 in UTC, whole seconds. */
const momentOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
export const maybeMoment = (ms: number | null): string | null => (ms === null ? null : momentOf(ms))

export const stateOf = ({ releasedAt, suspendedAt }: NameRecord): NameView['status'] =>
  releasedAt !== null ? 'released' : suspendedAt !== null ? 'suspended' : 'active'

export const nameView = (record: NameRecord): NameView => ({
  name: record.name,
  status: stateOf(record),
  pubkey: record.pubkey,
  npub: formatNpub(record.pubkey),
  created_at: momentOf(record.createdAt),
  released_at: maybeMoment(record.releasedAt),
  suspended_at: maybeMoment(record.suspendedAt),
})

export const reservedView = ({ name, reason, createdAt }: ReservedName): ReservedView => ({
  name,
  reason,
  created_at: momentOf(createdAt),
})

export const offerView = (offer: Offer): OfferView => ({
  offer_id: offer.id,
  name: offer.name,
  status: offer.status,
  seller: offer.seller,
  seller_npub: formatNpub(offer.seller),
  buyer: offer.buyer,
  buyer_npub: formatNpub(offer.buyer),
  price_grin: formatGrin(offer.price),
  proof_address: offer.proofAddress,
  expires_at: momentOf(offer.expiration * 1000),
  created_at: momentOf(offer.createdAt),
  end_height: offer.endHeight,
  state_changed_at: momentOf(offer.stateChangedAt),
})

export const saleView = ({ kernelExcess, kernelHeight, claimedAt }: Transfer): SaleView => ({
  kernel_excess: kernelExcess,
  kernel_height: kernelHeight,
  claimed_at: momentOf(claimedAt),
})

export const grantView = (grant: Grant): GrantView => ({
  invoice_id: grant.invoiceId,
  pubkey: grant.pubkey,
  npub: formatNpub(grant.pubkey),
  resource: grant.resource,
  status: grant.status,
  price_grin: formatGrin(grant.amount),
  pay_url: grant.payUrl,
  created_at: momentOf(grant.createdAt),
  paid_at: maybeMoment(grant.paidAt),
})

export const historyView = (entry: AuditEntry): HistoryView => ({
  id: entry.id,
  at: momentOf(entry.at),
  actor: entry.actor,
  action: entry.action,
  name: entry.name,
  pubkey: entry.pubkey,
  npub: entry.pubkey === null ? null : formatNpub(entry.pubkey),
  reason: entry.reason,
})
