// Nostr events (NIP-01): their id and their signature.

import { createHash } from 'node:crypto'
import { fromHex } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { isSignedBy, publicKeyOf, signDigestWith } from '../keys/index.js'

/** A signed event, with the member names of the wire. */
export interface NostrEvent {
  /** 64 lower-case hex, as is `pubkey`. */
  readonly id: string
  readonly pubkey: string
  /** Unix seconds. */
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
  /** 128 lower-case hex. */
  readonly sig: string
}

export type UnsignedEvent = Omit<NostrEvent, 'id' | 'sig'>
export type EventTemplate = Omit<UnsignedEvent, 'pubkey'>

/** SHA-256 of the NIP-01 form: compact JSON of [0, pubkey, created_at, kind, tags, content]. 64 hex. */
export function eventId({ pubkey, created_at, kind, tags, content }: UnsignedEvent): string {
  const form = JSON.stringify([0, pubkey, created_at, kind, tags, content])
  return createHash('sha256').update(form).digest('hex')
}

/** Signs as the owner of `secret`, with fresh auxiliary randomness (BIP-340). */
export const signEvent = (template: EventTemplate, secret: Secret<Uint8Array>, random: RandomBytes): NostrEvent =>
  signWith(random.bytes(32), template, secret)

/** `signEvent` with given auxiliary randomness (32 bytes): for replaying recorded events. */
export function signWith(auxiliary: Uint8Array, template: EventTemplate, secret: Secret<Uint8Array>): NostrEvent {
  const { created_at, kind, tags, content } = template
  const unsigned = { pubkey: publicKeyOf(secret), created_at, kind, tags, content }
  const id = eventId(unsigned)
  return { id, ...unsigned, sig: signDigestWith(auxiliary, fromHex(id, 32), secret) }
}

/** The order of lists: newest first; in the same second, the lower id first (NIP-01). */
export const newestFirst = (a: NostrEvent, b: NostrEvent): number =>
  b.created_at - a.created_at || (a.id < b.id ? -1 : 1)

/** Whether the id is the hash of the event. Takes microseconds; does not check the signature. */
export const hasTrueId = (event: NostrEvent): boolean => event.id === eventId(event)

/** Whether id and signature are valid. Takes about a millisecond. */
export const isGenuine = (event: NostrEvent): boolean =>
  hasTrueId(event) && isSignedBy(event.pubkey, fromHex(event.id, 32), event.sig)
