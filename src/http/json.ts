// JSON for money: the reader keeps every number that a double would change, and refuses what two readers could
// understand differently (a member twice, ill-formed text); the printer writes bigints as plain digits.
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

/** Whether a value is a number that only its text describes. */
export const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && RAW in value

/** Reads one JSON value from UTF-8 bytes. Objects have no prototype. Throws INVALID_JSON. */
export function readJson(bytes: Uint8Array): Json {
  const source = decode(bytes)
  let at = 0

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(source)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const fail = (wanted: string): never => {
    throw badJson(at >= source.length ? `it ends where ${wanted} should be` : `${wanted} expected at character ${at}`)
  }
  const next = (): string => {
    match(SPACE)
    return source.charAt(at)
  }

  function readString(): string {
    const plain = match(PLAIN_STRING)
    if (plain !== undefined) return plain.slice(1, -1)
    const quoted = match(STRING) ?? fail('a string')
    return readEscapes(quoted, at)
  }

  function readNumber(): Json {
    const text = match(NUMBER) ?? fail('a value')
    const value = Number(text)
    return WHOLE.test(text) && Number.isSafeInteger(value) ? value : { [RAW]: text }
  }

  function readArray(depth: number): Json {
    const items: Json[] = []
    at += 1
    if (next() === ']') at += 1
    else
      do items.push(readValue(depth))
      while (separated(']'))
    return items
  }

  function readObject(depth: number): Json {
    const members: Record<string, Json> = Object.create(null)
    at += 1
    if (next() === '}') at += 1
    else
      do readMember(members, depth)
      while (separated('}'))
    return members
  }

  function readMember(members: Record<string, Json>, depth: number): void {
    next()
    const name = readString()
    if (name in members) throw badJson(`the member "${name.slice(0, 40)}" is there twice`)
    if (next() !== ':') fail('":"')
    at += 1
    members[name] = readValue(depth)
  }

  /** True after a comma, false after the closing bracket. */
  function separated(close: string): boolean {
    const mark = next()
    if (mark !== ',' && mark !== close) fail(`"," or "${close}"`)
    at += 1
    return mark === ','
  }

  function readValue(depth: number): Json {
    if (depth > MAX_DEPTH) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`)
    const first = next()
    if (first === '{') return readObject(depth + 1)
    if (first === '[') return readArray(depth + 1)
    if (first === '"') return readString()
    const word = WORDS.find(([text]) => source.startsWith(text, at))
    if (!word) return readNumber()
    at += word[0].length
    return word[1]
  }

  const value = readValue(0)
  if (next() !== '') fail('the end')
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw Object.assign(badJson('it is not UTF-8'), { cause })
  }
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

/** One text per value: members sorted, no spaces, numbers as they were sent. For digests. */
export function canonicalJson(value: Json): string {
  if (isRawNumber(value)) return value[RAW]
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Like JSON.stringify, and writes a bigint as its digits. */
export function printJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return printExact(value) // the rare answer that holds a bigint
    throw error
  }
}

function printExact(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(printExact).join(',')}]`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${printExact(member)}`).join(',')}}`
}
