// Users with their keys, and webhook events, of the till before this one.
import { deriveChild, endpubContext } from '../../nostr/keys/index.js'
import type { Delivery, DeliveryState } from '../model.js'
import {
  countOf,
  hexOf,
  type LegacyRow,
  RowProblem,
  textOf,
  textOrNull,
  timeOf,
  timeOrNull,
  wholeOrNull,
  wordOf,
} from './cells.js'
import type { MovedUser, MovingParts } from './parts.js'

const USER_ID = /^[A-Za-z0-9._-]{1,64}$/
const MAX_ATTEMPTS = 12
const TYPES = ['payment.received', 'payment.confirmed'] as const

/** `endpubs`: the rows of this user's keys. */
export function readUser({ cells }: LegacyRow, endpubs: readonly LegacyRow[], parts: MovingParts): MovedUser {
  const id = textOf(cells, 'id', USER_ID)
  const epoch = countOf(cells, 'epoch')
  const createdAt = timeOf(cells, 'created_at')
  const keys = endpubs.map((row) => keyOf(row, id, parts)).sort((a, b) => a.epoch - b.epoch)
  const current = keys.find((key) => key.epoch === epoch)
  if (!current) throw new RowProblem(`there is no key of its epoch ${epoch}`)
  const rotateInterval = wholeOrNull(cells, 'rotate_interval')
  return {
    id,
    epoch,
    pubkey: current.pubkey,
    rotateInterval: rotateInterval === null ? null : countOf(cells, 'rotate_interval'),
    rotatedAt: timeOrNull(cells, 'last_rotated_at') ?? createdAt,
    createdAt,
    keys,
  }
}

function keyOf({ cells }: LegacyRow, id: string, { identity }: MovingParts): MovedUser['keys'][number] {
  const epoch = countOf(cells, 'epoch')
  const pubkey = hexOf(cells, 'pubkey', 64)
  if (deriveChild(identity, endpubContext(id, epoch)).pubkey !== pubkey)
    throw new RowProblem('its key is not of this till: take over the Nostr identity of the old till first')
  return { epoch, pubkey, rotatedAt: timeOf(cells, 'created_at') }
}

/** The body stays byte for byte: it is what was, or will be, signed and sent. */
export function readDelivery({ cells }: LegacyRow, now: number): Delivery {
  const attempts = countOf(cells, 'attempts')
  const state = stateOf(countOf(cells, 'delivered') > 0, attempts)
  const body = textOf(cells, 'body')
  return {
    eventId: hexOf(cells, 'id', 32),
    receiver: 1,
    type: wordOf(cells, 'event_type', TYPES),
    invoiceId: invoiceIn(body),
    paymentId: textOrNull(cells, 'payment_id'),
    body,
    createdAt: timeOf(cells, 'created_at'),
    state,
    attempts,
    nextAttemptAt: state === 'pending' ? (timeOrNull(cells, 'next_attempt_at') ?? now) : null,
    lastError: textOrNull(cells, 'last_error'),
  }
}

function stateOf(delivered: boolean, attempts: number): DeliveryState {
  if (delivered) return 'delivered'
  return attempts >= MAX_ATTEMPTS ? 'abandoned' : 'pending'
}

function invoiceIn(body: string): string | null {
  try {
    const { invoice_id } = JSON.parse(body) as { invoice_id?: unknown }
    return typeof invoice_id === 'string' ? invoice_id : null
  } catch {
    throw new RowProblem('body is no JSON')
  }
}
