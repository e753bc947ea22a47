// How the name authority's values are stored in their tables (columns: migrations/names.ts).
import type { ActiveName, AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../../authority/index.js'
import { ACTORS, AUDIT_ACTIONS, GRANT_STATUSES, OFFER_STATUSES, RESOURCES } from '../../authority/model.js'
import { membersOf } from '../../lib/parse-json.js'
import { amountCell, createTable, hexCell, integerCell, json, nullable, textCell, wordCell } from '../sqlite/columns.js'

const isText = (value: unknown): boolean => typeof value === 'string'
const isTag = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function isEvent(value: unknown): value is Offer['event'] {
  const { id, pubkey, created_at, kind, tags, content, sig } = membersOf(value)
  const areNumbers = Number.isInteger(created_at) && Number.isInteger(kind)
  return areNumbers && [id, pubkey, content, sig].every(isText) && Array.isArray(tags) && tags.every(isTag)
}

/** Throws TypeError for what has not the members of an event. */
export function offerEventOf(read: unknown): Offer['event'] {
  if (!isEvent(read)) throw new TypeError('not an event')
  return read
}

const event = json<Offer['event']>((value) => value, offerEventOf)

export const ACTIVE = createTable<ActiveName>({
  name: ['name', textCell],
  pubkey: ['pubkey', hexCell],
  createdAt: ['created_at', integerCell],
  suspendedAt: ['suspended_at', nullable(integerCell)],
})

export const NAME = createTable<NameRecord>({
  name: ['name', textCell],
  pubkey: ['pubkey', hexCell],
  createdAt: ['created_at', integerCell],
  releasedAt: ['released_at', nullable(integerCell)],
  suspendedAt: ['suspended_at', nullable(integerCell)],
})

export const RESERVED = createTable<ReservedName>({
  name: ['name', textCell],
  reason: ['reason', textCell],
  createdAt: ['created_at', integerCell],
})

export const GRANT = createTable<Grant>({
  pubkey: ['pubkey', hexCell],
  resource: ['resource', wordCell(...RESOURCES)],
  serial: ['serial', integerCell],
  invoiceId: ['invoice_id', textCell],
  payUrl: ['pay_url', textCell],
  amount: ['amount', amountCell],
  status: ['status', wordCell(...GRANT_STATUSES)],
  createdAt: ['created_at', integerCell],
  paidAt: ['paid_at', nullable(integerCell)],
})

export const OFFER = createTable<Offer>({
  id: ['id', hexCell],
  event: ['event', event],
  name: ['name', textCell],
  seller: ['seller', hexCell],
  buyer: ['buyer', hexCell],
  price: ['price', amountCell],
  proofAddress: ['proof_address', textCell],
  expiration: ['expiration', integerCell],
  status: ['status', wordCell(...OFFER_STATUSES)],
  endHeight: ['end_height', nullable(integerCell)],
  stateChangedAt: ['state_changed_at', integerCell],
  createdAt: ['created_at', integerCell],
})

export const TRANSFER = createTable<Transfer>({
  offerId: ['offer_id', hexCell],
  name: ['name', textCell],
  seller: ['seller', hexCell],
  buyer: ['buyer', hexCell],
  price: ['price', amountCell],
  kernelExcess: ['kernel_excess', hexCell],
  kernelHeight: ['kernel_height', integerCell],
  claimedAt: ['claimed_at', integerCell],
})

export const AUDIT = createTable<AuditEntry>({
  id: ['seq', integerCell],
  at: ['at', integerCell],
  actor: ['actor', wordCell(...ACTORS)],
  action: ['action', wordCell(...AUDIT_ACTIONS)],
  name: ['name', nullable(textCell)],
  pubkey: ['pubkey', nullable(hexCell)],
  reason: ['reason', nullable(textCell)],
})

/** Until when a key may not claim another name. */
export interface Cooldown {
  readonly pubkey: string
  readonly until: number
}

export const COOLDOWN = createTable<Cooldown>({
  pubkey: ['pubkey', hexCell],
  until: ['until', integerCell],
})

/** The highest serial of a key's invoices. */
export interface GrantSerial {
  readonly pubkey: string
  readonly resource: Grant['resource']
  readonly serial: number
}

export const GRANT_SERIAL = createTable<GrantSerial>({
  pubkey: ['pubkey', hexCell],
  resource: ['resource', wordCell(...RESOURCES)],
  serial: ['serial', integerCell],
})

/** An invoice whose grant was used or removed. */
export interface PastGrant {
  readonly invoiceId: string
}

export const PAST_GRANT = createTable<PastGrant>({ invoiceId: ['invoice_id', textCell] })
