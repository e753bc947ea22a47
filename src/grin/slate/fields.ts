// Reads one JSON member of a slate, as leniently as grin-wallet, except that byte fields must have their length.
// Specification: grin-wallet, 2.2. Every reader throws RangeError with the name of the member.
import { fromHex } from '../../lib/bytes.js'
import { isRawNumber, type RawNumber, rawNumber, rawText, readExactJson } from '../../lib/exact-json.js'
import { quote } from './errors.js'

export type Members = Readonly<Record<string, unknown>>

/** The widest slate a block can hold is 1.3 MB. */
const MAX_JSON = 2_700_000
const MAX_U64 = 2n ** 64n - 1n
/** With all its hyphens, or without any. */
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{32}$/i

/** Parses JSON as grin-wallet does. Integers beyond 15 digits, and numbers with a point or exponent, keep their text. */
export function parseSlateText(text: string): unknown {
  if (text.length > MAX_JSON) throw new RangeError(`too long: ${text.length} characters`)
  try {
    return readExactJson(text, { isLenient: true, numberOf })
  } catch {
    throw new RangeError('not JSON')
  }
}

const numberOf = (token: string): number | RawNumber => (/^-?\d{1,15}$/.test(token) ? Number(token) : rawNumber(token))

/** A JSON object, to be read with `member`. */
export function readObject(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawNumber(value))
    throw new RangeError(`${name}: not an object`)
  return value as Members
}

/** Reads own members only, so that `__proto__` is ordinary data. */
export const member = (from: Members, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined)

export function readArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError(`${name}: not a list`)
  return value
}

export function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new RangeError(`${name}: not a text`)
  return value
}

/** A u64 as a decimal string or a number, exact; absent is 0. */
export function readU64(value: unknown, name: string): bigint {
  if (value === undefined) return 0n
  return typeof value === 'string' ? decimal(value, name) : readU64Number(value, name)
}

/** A u64 that is never a string. */
export function readU64Number(value: unknown, name: string): bigint {
  return isRawNumber(value) ? decimal(rawText(value), name) : integer(value, name)
}

function decimal(digits: string, name: string): bigint {
  if (!/^\+?\d{1,64}$/.test(digits)) throw new RangeError(`${name}: not a whole number: ${quote(digits)}`)
  const value = BigInt(digits.replace('+', ''))
  if (value > MAX_U64) throw new RangeError(`${name}: above 2^64-1`)
  return value
}

function integer(value: unknown, name: string): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name}: not a whole number that can be read exactly`)
  return BigInt(value)
}

/** A u8 as a number; absent is `absent`. */
export function readU8(value: unknown, name: string, absent: number): number {
  if (value === undefined) return absent
  const number = integer(value, name)
  if (number > 255n) throw new RangeError(`${name}: above 255`)
  return Number(number)
}

/** Hex of either case with or without `0x`, exactly `length` bytes. */
export function readHex(value: unknown, length: number, name: string): Uint8Array {
  return fromHex(readText(value, name).replace(/^0x/, ''), length, name)
}

/** Null counts as absent. */
export const present = (value: unknown): boolean => value !== undefined && value !== null

/** Reads a UUID in all notations; returns lower case with hyphens. */
export function readUuid(value: unknown): string {
  const text = readText(value, 'id')
  if (!UUID.test(text)) throw new RangeError(`id: not a UUID: ${quote(text)}`)
  const digits = text.replace(/^urn:uuid:|-/gi, '').toLowerCase()
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** "<slate version>:<header version>". */
export function readVersions(value: unknown): { readonly version: number; readonly headerVersion: number } {
  const match = /^\+?(\d{1,8}):\+?(\d{1,8})$/.exec(readText(value, 'ver'))
  const [version, headerVersion] = [Number(match?.[1] ?? -1), Number(match?.[2] ?? -1)]
  if (!match || version > 0xffff || headerVersion > 0xffff)
    throw new RangeError(`ver: not two version numbers: ${quote(readText(value, 'ver'))}`)
  return { version, headerVersion }
}
