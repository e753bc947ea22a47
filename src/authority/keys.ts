// Nostr keys as clients write them.

const KEY = /^[0-9a-f]{64}$/

/** A public key as it is kept: 64 lower-case hex digits, of a text in any case. Undefined for anything else, an npub included. */
export function keyOf(text: string): string | undefined {
  const folded = text.toLowerCase()
  return KEY.test(folded) ? folded : undefined
}
