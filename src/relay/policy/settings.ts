// The operator's settings about writing (specification: relay, 6 and 9.1), validated.
import { DEFAULT_KINDS } from './kinds.js'

export interface PolicySettings {
  readonly kinds: ReadonlySet<number>
  /** Kinds that are refused even if `kinds` contains them. */
  readonly blockedKinds: ReadonlySet<number>
  /** Authors of public notes, 64 lower-case hex. Empty: public notes are refused. */
  readonly authors: ReadonlySet<string>
  /** Keys that may write; undefined: every key. */
  readonly whitelist: ReadonlySet<string> | undefined
  /** Requires authentication before writing (NIP-42). */
  readonly requireAuth: boolean
  /** `write`: an authenticated key must have paid for writing. */
  readonly payMode: 'off' | 'write'
  /** The author must hold a name. For gift wraps, whose authors are throw-away keys, an authenticated key must. */
  readonly requireName: boolean
  /** Lifetime of a verdict of the authority. */
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
