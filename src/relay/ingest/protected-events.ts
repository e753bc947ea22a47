// Protected events (NIP-70): only their author, proven by NIP-42, may bring them here.

import { membersOf, parseJson } from '../../lib/parse-json.js'
import type { NostrEvent } from '../../nostr/event/index.js'

/** Kinds that carry another event as their content. */
const REPOSTS: ReadonlySet<number> = new Set([6, 16])

export interface Publisher {
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
