// JSON for money: keeps every number that a double would change, and refuses what two readers could understand
// differently (a member twice, ill-formed text).
import { causedBy } from '../lib/errors.js'
import { badJson } from './errors.js'

const RAW = Symbol('raw number')

/** A number that is not an exactly held whole number (`1e3`, `1.0`, `-0`, 2^53 and above): its text as it was sent. */
export interface RawNumber {
  readonly [RAW]: string
}
export type Json = null | boolean | string | number | RawNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json
}

/** Whether a value is a number that only its text describes. */
export const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && RAW in value

/** The number as it was sent. */
export const rawText = (value: RawNumber): string => value[RAW]

const MAX_DEPTH = 32
const WHOLE = /^(?:0|-?[1-9]\d*)$/
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy
const STRING = /"(?:[^"\\]|\\.)*"/sy // what it may hold is checked by JSON.parse
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** The text, and how far it is read. */
interface Cursor {
  readonly source: string
  at: number
}

/** Reads one JSON value from UTF-8 bytes. Objects have no prototype. Throws INVALID_JSON. */
export function readJson(bytes: Uint8Array): Json {
  const cursor = { source: decode(bytes), at: 0 }
  const value = readValue(cursor, 0)
  if (next(cursor) !== '') fail(cursor, 'the end')
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw causedBy(badJson('it is not UTF-8'), cause)
  }
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.source)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

/** The next character that is no space, '' at the end; it stays unread. */
function next(cursor: Cursor): string {
  match(cursor, SPACE)
  return cursor.source.charAt(cursor.at)
}

function fail({ source, at }: Cursor, wanted: string): never {
  throw badJson(at >= source.length ? `it ends where ${wanted} should be` : `${wanted} expected at character ${at}`)
}

function readValue(cursor: Cursor, depth: number): Json {
  if (depth > MAX_DEPTH) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`)
  const first = next(cursor)
  if (first === '{') return readObject(cursor, depth + 1)
  if (first === '[') return readArray(cursor, depth + 1)
  if (first === '"') return readString(cursor)
  const word = WORDS.find(([text]) => cursor.source.startsWith(text, cursor.at))
  if (!word) return readNumber(cursor)
  cursor.at += word[0].length
  return word[1]
}

function readNumber(cursor: Cursor): Json {
  const text = match(cursor, NUMBER) ?? fail(cursor, 'a value')
  const value = Number(text)
  return WHOLE.test(text) && Number.isSafeInteger(value) ? value : { [RAW]: text }
}

function readString(cursor: Cursor): string {
  const plain = match(cursor, PLAIN_STRING)
  if (plain !== undefined) return plain.slice(1, -1)
  return readEscapes(match(cursor, STRING) ?? fail(cursor, 'a string'), cursor.at)
}

/** A lone surrogate has no UTF-8 form: it would change on its way through the store. */
function readEscapes(quoted: string, at: number): string {
  try {
    const text: unknown = JSON.parse(quoted)
    if (typeof text === 'string' && !/\p{Surrogate}/u.test(text)) return text
  } catch {
    // falls through to the same refusal: an escape that JSON does not have
  }
  throw badJson(`a string with a bad escape ends at character ${at}`)
}

function readArray(cursor: Cursor, depth: number): Json {
  const items: Json[] = []
  cursor.at += 1
  if (next(cursor) === ']') cursor.at += 1
  else
    do items.push(readValue(cursor, depth))
    while (separated(cursor, ']'))
  return items
}

function readObject(cursor: Cursor, depth: number): Json {
  const members: Record<string, Json> = Object.create(null)
  cursor.at += 1
  if (next(cursor) === '}') cursor.at += 1
  else
    do readMember(cursor, members, depth)
    while (separated(cursor, '}'))
  return members
}

function readMember(cursor: Cursor, members: Record<string, Json>, depth: number): void {
  next(cursor)
  const name = readString(cursor)
  if (name in members) throw badJson(`the member "${name.slice(0, 40)}" is there twice`)
  if (next(cursor) !== ':') fail(cursor, '":"')
  cursor.at += 1
  members[name] = readValue(cursor, depth)
}

/** True after a comma, false after the closing bracket. */
function separated(cursor: Cursor, close: string): boolean {
  const mark = next(cursor)
  if (mark !== ',' && mark !== close) fail(cursor, `"," or "${close}"`)
  cursor.at += 1
  return mark === ','
}
