// What differs between two texts, line by line, for people.

const CONTEXT = 2

type Piece = { readonly sign: ' ' | '-' | '+'; readonly line: string }

/** Lines that go with `-`, lines that come with `+`, and two lines around them. Empty when nothing differs. */
export function lineDiff(before: string, after: string): string {
  const pieces = piecesOf(linesOf(before), linesOf(after))
  const near = pieces.map((_, at) =>
    pieces.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  )
  return pieces
    .flatMap(({ sign, line }, at) => {
      if (near[at]) return [`${sign}${line}`]
      return at > 0 && near[at - 1] ? ['…'] : []
    })
    .join('\n')
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n')

/** The longest common lines stay; texts here are some hundred lines long. */
function piecesOf(before: readonly string[], after: readonly string[]): readonly Piece[] {
  const lengths = commonLengths(before, after)
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]]
    const takesOld = (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)
    if (old !== undefined && old === fresh) {
      pieces.push({ sign: ' ', line: old })
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || takesOld)) {
      pieces.push({ sign: '-', line: old })
      i++
    } else {
      pieces.push({ sign: '+', line: fresh ?? '' })
      j++
    }
  }
  return pieces
}

/** `[i][j]`: how many lines `before` from i and `after` from j have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const rows: number[][] = [new Array(after.length + 1).fill(0)]
  for (const line of before.toReversed()) {
    const below = rows[0] ?? []
    const row: number[] = new Array(after.length + 1).fill(0)
    for (let j = after.length - 1; j >= 0; j--)
      row[j] = line === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    rows.unshift(row)
  }
  return rows
}
