// The 81 answers of the original write policy, with the settings that each set was asked under.
import { vectors } from './vectors.js'

interface PolicyAnswer {
  readonly id: string
  readonly action: string
  readonly msg: string
}

interface PolicyCase {
  readonly name: string
  /** As the relay sent it. */
  // biome-ignore lint/suspicious/noExplicitAny: requests are read as they are, broken ones included
  readonly request: any
  readonly expect: PolicyAnswer
}

export interface PolicySet {
  readonly name: string
  /** Settings without their prefix. */
  readonly env: Readonly<Record<string, string>>
  readonly cases: readonly PolicyCase[]
}

export const POLICY_VECTORS: {
  readonly default_allowed_kinds: readonly number[]
  readonly locked_kinds: readonly number[]
  readonly sets: readonly PolicySet[]
} = vectors('names/relay-policy.json')
