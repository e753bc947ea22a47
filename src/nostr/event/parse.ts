// Events from the wire: exact types and bounds, so that nothing behind this needs to ask again.
import { membersOf } from '../../lib/parse-json.js'
import type { NostrEvent, UnsignedEvent } from './event.js'

const MAX_TAGS = 2000
/** Characters of all tag members together, and of the content. A relay's ceiling for an event is 128 KiB. */
const MAX_TAG_TEXT = 131_072
const MAX_CONTENT = 131_072
const MAX_KIND = 65_535
const MAX_TIME = 2 ** 53 - 1

const KEY = /^[0-9a-f]{64}$/
const SIGNATURE = /^[0-9a-f]{128}$/
/** Half a surrogate pair: has no UTF-8 form, so no id either. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * An event out of parsed JSON, copied member by member (unknown members are dropped), or undefined when a member is missing, of
 * another type or out of bounds. Id and signature have the right form and are not checked.
 */
export function parseEvent(value: unknown): NostrEvent | undefined {
  const unsigned = parseUnsigned(value)
  const { id, sig } = membersOf(value)
  if (!unsigned || !matches(KEY, id) || !matches(SIGNATURE, sig)) return undefined
  return { id, ...unsigned, sig }
}

/** The members that the author decides, checked like `parseEvent`; id and signature, if any, are ignored. */
export function parseUnsigned(value: unknown): UnsignedEvent | undefined {
  const { pubkey, created_at, kind, tags, content } = membersOf(value)
  if (!matches(KEY, pubkey) || !isInteger(created_at, MAX_TIME) || !isInteger(kind, MAX_KIND)) return undefined
  if (!isText(content, MAX_CONTENT) || !isTags(tags)) return undefined
  return { pubkey, created_at, kind, tags, content }
}

const matches = (form: RegExp, value: unknown): value is string => typeof value === 'string' && form.test(value)

const isInteger = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !LONE_SURROGATE.test(value)

/** Every member counts one character more than it has: empty ones take room too. */
function isTags(value: unknown): value is string[][] {
  if (!Array.isArray(value) || value.length > MAX_TAGS) return false
  let room = MAX_TAG_TEXT
  for (const tag of value as unknown[]) {
    if (!Array.isArray(tag)) return false
    for (const member of tag as unknown[]) {
      if (!isText(member, room - 1)) return false
      room -= member.length + 1
    }
  }
  return true
}
