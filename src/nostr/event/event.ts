// Nostr events (NIP-01): their id and their signature.

import { createHash, hash } from 'node:crypto'
import { fromHex, isLowerHex } from '../../lib/bytes.js'
import { membersOf } from '../../lib/parse-json.js'
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

// The event kinds that a till writes and reads, each with its NIP; and the class of every kind (NIP-01).

/** NIP-59: signed by the author of the message, readable by its receiver only. */
export const SEAL_KIND = 13
/** NIP-17: a private message; never signed, never on a relay by itself. */
export const RUMOR_KIND = 14
/** NIP-59: signed by a throw-away key, addressed to the receiver. */
export const GIFT_WRAP_KIND = 1059
/** NIP-65: the relays where a key reads and writes in public. */
export const PUBLIC_RELAYS_KIND = 10_002
/** NIP-17: the relays where a key reads its gift wraps, and in which encryption. */
export const RELAY_LIST_KIND = 10_050
/** NIP-42: authenticates a client to one relay. */
export const AUTH_KIND = 22_242
/** NIP-98: authenticates an HTTP request. */
export const HTTP_AUTH_KIND = 27_235

export type EventClass = 'regular' | 'replaceable' | 'addressable' | 'ephemeral'

/** Kinds below 10,000 that replace each other: profile, contacts, channel metadata. */
const REPLACEABLE: ReadonlySet<number> = new Set([0, 3, 41])

export function classOf(kind: number): EventClass {
  if (REPLACEABLE.has(kind) || (kind >= 10_000 && kind < 20_000)) return 'replaceable'
  if (kind >= 20_000 && kind < 30_000) return 'ephemeral'
  return kind >= 30_000 && kind < 40_000 ? 'addressable' : 'regular'
}

/** The first `d` value, which identifies an addressable event of a kind and author; empty if there is none. */
export const identifierOf = (tags: readonly (readonly string[])[]): string =>
  tags.find(([name]) => name === 'd')?.[1] ?? ''

// Parses events from the wire, with exact types and bounds, so that later code needs no checks.

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

// The text in which events are stored and sent: compact JSON with members in the order of NIP-01. Id and author have fixed offsets,
// and a stored event is never parsed or serialized again.

/** An event with valid form and id; its signature may be unchecked. */
export interface EventText {
  readonly event: NostrEvent
  /** UTF-8 without line breaks. */
  readonly bytes: Buffer
}

const ID_AT = '{"id":"'.length
const AUTHOR_AT = ID_AT + 64 + '","pubkey":"'.length

/** The text of an event, or undefined if its id is not the hash of the event. Takes microseconds. */
export function eventText(event: NostrEvent): EventText | undefined {
  const { id, pubkey, created_at, kind, sig } = event
  const [tags, content] = [JSON.stringify(event.tags), JSON.stringify(event.content)]
  const form = `[0,"${pubkey}",${created_at},${kind},${tags},${content}]`
  if (hash('sha256', form, 'hex') !== id) return undefined
  const text = `{"id":"${id}","pubkey":"${pubkey}","created_at":${created_at},"kind":${kind},"tags":${tags},"content":${content},"sig":"${sig}"}`
  return { event, bytes: Buffer.from(text) }
}

const TIME_AT = AUTHOR_AT + 64 + '","created_at":'.length
/**
 * Whether bytes made by `eventText` have the tag [name, value, …]. Exact: quotes inside JSON strings are escaped, so the pattern
 * occurs only in tags.
 */
export const textHasTag = (bytes: Buffer, name: string, value: string): boolean => {
  const head = `[${JSON.stringify(name)},${JSON.stringify(value)}`
  return bytes.includes(`${head},`) || bytes.includes(`${head}]`)
}

/** Bytes for each string of a tag: the string, its array element, and its index key. Two thousand tags fit into 14 kB of text. */
const MEMBER_BYTES = 150

/** Approximate memory of a parsed event, in bytes. */
export function weightOf({ event, bytes }: EventText): number {
  let members = 0
  for (const tag of event.tags) members += Math.max(1, tag.length) // an empty tag takes memory too
  return bytes.length + MEMBER_BYTES * members
}

// Reads members of such a text in place, without parsing it. Offsets are those of a text's first byte in a larger buffer.
// This runs for every event of every query, so the code stays flat.

