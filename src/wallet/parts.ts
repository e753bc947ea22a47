// What the verbs of a wallet share.
import type { RandomSource } from '../lib/random-bytes.js'
import type { WebAbortSignal } from '../lib/web-types.js'
import type { ChainRules, ChainType } from './chain-rules.js'
import type { Ledger } from './ledger.js'
import type { Signer } from './signer/signer.js'

export interface WalletParts {
  readonly signer: Signer
  readonly chainType: ChainType
  readonly rules: ChainRules
  readonly ledger: Ledger
  /** For ids of slates; no secret comes from it. */
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or when the signal ends it. */
  readonly sleep: (ms: number, signal: WebAbortSignal) => Promise<void>
}
