// Printing JSON: bigints as plain digits, and one text per value for digests.
import { isRawNumber, type Json, rawText } from './json-reader.js'

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
