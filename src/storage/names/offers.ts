// Offers and the sales that come of them.
import type { Offer, OfferStore, Transfer, TransferClaim, TransferOutcome } from '../../authority/index.js'
import { sql } from '../dialect.js'
import { hexKey } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'
import { exists, many, one, type Runner, run, type Verb } from '../verbs.js'
import { findActive, findOfKey } from './lookups.js'
import { armCooldown, note } from './rows.js'
import { OFFER, TRANSFER } from './tables.js'

const SELECT = `SELECT ${OFFER.columns} FROM offer`
const BY_ID = `${SELECT} WHERE id = ?`
const INSERT = `INSERT INTO offer (${OFFER.columns}) VALUES (${OFFER.marks})`
const LIVE_OF_NAME = sql(
  ({ by }) => `SELECT 1 FROM offer ${by('offer_live_name')} WHERE status = 'live' AND name = ? AND expiration >= ?`,
)
const LIVE_OF_ADDRESS = sql(
  ({ by }) =>
    `SELECT 1 FROM offer ${by('offer_live_address')} WHERE status = 'live' AND proof_address = ? AND expiration >= ?`,
)
const LAPSED = sql(
  ({ by }) =>
    `${SELECT} ${by('offer_live_end')} WHERE status = 'live' AND expiration < ? ORDER BY expiration, seq LIMIT ?`,
)
const MOVE = 'UPDATE name SET pubkey = ?, created_at = ? WHERE name = ?'
const TRANSFER_OF = `SELECT ${TRANSFER.columns} FROM transfer WHERE offer_id = ?`
const INSERT_TRANSFER = `INSERT INTO transfer (${TRANSFER.columns}) VALUES (${TRANSFER.marks})`
const OF_EXCESS = 'SELECT 1 FROM transfer WHERE kernel_excess = ?'

export const offerVerbs = ({ read, change }: Runner): OfferStore => ({
  createOffer: (offer) => change(() => createOffer(offer)),
  offer: (id) => read(() => findOffer(id)),
  endOffer: (id, end) => change(() => endOffer(id, end)),
  lapsedOffers: (seconds, limit) => read(() => many(LAPSED, [seconds, limit], OFFER.read)),
  transferOf: (offerId) => read(() => one(TRANSFER_OF, [hexKey(offerId)], TRANSFER.read)),
  transferName: (claim) => change(() => transferName(claim)),
})

const findOffer = (id: string): Verb<Offer | undefined> => one(BY_ID, [hexKey(id)], OFFER.read)

function* createOffer(offer: Offer): Verb<Awaited<ReturnType<OfferStore['createOffer']>>> {
  const held = yield* findActive(offer.name)
  if (held?.pubkey !== offer.seller) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  const seconds = Math.floor(offer.createdAt / 1000)
  if (yield* exists(LIVE_OF_NAME, [offer.name, seconds])) return 'offer-exists'
  if (yield* exists(LIVE_OF_ADDRESS, [offer.proofAddress, seconds])) return 'offer-ambiguous'
  if (yield* findOffer(offer.id)) return 'offer-exists'
  yield* run(INSERT, OFFER.values(offer))
  return 'stored'
}

type OfferEnd = Parameters<OfferStore['endOffer']>[1]

function* endOffer(id: string, { status, endHeight, now }: OfferEnd): Verb<Offer | undefined> {
  const before = yield* findOffer(id)
  if (before?.status === 'live') return yield* changeOffer(before, { status, endHeight, stateChangedAt: now })
  // When it died, and at which height, stays what was seen first.
  if (before?.status === 'expired' && status === 'revoked') return yield* changeOffer(before, { status })
  return before
}

function* changeOffer(before: Offer, part: Partial<Offer>): Verb<Offer> {
  const change = OFFER.change(part)
  yield* run(`UPDATE offer SET ${change.sql} WHERE id = ?`, [...change.values, hexKey(before.id)])
  return { ...before, ...part }
}

function* transferName(claim: TransferClaim): Verb<TransferOutcome> {
  const offer = yield* findOffer(claim.offerId)
  if (!offer) return { outcome: 'unknown' }
  const refusal = yield* refusalOf(offer, claim.kernelExcess)
  if (refusal) return refusal
  const { name, seller, buyer, price } = offer
  const { offerId, kernelExcess, kernelHeight, now } = claim
  const transfer: Transfer = { offerId, name, seller, buyer, price, kernelExcess, kernelHeight, claimedAt: now }
  yield* run(MOVE, [hexKey(buyer), now, name])
  yield* run(INSERT_TRANSFER, TRANSFER.values(transfer))
  yield* changeOffer(offer, { status: 'consumed', stateChangedAt: now })
  yield* armCooldown(seller, now, claim.cooldownMs)
  const reason = `offer ${offerId}`
  yield* note({ at: now, actor: 'sale', action: 'release', name, pubkey: seller, reason })
  yield* note({ at: now, actor: 'sale', action: 'transfer', name, pubkey: buyer, reason })
  return { outcome: 'transferred', transfer }
}

function* refusalOf({ status, name, seller, buyer }: Offer, excess: string): Verb<TransferOutcome | undefined> {
  if (status === 'consumed') return { outcome: 'consumed' }
  const held = yield* findActive(name)
  if (held?.pubkey !== seller) return { outcome: 'owner-changed' }
  if (held.suspendedAt !== null) return { outcome: 'suspended' }
  if (yield* exists(OF_EXCESS, [excessKey(excess)])) return { outcome: 'proof-reused' }
  const own = yield* findOfKey(buyer)
  return own && { outcome: 'has-name', name: own.name }
}

/** 33 bytes as hex, or null, which equals nothing. */
const excessKey = (excess: string): SqlValue =>
  /^[0-9a-f]{66}$/.test(excess) ? (TRANSFER.change({ kernelExcess: excess }).values[0] ?? null) : null
