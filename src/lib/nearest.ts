// The most similar word, for "did you mean".

/** The edit distance: letters inserted, removed or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The nearest of `words`, or undefined when none is near enough to be meant. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(2, best.word.length / 2) ? best.word : undefined
}

/** Characters that are compared. No name is as long, and the distance costs time by the square of the length. */
const MOST_TYPED = 64
/** Characters. Shorter words are part of too many names. */
const TELLING_WORD = 4

const nearWord = (word: string, other: string): boolean =>
  word.length >= TELLING_WORD && (other.includes(word) || editDistance(word, other) <= 2)

/**
 * The nearest of `names`, which are in snake case: as a whole, however the words of `typed` are joined (`orderRef`), else by one of
 * its words (`expires_in` for `expiry_secs`). Undefined when nothing is near.
 */
export function nearestMember(typed: string, names: readonly string[]): string | undefined {
  const asked = typed
    .slice(0, MOST_TYPED)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  const words = asked.split('_')
  return (
    nearest(asked, names) ??
    names.find((name) => name.split('_').some((word) => words.some((other) => nearWord(word, other))))
  )
}
