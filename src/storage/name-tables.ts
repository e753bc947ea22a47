// How the name authority's values lie in their tables (see migrations/names-001.ts for the columns).
import { z } from 'zod'
import type { ActiveName, AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../authority/index.js'
import { amount, createTable, hex, integer, json, nullable, text, word } from './columns.js'

const EVENT = z.object({
  id: z.string(),
  pubkey: z.string(),
  created_at: z.number(),
  kind: z.number(),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: z.string(),
})
const event = json<Offer['event']>(
  (value) => value,
  (read) => EVENT.parse(read),
)

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
  resource: ['resource', word('name', 'write')],
  serial: ['serial', integer],
  invoiceId: ['invoice_id', text],
  payUrl: ['pay_url', text],
  amount: ['amount', amount],
  status: ['status', word('pending', 'paid')],
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
  status: ['status', word('live', 'consumed', 'revoked', 'expired')],
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
  actor: ['actor', word('holder', 'sale', 'operator', 'import')],
  action: [
    'action',
    word(
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
    ),
  ],
  name: ['name', nullable(text)],
  pubkey: ['pubkey', nullable(hex)],
  reason: ['reason', nullable(text)],
})
