// JSON for money. Reading keeps every number that a double would change, and refuses what two readers could understand differently
// (a member twice, ill-formed text). Printing writes bigints as plain digits, and one text per value for digests.
import { causedBy, messageOf } from '../lib/errors.js'
import { isRawNumber, type JsonOf, type RawNumber, rawNumber, rawText, readExactJson } from '../lib/exact-json.js'
import { strictText } from '../lib/parse-json.js'
import { badJson } from './errors.js'

export type Json = JsonOf<number | RawNumber>

const WHOLE = /^(?:0|-?[1-9]\d*)$/

function numberOf(token: string): number | RawNumber {
  const value = Number(token)
  return WHOLE.test(token) && Number.isSafeInteger(value) ? value : rawNumber(token)
}

/** Reads one JSON value from UTF-8 bytes. Objects have no prototype. Throws INVALID_JSON. */
export function readJson(bytes: Uint8Array): Json {
  const text = decode(bytes)
  try {
    return readExactJson(text, { numberOf })
  } catch (error) {
    throw error instanceof SyntaxError ? badJson(messageOf(error)) : error
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return strictText(bytes)
  } catch (cause) {
    throw causedBy(badJson('it is not UTF-8'), cause)
  }
}

/** One text per value: members sorted, no spaces, numbers as they were sent. For digests. */
export function canonicalJson(value: Json): string {
  if (isRawNumber(value)) return rawText(value)
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
