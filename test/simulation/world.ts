// What a kind of world is for `npm run simulate`: it lives a seed to its end and says what does not hold, and what it has reached.

export const KINDS = ['till', 'names', 'relay', 'cluster', 'wallet'] as const
export type Kind = (typeof KINDS)[number]

/** How often each thing was reached, by name. */
export type Counts = ReadonlyMap<string, number>

export interface WorldOptions {
  /** Names of faults and actors that are left out. Every stream of chance has a name of its own, so that the rest stays as it is. */
  readonly without?: readonly string[]
  /** Simulated hours instead of those that the seed chooses. */
  readonly hours?: number
  /** The world ends this many simulated milliseconds after its beginning, without rest and without the checks at rest. */
  readonly untilMs?: number
  /** Gets each line of the trace. */
  readonly print?: (line: string) => void
}

/** A promise that does not hold. */
export interface Failure {
  /** 1 to 10, as in the README of this folder. */
  readonly invariant: number
  readonly what: string
}

export interface WorldResult {
  /** Of the trace: the same for the same seed and options on every machine. */
  readonly hash: string
  readonly days: number
  readonly failures: readonly Failure[]
  /** What actors did, such as `payer: honest over nostr`. */
  readonly happenings: Counts
  /** What went wrong, as `fault × phase`, such as `drop × group commit`; a fault without phases by its name alone. */
  readonly faults: Counts
  /** Pairs `state × happening`, such as `open × payment-seen`, and refusals, such as `refusal: INVOICE_EXPIRED`. */
  readonly states: Counts
}

export interface World {
  readonly kind: Kind
  /** Names of what can go wrong, for `--without` and for shrinking. */
  readonly faults: readonly string[]
  /** Names of who can be left out, for `--without` and for shrinking. */
  readonly actors: readonly string[]
  /** Rejects only when the simulation itself is broken; that counts as a failure of the seed too. One at a time in a process. */
  run(seed: number, options: WorldOptions): Promise<WorldResult>
}
