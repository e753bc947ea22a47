// The --json documents of `name`, `offer` and `grant`. Members are only ever added. Keys appear as hex and as npub, times as UTC, prices as
// decimal GRIN: 64 bits of nanogrin outgrow what JSON readers keep.
import { formatGrin } from '../../grin/amount/index.js'
import { momentText } from '../../lib/moment-text.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../model.js'
import type { NameFilter } from './ports.js'

/** One offer in full: the signed event, and its sale, where there is one. */
export interface OfferDetailView extends OfferView {
  readonly event: NostrEvent
  readonly sale: SaleView | null
}

export const maybeMoment = (ms: number | null): string | null => (ms === null ? null : momentText(ms))

export const stateOf = ({ releasedAt, suspendedAt }: NameRecord): NonNullable<NameFilter['status']> =>
  releasedAt !== null ? 'released' : suspendedAt !== null ? 'suspended' : 'active'

export const nameView = (record: NameRecord) => ({
  name: record.name,
  status: stateOf(record),
  pubkey: record.pubkey,
  npub: formatNpub(record.pubkey),
  created_at: momentText(record.createdAt),
  released_at: maybeMoment(record.releasedAt),
  suspended_at: maybeMoment(record.suspendedAt),
})
export type NameView = Readonly<ReturnType<typeof nameView>>

export const reservedView = ({ name, reason, createdAt }: ReservedName) => ({
  name,
  reason,
  created_at: momentText(createdAt),
})
export type ReservedView = Readonly<ReturnType<typeof reservedView>>

export const offerView = (offer: Offer) => ({
  offer_id: offer.id,
  name: offer.name,
  status: offer.status,
  seller: offer.seller,
  seller_npub: formatNpub(offer.seller),
  buyer: offer.buyer,
  buyer_npub: formatNpub(offer.buyer),
  price_grin: formatGrin(offer.price),
  proof_address: offer.proofAddress,
  expires_at: momentText(offer.expiration * 1000),
  created_at: momentText(offer.createdAt),
  end_height: offer.endHeight,
  state_changed_at: momentText(offer.stateChangedAt),
})
export type OfferView = Readonly<ReturnType<typeof offerView>>

export const saleView = ({ kernelExcess, kernelHeight, claimedAt }: Transfer) => ({
  kernel_excess: kernelExcess,
  kernel_height: kernelHeight,
  claimed_at: momentText(claimedAt),
})
type SaleView = Readonly<ReturnType<typeof saleView>>

export const grantView = (grant: Grant) => ({
  invoice_id: grant.invoiceId,
  pubkey: grant.pubkey,
  npub: formatNpub(grant.pubkey),
  resource: grant.resource,
  status: grant.status,
  price_grin: formatGrin(grant.amount),
  pay_url: grant.payUrl,
  created_at: momentText(grant.createdAt),
  paid_at: maybeMoment(grant.paidAt),
})
export type GrantView = Readonly<ReturnType<typeof grantView>>

export const historyView = (entry: AuditEntry) => ({
  id: entry.id,
  at: momentText(entry.at),
  actor: entry.actor,
  action: entry.action,
  name: entry.name,
  pubkey: entry.pubkey,
  npub: entry.pubkey === null ? null : formatNpub(entry.pubkey),
  reason: entry.reason,
})
export type HistoryView = Readonly<ReturnType<typeof historyView>>
