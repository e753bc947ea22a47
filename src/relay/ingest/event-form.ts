// Validates untrusted events: exact types first, then size limits. The first violation is the answer.
import { isLowerHex } from '../../lib/bytes.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import type { RelayLimits } from '../settings.js'

declare global {
  interface String {
    /** True when the text has no lone surrogate (ES2024). A text with one has no UTF-8 form, so no id either. */
    isWellFormed(): boolean
  }
}

export type FormLimits = Pick<RelayLimits, 'maxTags' | 'maxTagValueBytes' | 'maxContentLength'>
type Members = Readonly<Record<keyof NostrEvent, unknown>>

const MAX_KIND = 65_535
/** The latest time that the indexes can represent, in the year 2106. */
const MAX_TIME = 2 ** 32 - 1
const KEY_DIGITS = 64
const SIGNATURE_DIGITS = 128
/** UTF-8 takes at most three bytes per UTF-16 unit. */
const MOST_BYTES = 3

/** The id in parsed JSON, for an answer to a value that may not be an event. */
export function idOf(value: unknown): string {
  const id = isObject(value) ? value.id : undefined
  return typeof id === 'string' && id.length <= 64 ? id : '?'
}

/** Returns a copy of a valid event (NIP-01) within the limits, or the text of the first violation. Does not check id and signature. */
export function eventOf(value: unknown, limits: FormLimits): NostrEvent | string {
  if (!isObject(value)) return 'invalid: an event is an object'
  const { id, pubkey, created_at, kind, tags, content, sig } = value
  if (!isLowerHex(id, KEY_DIGITS)) return 'invalid: id is not 64 lower-case hex characters'
  if (!isLowerHex(pubkey, KEY_DIGITS)) return 'invalid: pubkey is not 64 lower-case hex characters'
  if (!isInteger(created_at, MAX_TIME)) return 'invalid: created_at is not a number of seconds'
  if (!isInteger(kind, MAX_KIND)) return 'invalid: kind is not an integer from 0 to 65535'
  if (typeof content !== 'string' || !content.isWellFormed()) return 'invalid: content is not a text'
  if (!Array.isArray(tags)) return 'invalid: tags are not a list'
  if (!isLowerHex(sig, SIGNATURE_DIGITS)) return 'invalid: sig is not 128 lower-case hex characters'
  if (isLonger(content, limits.maxContentLength)) return 'invalid: content too large'
  const problem = problemOfTags(tags, limits)
  return problem ?? { id, pubkey, created_at, kind, tags, content, sig }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isInteger = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** Counts Unicode characters, as NIP-11 requires. */
const isLonger = (text: string, max: number): boolean => text.length > max && Array.from(text).length > max

/** Empty tags are accepted: NIP-01 has no name for them, but clients send them, and they match no filter. */
function problemOfTags(tags: readonly unknown[], limits: FormLimits): string | undefined {
  if (tags.length > limits.maxTags) return 'invalid: too many tags'
  for (const tag of tags) {
    if (!Array.isArray(tag)) return 'invalid: a tag is a list of texts'
    for (const member of tag)
      if (typeof member !== 'string' || !member.isWellFormed()) return 'invalid: a tag is a list of texts'
    if (tag.length > 1 && tag[0].length === 1 && hasMoreBytes(tag[1], limits.maxTagValueBytes))
      return 'invalid: tag value too large'
  }
  return undefined
}

const hasMoreBytes = (text: string, max: number): boolean =>
  text.length * MOST_BYTES > max && Buffer.byteLength(text) > max
