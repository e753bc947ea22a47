// The operator's lists, which change while the relay runs: by command, by management requests (NIP-86), by hand.

/** An entry of a list, with its reason. */
interface Listed {
  readonly reason: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** In the order in which they were listed. Up to 100,000, so a copy or a look at its size must be cheap. */
export type Entries = ReadonlyMap<string, Listed>

/** A list is an object of its own until it changes. Keys and event ids are 64 lower-case hex, kinds decimal, addresses IP addresses or networks. */
export interface OperatorLists {
  readonly bannedKeys: Entries
  /** Keys that may write where a whitelist is set, and may write public notes. */
  readonly allowedKeys: Entries
  readonly bannedEvents: Entries
  readonly allowedKinds: Entries
  readonly bannedKinds: Entries
  readonly blockedAddresses: Entries
  /** Keys that may manage the relay, beside those of the settings. */
  readonly admins: Entries
  /** Overrides of the relay's name, description and icon. */
  readonly info: {
    readonly name?: string | undefined
    readonly description?: string | undefined
    readonly icon?: string | undefined
  }
}

export const NO_LISTS: OperatorLists = {
  bannedKeys: new Map(),
  allowedKeys: new Map(),
  bannedEvents: new Map(),
  allowedKinds: new Map(),
  bannedKinds: new Map(),
  blockedAddresses: new Map(),
  admins: new Map(),
  info: {},
}

/** The lists in force. */
export interface ListSource {
  /** Returns the same object until the lists change. */
  current(): OperatorLists
}

export const FIXED_LISTS: ListSource = { current: () => NO_LISTS }

/** Kinds of a list. */
export const kindsOf = (entries: Entries): readonly number[] => Array.from(entries.keys(), Number)
