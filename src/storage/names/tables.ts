// How the name authority's values lie in their tables (see migrations/names-001.ts for the columns).
import type { ActiveName, AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../../authority/index.js'
import { ACTORS, AUDIT_ACTIONS, GRANT_STATUSES, OFFER_STATUSES, RESOURCES } from '../../authority/model.js'
import { membersOf } from '../../lib/parse-json.js'
import { amount, createTable, hex, integer, json, nullable, text, word } from '../sqlite/columns.js'

const isText = (value: unknown): boolean => typeof value === 'string'
const isTag = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function isEvent(value: unknown): value is Offer['event'] {
  const { id, pubkey, created_at, kind, tags, content, sig } = membersOf(value)
  const areNumbers = Number.isInteger(created_at) && Number.isInteger(kind)
  return areNumbers && [id, pubkey, content, sig].every(isText) && Array.isArray(tags) && tags.every(isTag)
}

/** Throws TypeError for what has not the members of an event. */
export function readEvent(read: unknown): Offer['event'] {
  if (!isEvent(read)) throw new TypeError('not an event')
  return read
}

const event = json<Offer['event']>((value) => value, readEvent)

export const ACTIVE = createTable<ActiveName>({
  name: ['name', text],
  pubkey: ['pubkey', hex],
  createdAt: ['created_at', integer],
  suspendedAt: ['suspended_at', nullable(integer)],
})

export const NAME = createTable<NameRecord>({
  name: ['name', text],
  pubkey: ['pubkey', hex],
  createdAt: ['created_at', integer],
  releasedAt: ['released_at', nullable(integer)],
  suspendedAt: ['suspended_at', nullable(integer)],
})

export const RESERVED = createTable<ReservedName>({
  name: ['name', text],
  reason: ['reason', text],
  createdAt: ['created_at', integer],
})

export const GRANT = createTable<Grant>({
  pubkey: ['pubkey', hex],
  resource: ['resource', word(...RESOURCES)],
  serial: ['serial', integer],
  invoiceId: ['invoice_id', text],
  payUrl: ['pay_url', text],
  amount: ['amount', amount],
  status: ['status', word(...GRANT_STATUSES)],
  createdAt: ['created_at', integer],
  paidAt: ['paid_at', nullable(integer)],
})

export const OFFER = createTable<Offer>({
  id: ['id', hex],
  event: ['event', event],
  name: ['name', text],
  seller: ['seller', hex],
  buyer: ['buyer', hex],
  price: ['price', amount],
  proofAddress: ['proof_address', text],
  expiration: ['expiration', integer],
  status: ['status', word(...OFFER_STATUSES)],
  endHeight: ['end_height', nullable(integer)],
  stateChangedAt: ['state_changed_at', integer],
  createdAt: ['created_at', integer],
})

export const TRANSFER = createTable<Transfer>({
  offerId: ['offer_id', hex],
  name: ['name', text],
  seller: ['seller', hex],
  buyer: ['buyer', hex],
  price: ['price', amount],
  kernelExcess: ['kernel_excess', hex],
  kernelHeight: ['kernel_height', integer],
  claimedAt: ['claimed_at', integer],
})

export const AUDIT = createTable<AuditEntry>({
  id: ['seq', integer],
  at: ['at', integer],
  actor: ['actor', word(...ACTORS)],
  action: ['action', word(...AUDIT_ACTIONS)],
  name: ['name', nullable(text)],
  pubkey: ['pubkey', nullable(hex)],
  reason: ['reason', nullable(text)],
})

/** Until when a key may not claim another name. */
export interface Cooldown {
  readonly pubkey: string
  readonly until: number
}

export const COOLDOWN = createTable<Cooldown>({
  pubkey: ['pubkey', hex],
  until: ['until', integer],
})

/** The highest serial of a key's invoices. */
export interface GrantSerial {
  readonly pubkey: string
  readonly resource: Grant['resource']
  readonly serial: number
}

export const GRANT_SERIAL = createTable<GrantSerial>({
  pubkey: ['pubkey', hex],
  resource: ['resource', word(...RESOURCES)],
  serial: ['serial', integer],
})

/** An invoice whose grant is gone. */
export interface PastGrant {
  readonly invoiceId: string
}

export const PAST_GRANT = createTable<PastGrant>({ invoiceId: ['invoice_id', text] })
