// Untrusted JSON: unreadable text and missing members are undefined.

/** Undefined for what is no JSON. The caller bounds the length of the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object or a list; none of anything else. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** The members of an object; none of anything else, a list included. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value) ? {} : membersOf(value)

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes, a byte order mark included. Throws TypeError for bytes that no text has. */
export const strictText = (bytes: Uint8Array): string => STRICT_UTF8.decode(bytes)

/** Undefined for what is no JSON in UTF-8: bytes that no text has are not repaired, and a byte order mark is no JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictText(bytes))
  } catch {
    return undefined
  }
}
