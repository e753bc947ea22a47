// JSON.parse rounds integers above 2^53, and slates carry u64. Numbers that would be damaged are turned into marked
// strings first, so that `slate/fields.ts` can read them exactly or refuse them.

/** No honest JSON string starts like this; one that does is only another spelling of the same number. */
export const EXACT = '\u0000'

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** The widest slate a block can hold is 1.3 MB. */
const MAX_JSON = 2_700_000

/** Parses JSON; integers beyond 2^53 and numbers with a point or exponent come back as strings starting with `EXACT`. */
export function parseExactJson(text: string): unknown {
  if (text.length > MAX_JSON) throw new RangeError(`too long: ${text.length} characters`)
  try {
    // Validity first: only then does the token pattern run in linear time.
    JSON.parse(text)
    return JSON.parse(text.replace(STRING_OR_NUMBER, markNumber))
  } catch {
    throw new RangeError('not JSON')
  }
}

function markNumber(token: string): string {
  if (token.startsWith('"') || /^-?\d{1,15}$/.test(token)) return token
  return `"\\u0000${token}"`
}
