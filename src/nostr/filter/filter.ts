// What a subscription asks for (NIP-01), as the relay and its store understand it.

/** Conditions of different members all hold; of one list, one value is enough. No list is empty or holds a value twice. */
export interface Filter {
  /** 64 lower-case hex, whole: prefixes are refused. */
  readonly ids?: readonly string[]
  readonly authors?: readonly string[]
  readonly kinds?: readonly number[]
  /** `#e`, `#p` …: one letter, case counts. Several entries are several conditions. */
  readonly tags: readonly TagCondition[]
  /** Epoch seconds, both ends included. */
  readonly since?: number
  readonly until?: number
  /** Of stored events; absent: the relay's default. */
  readonly limit?: number
}

export interface TagCondition {
  readonly letter: string
  readonly values: readonly string[]
}
