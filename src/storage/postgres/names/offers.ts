// Offers and the sales that come of them.
import type { Offer, OfferStore, Transfer, TransferClaim, TransferOutcome } from '../../../authority/index.js'
import { hexKey } from '../../sqlite/columns.js'
import type { SqlValue } from '../../sqlite/sqlite.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import { findActive, findOfKey } from './lookups.js'
import { armCooldown, note } from './rows.js'
import { OFFER, TRANSFER } from './tables.js'

const SELECT = `SELECT ${OFFER.columns} FROM offer`
const INSERT = `INSERT INTO offer (${OFFER.columns}) VALUES (${OFFER.marks})`
const LIVE = "SELECT 1 FROM offer WHERE status = 'live'"
const LIVE_OF_NAME = `${LIVE} AND name = ? AND expiration >= ?`
const LIVE_OF_ADDRESS = `${LIVE} AND proof_address = ? AND expiration >= ?`
const LAPSED = `${SELECT} WHERE status = 'live' AND expiration < ? ORDER BY expiration, seq LIMIT ?`
const MOVE = 'UPDATE name SET pubkey = ?, created_at = ? WHERE name = ?'
const TRANSFER_OF = `SELECT ${TRANSFER.columns} FROM transfer WHERE offer_id = ?`
const INSERT_TRANSFER = `INSERT INTO transfer (${TRANSFER.columns}) VALUES (${TRANSFER.marks})`

export function offerVerbs({ read, change }: Transactions): OfferStore {
  return {
    createOffer: (offer) => change((db) => createOffer(db, offer)),
    offer: (id) => read((db) => findOffer(db, id)),
    endOffer: (id, end) => change((db) => endOffer(db, id, end)),
    lapsedOffers: (seconds, limit) => read(async (db) => (await db.all(LAPSED, [seconds, limit])).map(OFFER.read)),
    transferOf: (offerId) =>
      read(async (db) => {
        const row = await db.get(TRANSFER_OF, [hexKey(offerId)])
        return row && TRANSFER.read(row)
      }),
    transferName: (claim) => change((db) => transferName(db, claim)),
  }
}

async function findOffer(db: Queries, id: string): Promise<Offer | undefined> {
  const row = await db.get(`${SELECT} WHERE id = ?`, [hexKey(id)])
  return row && OFFER.read(row)
}

async function createOffer(db: Queries, offer: Offer): ReturnType<OfferStore['createOffer']> {
  const held = await findActive(db, offer.name)
  if (held?.pubkey !== offer.seller) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  const seconds = Math.floor(offer.createdAt / 1000)
  if (await db.get(LIVE_OF_NAME, [offer.name, seconds])) return 'offer-exists'
  if (await db.get(LIVE_OF_ADDRESS, [offer.proofAddress, seconds])) return 'offer-ambiguous'
  if (await findOffer(db, offer.id)) return 'offer-exists'
  await db.run(INSERT, OFFER.values(offer))
  return 'stored'
}

type OfferEnd = Parameters<OfferStore['endOffer']>[1]

async function endOffer(db: Queries, id: string, { status, endHeight, now }: OfferEnd): Promise<Offer | undefined> {
  const before = await findOffer(db, id)
  if (before?.status === 'live') return changeOffer(db, before, { status, endHeight, stateChangedAt: now })
  // When it died, and at which height, stays what was seen first.
  if (before?.status === 'expired' && status === 'revoked') return changeOffer(db, before, { status })
  return before
}

async function changeOffer(db: Queries, before: Offer, part: Partial<Offer>): Promise<Offer> {
  const change = OFFER.change(part)
  await db.run(`UPDATE offer SET ${change.sql} WHERE id = ?`, [...change.values, hexKey(before.id)])
  return { ...before, ...part }
}

async function transferName(db: Queries, claim: TransferClaim): Promise<TransferOutcome> {
  const offer = await findOffer(db, claim.offerId)
  if (!offer) return { outcome: 'unknown' }
  const refusal = await refusalOf(db, offer, claim.kernelExcess)
  if (refusal) return refusal
  const { name, seller, buyer, price } = offer
  const { offerId, kernelExcess, kernelHeight, now } = claim
  const transfer: Transfer = { offerId, name, seller, buyer, price, kernelExcess, kernelHeight, claimedAt: now }
  await db.run(MOVE, [hexKey(buyer), now, name])
  await db.run(INSERT_TRANSFER, TRANSFER.values(transfer))
  await changeOffer(db, offer, { status: 'consumed', stateChangedAt: now })
  await armCooldown(db, seller, now, claim.cooldownMs)
  const reason = `offer ${offerId}`
  await note(db, { at: now, actor: 'sale', action: 'release', name, pubkey: seller, reason })
  await note(db, { at: now, actor: 'sale', action: 'transfer', name, pubkey: buyer, reason })
  return { outcome: 'transferred', transfer }
}

async function refusalOf(db: Queries, offer: Offer, excess: string): Promise<TransferOutcome | undefined> {
  const { status, name, seller, buyer } = offer
  if (status === 'consumed') return { outcome: 'consumed' }
  const held = await findActive(db, name)
  if (held?.pubkey !== seller) return { outcome: 'owner-changed' }
  if (held.suspendedAt !== null) return { outcome: 'suspended' }
  if (await isExcessUsed(db, excess)) return { outcome: 'proof-reused' }
  const own = await findOfKey(db, buyer)
  return own && { outcome: 'has-name', name: own.name }
}

const isExcessUsed = async (db: Queries, kernelExcess: string): Promise<boolean> =>
  (await db.get('SELECT 1 FROM transfer WHERE kernel_excess = ?', [excessKey(kernelExcess)])) !== undefined

/** 33 bytes as hex, or null, which equals nothing. */
const excessKey = (excess: string): SqlValue =>
  /^[0-9a-f]{66}$/.test(excess) ? (TRANSFER.change({ kernelExcess: excess }).values[0] ?? null) : null
