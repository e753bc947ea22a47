// The index columns of an event, computed once per event.
import type { NostrEvent } from '../../../nostr/event/index.js'
import { addressText } from '../write/deletions.js'
import { addressHash, placeInTime, prefixOf, tagHash } from './key-numbers.js'

/** The columns of an event's index rows, without `seq`. */
export interface IndexKeys {
  /** For `by_id`: prefix of the id. */
  readonly prefix: number
  readonly place: number
  readonly kind: number
  /** Prefix of the author's key. */
  readonly author: number
  /** For `by_tag`: hashes of the first values of single-letter tags, each once. */
  readonly tags: readonly number[]
  /** For `by_address`; undefined for events that are not replaceable. */
  readonly address: number | undefined
  /** NIP-40, epoch seconds; undefined: never. */
  readonly expires: number | undefined
}

const MAX_EXPIRY = 2 ** 47

export function indexKeysOf(event: NostrEvent): IndexKeys {
  const { kind, pubkey } = event
  const text = addressText(event)
  return {
    prefix: prefixOf(event.id),
    place: placeInTime(event.created_at, event.id),
    kind,
    author: prefixOf(pubkey),
    tags: tagHashes(event.tags),
    address: text === undefined ? undefined : addressHash(text),
    expires: expiryOf(event.tags),
  }
}

function tagHashes(tags: NostrEvent['tags']): readonly number[] {
  const hashes: number[] = []
  for (const [name, value] of tags) {
    if (name === undefined || value === undefined || !isLetter(name)) continue
    hashes.push(tagHash(name, value))
  }
  return hashes.length > 1 ? [...new Set(hashes)] : hashes
}

function isLetter(name: string): boolean {
  if (name.length !== 1) return false
  const code = name.charCodeAt(0) | 32
  return code >= 97 && code <= 122
}

/** The first valid `expiration`, in seconds. */
function expiryOf(tags: NostrEvent['tags']): number | undefined {
  for (const [name, value] of tags)
    if (name === 'expiration' && value !== undefined && /^\d{1,15}$/.test(value))
      return Math.min(Number(value), MAX_EXPIRY)
  return undefined
}
