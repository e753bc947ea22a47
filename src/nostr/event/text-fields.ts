// Members of an event's text (text.ts), read where they stand: pages of many texts are looked through without taking them apart. Offsets are those
// of a text's first byte in a larger buffer. Plain and flat: this runs for every event of every answer.
import { AUTHOR_AT, ID_AT, TIME_AT } from './text.js'

const KEY = 64
const QUOTE = 34
const COMMA = 44
const CLOSE = 93
const BACKSLASH = 92
const ZERO = 48
const NINE = 57
const LETTER_A = 97
/** `,"kind":` and `,"tags":` are of one length. */
const NEXT_MEMBER = ',"kind":'.length

/** 64 hex. */
export const idAt = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start + ID_AT, start + ID_AT + KEY)
/** As the ids themselves compare: below zero when the first one is lower. */
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

/** Where the tags begin, at their bracket. */
const tagsAt = (bytes: Buffer, start: number): number =>
  afterNumber(bytes, afterNumber(bytes, start + TIME_AT) + NEXT_MEMBER) + NEXT_MEMBER

/** A value as it stands inside a text, one character per byte. */
export const writtenValue = (value: string): string =>
  Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')

/** How a tag of a name begins: the first one of an event, and all others. */
export interface TagHead {
  readonly first: Buffer
  readonly later: Buffer
}

/**
 * With the end of the tag before it a head has eight bytes: shorter ones are looked for byte by byte, and a text full of brackets would be
 * looked through a hundred times as long as others.
 */
export function tagHead(name: string): TagHead {
  const first = `["${name}","`
  return { first: Buffer.from(first), later: Buffer.from(`],${first}`) }
}

/**
 * Whether the text from `start` to `end` has a tag of this head that goes on with one of the values. Exact: inside a text every quote is escaped,
 * so a head stands nowhere else.
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
