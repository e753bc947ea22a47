// A family of cases: one kind of question with fresh values.
import type { Dice } from './dice.js'
import type { Library } from './library.js'
import type { Ask, Outcome } from './reference.js'

export interface Round {
  /** Of the run. */
  readonly seed: string
  readonly dice: Dice
  readonly library: Library
  /** Asks the Rust crates. */
  readonly ask: Ask
  /** Both must be the same JSON. */
  same(what: string, ours: unknown, theirs: unknown): void
  /** Both accept and find the same, or both refuse. */
  agree(what: string, ours: Outcome, theirs: Outcome): void
}

export interface Family {
  readonly name: string
  /** Its share of the cases of a run. */
  readonly weight: number
  run(round: Round): Promise<void>
}

/** Our side of a question. Refusals are errors of the library; anything else is a fault of the test or of the library. */
export async function attempt(work: () => unknown): Promise<Outcome> {
  try {
    return { ok: await work() }
  } catch (error) {
    if (error instanceof Error && error.name === 'GrinpayError' && 'code' in error)
      return { refused: `${error.code}: ${error.message}` }
    if (error instanceof RangeError) return { refused: `RangeError: ${error.message}` }
    throw error
  }
}
