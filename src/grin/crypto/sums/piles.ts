// Points sorted by the power of two they are to be multiplied with, and the reduction of every pile to a few points.
import { addColumns, type Columns, INFINITE } from './columns.js'
import { splitScalar } from './endomorphism.js'
import type { OddMultiples } from './odd-multiples.js'
import { eachDigit, POSITIONS } from './signed-digits.js'

/** Pile i holds points that count 2^i times. */
export type Piles = readonly Columns[]

/** Below this many pairs one inversion costs more than it saves. */
const FEW_PAIRS = 16

export const emptyPiles = (): Piles => Array.from({ length: POSITIONS }, () => ({ x: [], y: [] }))

function place(piles: Piles, half: bigint, { width, y }: OddMultiples, x: OddMultiples['x'], column: number): void {
  eachDigit(half, width, (position, digit) => {
    const row = (Math.abs(digit) - 1) >> 1
    const [pile, px, py] = [piles[position], x[row]?.[column], y[row]?.[column]]
    if (!pile || px === undefined || py === undefined) throw new Error('a digit outside the table')
    pile.x.push(px)
    pile.y.push(digit < 0 ? -py : py)
  })
}

/** Puts scalar * (point in `column` of the table) onto the piles, as table entries at their positions. */
export function placeTerm(piles: Piles, table: OddMultiples, column: number, scalar: bigint): void {
  const [k1, k2] = splitScalar(scalar)
  place(piles, k1, table, table.x, column)
  place(piles, k2, table, table.betaX, column)
}

/** Takes neighbours off a pile in pairs; an odd point out stays. */
function takePairs(pile: Columns, left: Columns, right: Columns): number {
  const pairs = pile.x.length >> 1
  for (let i = 0; i < 2 * pairs; i++) {
    const side = i & 1 ? right : left
    side.x.push(pile.x[i] ?? 0n)
    side.y.push(pile.y[i] ?? 0n)
  }
  pile.x.splice(0, 2 * pairs)
  pile.y.splice(0, 2 * pairs)
  return pairs
}

/** Halves all piles, with one inversion for all of them. */
function halvePiles(piles: Piles): void {
  const [left, right]: [Columns, Columns] = [
    { x: [], y: [] },
    { x: [], y: [] },
  ]
  const counts = piles.map((pile) => takePairs(pile, left, right))
  const sums = addColumns(left, right)
  let from = 0
  for (const [p, pile] of piles.entries()) {
    const to = from + (counts[p] ?? 0)
    for (; from < to; from++) {
      const x = sums.x[from] ?? INFINITE
      if (x === INFINITE) continue
      pile.x.push(x)
      pile.y.push(sums.y[from] ?? 0n)
    }
  }
}

/** Shrinks the piles until hardly any holds two points. */
export function reducePiles(piles: Piles): void {
  const pairs = (): number => piles.reduce((sum, { x }) => sum + (x.length >> 1), 0)
  while (pairs() >= FEW_PAIRS) halvePiles(piles)
}
