// When an event may come (specification: relay, 5): not from far ahead, not from long ago, not after its own end.

import { membersOf, parseJson } from '../../lib/parse-json.js'
import { classOf, type NostrEvent } from '../../nostr/event/index.js'
import type { RelayLimits } from '../settings.js'

export type TimeLimits = Pick<RelayLimits, 'rejectFutureSeconds' | 'rejectPastSeconds'>

/** Ephemeral events are for those who listen now. */
const EPHEMERAL_SECONDS = 60
const SECONDS = /^\d{1,15}$/

/** What speaks against an event that comes from a client now; `now` in epoch seconds. */
export function refusalForTime(event: NostrEvent, now: number, limits: TimeLimits): string | undefined {
  const { created_at } = event
  if (created_at > now + limits.rejectFutureSeconds) return 'invalid: created_at too late'
  if (created_at < now - limits.rejectPastSeconds) return 'invalid: created_at too early'
  if (created_at < now - EPHEMERAL_SECONDS && classOf(event.kind) === 'ephemeral')
    return 'invalid: ephemeral event expired'
  return refusalForEnd(event, now)
}

/** NIP-40: also what is imported is not kept after its end. */
export const refusalForEnd = (event: NostrEvent, now: number): string | undefined =>
  endOf(event) <= now ? 'invalid: event expired' : undefined

/** Epoch seconds of the `expiration` tag; infinite without one that can be read. */
function endOf({ tags }: NostrEvent): number {
  for (const [name, value] of tags)
    if (name === 'expiration')
      return value !== undefined && SECONDS.test(value) ? Number(value) : Number.POSITIVE_INFINITY
  return Number.POSITIVE_INFINITY
}

/** Kinds that carry another event as their content. */
const REPOSTS: ReadonlySet<number> = new Set([6, 16])

interface Publisher {
  /** Proven keys; 64 hex. */
  readonly keys: readonly string[]
  /** Whether this relay lets clients prove keys. */
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

/** Contents that are no event embed nothing. */
function embedsProtected(content: string): boolean {
  if (!content.includes('"-"') && !content.includes('\\u002d') && !content.includes('\\u002D')) return false
  const { tags } = membersOf(parseJson(content))
  return Array.isArray(tags) && tags.some((tag: unknown) => Array.isArray(tag) && tag[0] === '-')
}
