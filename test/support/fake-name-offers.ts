import type { Offer, OfferStore, TransferClaim, TransferOutcome } from '../../src/authority/index.js'
import { activeRow, armCooldown, type NameTables, note, release, rowOfKey, take } from './fake-name-tables.js'

export function fakeOfferStore(tables: NameTables): OfferStore {
  const { offers, transfers } = tables
  const isExcessUsed = (excess: string) => [...transfers.values()].some(({ kernelExcess }) => kernelExcess === excess)

  function lodge(offer: Offer) {
    const held = activeRow(tables, offer.name)
    if (held?.pubkey !== offer.seller) return 'not-owner'
    if (held.suspendedAt !== null) return 'suspended'
    const seconds = Math.floor(offer.createdAt / 1000)
    const alive = [...offers.values()].filter(({ status, expiration }) => status === 'live' && expiration >= seconds)
    if (alive.some(({ name }) => name === offer.name)) return 'offer-exists'
    if (alive.some(({ proofAddress }) => proofAddress === offer.proofAddress)) return 'offer-ambiguous'
    if (offers.has(offer.id)) return 'offer-exists'
    offers.set(offer.id, offer)
    return 'stored'
  }

  function refusalOf(offer: Offer, kernelExcess: string): TransferOutcome | undefined {
    if (offer.status === 'consumed') return { outcome: 'consumed' }
    const held = activeRow(tables, offer.name)
    if (held?.pubkey !== offer.seller) return { outcome: 'owner-changed' }
    if (held.suspendedAt !== null) return { outcome: 'suspended' }
    if (isExcessUsed(kernelExcess)) return { outcome: 'proof-reused' }
    const own = rowOfKey(tables, offer.buyer)
    return own && { outcome: 'has-name', name: own.name }
  }

  function transfer({ offerId, kernelExcess, kernelHeight, now, cooldownMs }: TransferClaim): TransferOutcome {
    const offer = offers.get(offerId)
    if (!offer) return { outcome: 'unknown' }
    const refusal = refusalOf(offer, kernelExcess)
    if (refusal) return refusal
    const { name, seller, buyer, price } = offer
    const row = activeRow(tables, name)
    if (row) release(tables, row, now)
    take(tables, name, buyer, now)
    armCooldown(tables, seller, now, cooldownMs)
    offers.set(offerId, { ...offer, status: 'consumed', stateChangedAt: now })
    const sale = { offerId, name, seller, buyer, price, kernelExcess, kernelHeight, claimedAt: now }
    transfers.set(offerId, sale)
    const reason = `offer ${offerId}`
    note(tables, { at: now, actor: 'sale', action: 'release', name, pubkey: seller, reason })
    note(tables, { at: now, actor: 'sale', action: 'transfer', name, pubkey: buyer, reason })
    return { outcome: 'transferred', transfer: sale }
  }

  return {
    createOffer: async (offer) => lodge(offer),
    offer: async (id) => offers.get(id),
    async endOffer(id, { status, endHeight, now }) {
      const offer = offers.get(id)
      if (offer?.status === 'live') offers.set(id, { ...offer, status, endHeight, stateChangedAt: now })
      if (offer?.status === 'expired' && status === 'revoked') offers.set(id, { ...offer, status })
      return offers.get(id)
    },
    async lapsedOffers(seconds, limit) {
      const lapsed = [...offers.values()].filter(({ status, expiration }) => status === 'live' && expiration < seconds)
      return lapsed.sort((a, b) => a.expiration - b.expiration).slice(0, limit)
    },
    transferOf: async (offerId) => transfers.get(offerId),
    transferName: async (claim) => transfer(claim),
  }
}
