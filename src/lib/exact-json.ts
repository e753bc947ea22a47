// JSON with numbers that JSON.parse would round: 64-bit integers of Grin nodes, prices.

/** A string with everything in it, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Marks a number that was turned into a string; a string that looks so in the document comes back as that number. */
const MARK = '\u0000n'

/** Like JSON.parse, but integers beyond 2^53 come back as bigint, exactly. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  if (!/\d{16}/.test(text)) return plain
  const marked = text.replace(TOKEN, (token) => (isRounded(token) ? JSON.stringify(MARK + token) : token))
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && /^\0n-?\d+$/.test(value) ? BigInt(value.slice(MARK.length)) : value,
  )
}

/** Like JSON.parse, but every number comes back as its own text. Throws SyntaxError. */
export function parseNumbersAsText(text: string): unknown {
  JSON.parse(text)
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

const isRounded = (token: string): boolean => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))
