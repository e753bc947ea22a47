// Parses events from the wire, with exact types and bounds, so that later code needs no checks.
import { membersOf } from '../../lib/parse-json.js'
import type { NostrEvent, UnsignedEvent } from './event.js'

const MAX_TAGS = 2000
/** Maximum characters of all tag members together, and of the content. A relay limits an event to 128 KiB. */
const MAX_TAG_TEXT = 131_072
const MAX_CONTENT = 131_072
const MAX_KIND = 65_535
const MAX_TIME = 2 ** 53 - 1

const KEY = /^[0-9a-f]{64}$/
const SIGNATURE = /^[0-9a-f]{128}$/
/** Half a surrogate pair has no UTF-8 form, and therefore no id. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Copies the known members of an event from parsed JSON. Undefined if a member is missing, of another type or out of bounds.
 * Checks only the form of id and signature.
 */
export function parseEvent(value: unknown): NostrEvent | undefined {
  const unsigned = parseUnsigned(value)
  const { id, sig } = membersOf(value)
  if (!unsigned || !matches(KEY, id) || !matches(SIGNATURE, sig)) return undefined
  return { id, ...unsigned, sig }
}

/** The members of an unsigned event, checked like `parseEvent`; ignores id and signature. */
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

/** Every member counts one extra character, because empty members also take memory. */
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
