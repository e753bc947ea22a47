// Filters of subscriptions (NIP-01), as the relay and its store use them.
import type { Search } from '../search/index.js'

/** All members that are defined must match; of a list, one value. No list is empty or has duplicates. */
export interface Filter {
  /** 64 lower-case hex, whole: prefixes are refused. */
  readonly ids?: readonly string[] | undefined
  readonly authors?: readonly string[] | undefined
  readonly kinds?: readonly number[] | undefined
  /** `#e`, `#p` …: one letter, case-sensitive. All entries must match. */
  readonly tags: readonly TagCondition[]
  /** Epoch seconds, both ends included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Words that occur in the event (NIP-50). `kinds` is then present. */
  readonly search?: Search | undefined
  /** Maximum number of stored events. Default: the relay's. */
  readonly limit?: number | undefined
}

export interface TagCondition {
  readonly letter: string
  readonly values: readonly string[]
}
