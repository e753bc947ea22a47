// The operator's settings about writing (specification: relay, 6 and 9.1), validated.
import type { KindEntry } from './kind-set.js'
import { DEFAULT_KINDS } from './kinds.js'

export interface PolicySettings {
  readonly kinds: Iterable<KindEntry>
  /** Kinds that are refused even if `kinds` contains them. */
  readonly blockedKinds: Iterable<KindEntry>
  /** Authors of public notes, 64 lower-case hex. Empty: public notes are refused. */
  readonly authors: ReadonlySet<string> | 'everyone'
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
  kinds: DEFAULT_KINDS,
  blockedKinds: [],
  authors: new Set(),
  whitelist: undefined,
  requireAuth: false,
  payMode: 'off',
  requireName: false,
  verdictSeconds: 60,
}
