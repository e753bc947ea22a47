// Points sorted by the power of two they count with, and the reduction of every pile to a few points.
import { NUMBER_BYTES, POINT_BYTES } from '../machine/field-code.js'
import type { FieldMachine } from '../machine/field-machine.js'
import { addPairs, type Pair } from '../machine/pairs.js'
import type { Address } from '../machine/word-memory.js'
import type { Pile } from './double-and-add.js'
import { splitScalar } from './endomorphism.js'
import type { OddMultiples } from './odd-multiples.js'
import { eachDigit } from './signed-digits.js'

/** Table entries on their way to the piles, in columns: there are thousands. */
export interface Placements {
  readonly pile: number[]
  readonly x: Address[]
  readonly y: Address[]
  readonly negative: boolean[]
}

/** Below this many pairs one inversion costs more than it saves. */
const FEW_PAIRS = 64

/** Adds the table entries that make up scalar * (point in `column` of the table); piles count from `base`. */
export function placeTerm(
  { pile, x, y, negative }: Placements,
  base: number,
  { table, column, scalar }: { table: OddMultiples; column: number; scalar: bigint },
): void {
  const place = (half: bigint, xOf: OddMultiples['point']): void =>
    eachDigit(half, table.width, (position, digit) => {
      const row = (Math.abs(digit) - 1) >> 1
      pile.push(base + position)
      x.push(xOf(row, column))
      y.push(table.point(row, column) + NUMBER_BYTES)
      negative.push(digit < 0)
    })
  const [k1, k2] = splitScalar(scalar)
  place(k1, table.point)
  place(k2, table.betaX)
}

/** `count` empty piles in freshly allocated memory, each with room for what is to come. */
function roomFor(machine: FieldMachine, { pile }: Placements, count: number): Pile[] {
  const sizes = new Array<number>(count).fill(0)
  for (const index of pile) sizes[index] = (sizes[index] ?? 0) + 1
  let next = machine.allocate(pile.length * POINT_BYTES)
  return sizes.map((size) => {
    const first = next
    next += size * POINT_BYTES
    return { first, count: 0 }
  })
}

/** Copies the entries onto `count` piles. */
export function stackPiles(machine: FieldMachine, placements: Placements, count: number): Pile[] {
  const piles = roomFor(machine, placements, count)
  const { x, y, negative } = placements
  for (const [i, index] of placements.pile.entries()) {
    const pile = piles[index]
    if (!pile) throw new Error(`no pile ${index}`)
    const join = negative[i] ? machine.joinNegated : machine.join
    join(pile.first + pile.count * POINT_BYTES, x[i] ?? 0, y[i] ?? 0)
    pile.count += 1
  }
  return piles
}

/** Pairs up the neighbours of every pile; the sums close ranks at its start. */
function neighbours(piles: readonly Pile[]): Pair[] {
  const pairs: Pair[] = []
  for (const { first, count } of piles)
    for (let i = 0; i + 1 < count; i += 2) {
      const left = first + i * POINT_BYTES
      pairs.push({ left, right: left + POINT_BYTES, out: first + (i / 2) * POINT_BYTES })
    }
  return pairs
}

/** An odd point out moves up behind the sums. */
function closeRanks(machine: FieldMachine, pile: Pile): void {
  const half = pile.count >> 1
  if (pile.count % 2 === 1 && half > 0) {
    const [to, from] = [pile.first + half * POINT_BYTES, pile.first + (pile.count - 1) * POINT_BYTES]
    machine.join(to, from, from + NUMBER_BYTES)
  }
  pile.count = half + (pile.count % 2)
}

/** Shrinks the piles until hardly one holds two points. False, and garbage, when points with the same x met. */
export function reducePiles(machine: FieldMachine, piles: readonly Pile[]): boolean {
  for (;;) {
    const pairs = neighbours(piles)
    if (pairs.length < FEW_PAIRS) return true
    if (!addPairs(machine, pairs)) return false
    for (const pile of piles) closeRanks(machine, pile)
  }
}