/** Of an id or key. */
const DIGITS = 64
const QUOTE = 34
const COMMA = 44
const CLOSE = 93
const BACKSLASH = 92
const ZERO = 48
const NINE = 57
const LETTER_A = 97
/** `,"kind":` and `,"tags":` have the same length. */
const NEXT_MEMBER = ',"kind":'.length

/** 64 hex. */
export const idAt = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start + ID_AT, start + ID_AT + DIGITS)
/** The ids of texts that follow each other, a line break between them; `ends`: where each one ends. */
export function idsIn({
  bytes,
  ends,
}: {
  readonly bytes: Buffer
  readonly ends: readonly number[]
}): readonly string[] {
  let start = 0
  return ends.map((end) => {
    const id = idAt(bytes, start)
    start = end + 1
    return id
  })
}
/** Compares ids: below zero if the first one is lower. */
export const compareIds = (a: Buffer, startOfA: number, b: Buffer, startOfB: number): number =>
  a.compare(b, startOfB + ID_AT, startOfB + ID_AT + DIGITS, startOfA + ID_AT, startOfA + ID_AT + DIGITS)
/** The first 16 bits of the id. */
export function idStartAt(bytes: Buffer, start: number): number {
  let value = 0
  for (let i = start + ID_AT; i < start + ID_AT + 4; i++) {
    const digit = bytes[i] ?? ZERO
    value = value * 16 + (digit <= NINE ? digit - ZERO : digit - LETTER_A + 10)
  }
  return value
}
/** 64 hex. */
export const authorAt = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start + AUTHOR_AT, start + AUTHOR_AT + DIGITS)

/** Epoch seconds. */
export const createdAt = (bytes: Buffer, start: number): number => numberAt(bytes, start + TIME_AT)

export const kindAt = (bytes: Buffer, start: number): number =>
  numberAt(bytes, afterNumber(bytes, start + TIME_AT) + NEXT_MEMBER)

/** Offset of the bracket that opens the tags. */
const tagsAt = (bytes: Buffer, start: number): number =>
  afterNumber(bytes, afterNumber(bytes, start + TIME_AT) + NEXT_MEMBER) + NEXT_MEMBER

/** A value as written in a text, one character per byte. Ids and keys are written as they are. */
export const writtenValue = (value: string): string =>
  isLowerHex(value, DIGITS) ? value : Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')

/** The start of a tag with a name: as the first tag of an event, and as a later one. */
export interface TagHead {
  readonly first: Buffer
  readonly later: Buffer
}

/**
 * Includes the end of the tag before, so that a head has eight bytes. The search for a shorter pattern goes byte by byte, and takes a
 * hundred times as long in a text full of brackets.
 */
export function tagHead(name: string): TagHead {
  const first = `["${name}","`
  return { first: Buffer.from(first), later: Buffer.from(`],${first}`) }
}

/**
 * Whether the text from `start` to `end` has a tag of this head with one of the values. Exact: quotes inside JSON strings are escaped,
 * so a head occurs only in tags.
 */
export function hasTagAt(
  bytes: Buffer,
  start: number,
  end: number,
  { first, later }: TagHead,
  values: ReadonlySet<string>,
): boolean {
  const tags = tagsAt(bytes, start) + 1
  if (standsAt(bytes, tags, first) && hasValue(bytes, tags + first.length, values)) return true
  const rest = bytes.subarray(tags, end)
  for (let at = rest.indexOf(later); at >= 0; at = rest.indexOf(later, at + later.length))
    if (hasValue(rest, at + later.length, values)) return true
  return false
}

function standsAt(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) if (bytes[at + i] !== what[i]) return false
  return true
}

function hasValue(bytes: Buffer, at: number, values: ReadonlySet<string>): boolean {
  let end = at
  while (bytes[end] !== QUOTE && end < bytes.length) end += bytes[end] === BACKSLASH ? 2 : 1
  const next = bytes[end + 1]
  return (next === COMMA || next === CLOSE) && values.has(bytes.toString('latin1', at, end))
}

function numberAt(bytes: Buffer, at: number): number {
  let value = 0
  for (let i = at; ; i++) {
    const digit = bytes[i] ?? 0
    if (digit < ZERO || digit > NINE) return value
    value = value * 10 + digit - ZERO
  }
}

function afterNumber(bytes: Buffer, at: number): number {
  let end = at
  for (let digit = bytes[end] ?? 0; digit >= ZERO && digit <= NINE; digit = bytes[end] ?? 0) end++
  return end
}
