const KEY = /^[0-9a-f]{64}$/

/** A Nostr public key as 64 lower-case hex digits, from text in upper or lower case. Undefined for anything else, an npub included. */
export function keyOf(text: string): string | undefined {
  const folded = text.toLowerCase()
  return KEY.test(folded) ? folded : undefined
}
