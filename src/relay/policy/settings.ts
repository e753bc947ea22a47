// What the operator decides about writing (specification: relay, 6 and 9.1), read and checked.
import { DEFAULT_KINDS } from './kinds.js'

export interface PolicySettings {
  readonly kinds: ReadonlySet<number>
  /** Refused although `kinds` has them. */
  readonly blockedKinds: ReadonlySet<number>
  /** Who may write public notes; 64 lower-case hex. Empty: nobody. */
  readonly authors: ReadonlySet<string>
  /** Who may write at all; undefined: everybody. */
  readonly whitelist: ReadonlySet<string> | undefined
  /** A connection proves a key before it writes (NIP-42). */
  readonly requireAuth: boolean
  /** `write`: a connection's key has paid for writing. */
  readonly payMode: 'off' | 'write'
  /** The author holds a name; of a gift wrap, whose author is nobody, one of the connection's keys does. */
  readonly requireName: boolean
  /** How long the authority's word on a key counts. */
  readonly verdictSeconds: number
}

export const DEFAULT_POLICY: PolicySettings = {
  kinds: new Set(DEFAULT_KINDS),
  blockedKinds: new Set(),
  authors: new Set(),
  whitelist: undefined,
  requireAuth: false,
  payMode: 'off',
  requireName: false,
  verdictSeconds: 60,
}
