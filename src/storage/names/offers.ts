// Offers and the sales that come of them.
import type { Offer, OfferStore, Transfer, TransferClaim, TransferOutcome } from '../../authority/index.js'
import { hexKey } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { findActive, findOfKey } from './lookups.js'
import { armCooldown, note } from './rows.js'
import { OFFER, TRANSFER } from './tables.js'

const SELECT = `SELECT ${OFFER.columns} FROM offer`
const INSERT = `INSERT INTO offer (${OFFER.columns}) VALUES (${OFFER.marks})`
const LIVE_OF_NAME =
  "SELECT 1 FROM offer INDEXED BY offer_live_name WHERE status = 'live' AND name = ? AND expiration >= ?"
const LIVE_OF_ADDRESS =
  "SELECT 1 FROM offer INDEXED BY offer_live_address WHERE status = 'live' AND proof_address = ? AND expiration >= ?"
const LAPSED = `${SELECT} INDEXED BY offer_live_end WHERE status = 'live' AND expiration < ? ORDER BY expiration, seq LIMIT ?`
const MOVE = 'UPDATE name SET pubkey = ?, created_at = ? WHERE name = ?'
const INSERT_TRANSFER = `INSERT INTO transfer (${TRANSFER.columns}) VALUES (${TRANSFER.marks})`

/** The verbs on one connection; `write` runs those that change anything. */
export function offerVerbs(db: Sqlite, write: Write): OfferStore {
  return {
    createOffer: (offer) => write(() => lodge(db, offer)),
    offer: async (id) => findOffer(db, id),
    endOffer: (id, end) => write(() => endOffer(db, id, end)),
    lapsedOffers: async (seconds, limit) => db.all(LAPSED, [seconds, limit]).map(OFFER.read),
    async transferOf(offerId) {
      const row = db.get(`SELECT ${TRANSFER.columns} FROM transfer WHERE offer_id = ?`, [hexKey(offerId)])
      return row && TRANSFER.read(row)
    },
    transferName: (claim) => write(() => transferName(db, claim)),
  }
}

function findOffer(db: Sqlite, id: string): Offer | undefined {
  const row = db.get(`${SELECT} WHERE id = ?`, [hexKey(id)])
  return row && OFFER.read(row)
}

function lodge(db: Sqlite, offer: Offer) {
  const held = findActive(db, offer.name)
  if (held?.pubkey !== offer.seller) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  const seconds = Math.floor(offer.createdAt / 1000)
  if (db.get(LIVE_OF_NAME, [offer.name, seconds])) return 'offer-exists'
  if (db.get(LIVE_OF_ADDRESS, [offer.proofAddress, seconds])) return 'offer-ambiguous'
  if (findOffer(db, offer.id)) return 'offer-exists'
  db.run(INSERT, OFFER.values(offer))
  return 'stored'
}

function endOffer(db: Sqlite, id: string, { status, endHeight, now }: Parameters<OfferStore['endOffer']>[1]) {
  const before = findOffer(db, id)
  if (before?.status === 'live') return changeOffer(db, before, { status, endHeight, stateChangedAt: now })
  // When it died, and at which height, stays what was seen first.
  if (before?.status === 'expired' && status === 'revoked') return changeOffer(db, before, { status })
  return before
}

function changeOffer(db: Sqlite, before: Offer, part: Partial<Offer>): Offer {
  const change = OFFER.change(part)
  db.run(`UPDATE offer SET ${change.sql} WHERE id = ?`, [...change.values, hexKey(before.id)])
  return { ...before, ...part }
}

function transferName(db: Sqlite, claim: TransferClaim): TransferOutcome {
  const offer = findOffer(db, claim.offerId)
  if (!offer) return { outcome: 'unknown' }
  const refusal = refusalOf(db, offer, claim.kernelExcess)
  if (refusal) return refusal
  const { name, seller, buyer, price } = offer
  const { offerId, kernelExcess, kernelHeight, now } = claim
  const transfer: Transfer = { offerId, name, seller, buyer, price, kernelExcess, kernelHeight, claimedAt: now }
  db.run(MOVE, [hexKey(buyer), now, name])
  db.run(INSERT_TRANSFER, TRANSFER.values(transfer))
  changeOffer(db, offer, { status: 'consumed', stateChangedAt: now })
  armCooldown(db, seller, now, claim.cooldownMs)
  const reason = `offer ${offerId}`
  note(db, { at: now, actor: 'sale', action: 'release', name, pubkey: seller, reason })
  note(db, { at: now, actor: 'sale', action: 'transfer', name, pubkey: buyer, reason })
  return { outcome: 'transferred', transfer }
}

function refusalOf(db: Sqlite, { status, name, seller, buyer }: Offer, excess: string): TransferOutcome | undefined {
  if (status === 'consumed') return { outcome: 'consumed' }
  const held = findActive(db, name)
  if (held?.pubkey !== seller) return { outcome: 'owner-changed' }
  if (held.suspendedAt !== null) return { outcome: 'suspended' }
  if (isExcessUsed(db, excess)) return { outcome: 'proof-reused' }
  const own = findOfKey(db, buyer)
  return own && { outcome: 'has-name', name: own.name }
}

const isExcessUsed = (db: Sqlite, kernelExcess: string): boolean =>
  db.get('SELECT 1 FROM transfer WHERE kernel_excess = ?', [excessKey(kernelExcess)]) !== undefined

/** 33 bytes as hex, or null, which equals nothing. */
const excessKey = (excess: string): SqlValue =>
  /^[0-9a-f]{66}$/.test(excess) ? (TRANSFER.change({ kernelExcess: excess }).values[0] ?? null) : null
