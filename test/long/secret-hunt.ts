// Looks for secrets in everything that a run left behind.

/** What must be nowhere, by what it is called. */
export type Hidden = Readonly<Record<string, string>>

/** Shorter pieces would be found by accident. */
const SHORTEST = 12
const WORDS_IN_A_ROW = 3

/** Seed words are given away by a few in a row, long codes by their first half. */
function piecesOf(secret: string): readonly string[] {
  const words = secret.split(' ')
  if (words.length >= 12)
    return words.slice(WORDS_IN_A_ROW - 1).map((_, at) => words.slice(at, at + WORDS_IN_A_ROW).join(' '))
  return [secret.length >= 4 * SHORTEST ? secret.slice(0, secret.length / 2) : secret]
}

/** `NAME in PLACE` for each one that is there. Throws RangeError for a secret that is too short to look for. */
export function findSecrets(hidden: Hidden, places: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(hidden).flatMap(([name, secret]) => {
    if (secret.length < SHORTEST) throw new RangeError(`${name} is too short to look for`)
    const pieces = piecesOf(secret)
    return Object.entries(places).flatMap(([place, text]) =>
      pieces.some((piece) => text.includes(piece)) ? [`${name} in ${place}`] : [],
    )
  })
}
