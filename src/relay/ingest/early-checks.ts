// Checks before the signature: the time of an event (specification: relay, 5), and protected events (NIP-70).

import { membersOf, parseJson } from '../../lib/parse-json.js'
import { classOf, type NostrEvent } from '../../nostr/event/index.js'
import type { RelayLimits } from '../settings.js'

export type TimeLimits = Pick<RelayLimits, 'rejectFutureSeconds' | 'rejectPastSeconds'>

/** Ephemeral events only concern current subscriptions. */
const EPHEMERAL_SECONDS = 60
const SECONDS = /^\d{1,15}$/

/** The refusal of an event from a client, by its time; `now` in epoch seconds. */
export function refusalForTime(event: NostrEvent, now: number, limits: TimeLimits): string | undefined {
  const { created_at } = event
  if (created_at > now + limits.rejectFutureSeconds) return 'invalid: created_at too late'
  if (limits.rejectPastSeconds !== undefined && created_at < now - limits.rejectPastSeconds)
    return 'invalid: created_at too early'
  if (created_at < now - EPHEMERAL_SECONDS && classOf(event.kind) === 'ephemeral')
    return 'invalid: ephemeral event expired'
  return refusalForEnd(event, now)
}

/** The refusal of an expired event (NIP-40). Applies to imports too. */
export const refusalForEnd = (event: NostrEvent, now: number): string | undefined =>
  endOf(event) <= now ? 'invalid: event expired' : undefined

/** Epoch seconds of the `expiration` tag; infinite without a valid one. */
function endOf({ tags }: NostrEvent): number {
  for (const [name, value] of tags)
    if (name === 'expiration')
      return value !== undefined && SECONDS.test(value) ? Number(value) : Number.POSITIVE_INFINITY
  return Number.POSITIVE_INFINITY
}

/** Reposts: kinds whose content is another event. */
const REPOSTS: ReadonlySet<number> = new Set([6, 16])

interface Publisher {
  /** Proven keys; 64 hex. */
  readonly keys: readonly string[]
  /** True when clients can authenticate on this relay. */
  readonly canProve: boolean
}

export function refusalForProtected(event: NostrEvent, { keys, canProve }: Publisher): string | undefined {
  if (REPOSTS.has(event.kind) && embedsProtected(event.content))
    return 'blocked: reposts of protected events are not accepted'
  if (!isProtected(event.tags) || keys.includes(event.pubkey)) return undefined
  if (!canProve) return 'blocked: event marked as protected'
  return keys.length === 0
    ? 'auth-required: this event may only be published by its author'
    : 'restricted: this event may only be published by its author'
}

function isProtected(tags: readonly (readonly string[])[]): boolean {
  for (const tag of tags) if (tag[0] === '-') return true
  return false
}

/** A content that is not an event embeds nothing. */
function embedsProtected(content: string): boolean {
  if (!content.includes('"-"') && !content.includes('\\u002d') && !content.includes('\\u002D')) return false
  const { tags } = membersOf(parseJson(content))
  return Array.isArray(tags) && tags.some((tag: unknown) => Array.isArray(tag) && tag[0] === '-')
}
