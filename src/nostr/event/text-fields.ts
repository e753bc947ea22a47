// Reads members of an event's text (text.ts) in place, without parsing it. Offsets are those of a text's first byte in a larger buffer.
// This runs for every event of every query, so the code stays flat.
import { isLowerHex } from '../../lib/bytes.js'
import { AUTHOR_AT, ID_AT, TIME_AT } from './text.js'

const KEY = 64
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
  bytes.toString('latin1', start + ID_AT, start + ID_AT + KEY)
/** Compares ids: below zero if the first one is lower. */
export const compareIds = (a: Buffer, startOfA: number, b: Buffer, startOfB: number): number =>
  a.compare(b, startOfB + ID_AT, startOfB + ID_AT + KEY, startOfA + ID_AT, startOfA + ID_AT + KEY)
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
  bytes.toString('latin1', start + AUTHOR_AT, start + AUTHOR_AT + KEY)

/** Epoch seconds. */
export const createdAt = (bytes: Buffer, start: number): number => numberAt(bytes, start + TIME_AT)

export const kindAt = (bytes: Buffer, start: number): number =>
  numberAt(bytes, afterNumber(bytes, start + TIME_AT) + NEXT_MEMBER)

/** Offset of the bracket that opens the tags. */
const tagsAt = (bytes: Buffer, start: number): number =>
  afterNumber(bytes, afterNumber(bytes, start + TIME_AT) + NEXT_MEMBER) + NEXT_MEMBER

/** A value as written in a text, one character per byte. Ids and keys are written as they are. */
export const writtenValue = (value: string): string =>
  isLowerHex(value, KEY) ? value : Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')

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
