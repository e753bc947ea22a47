// What `setup pay` was asked for.
import type { Cost } from '../../grin/seedfile/index.js'
import type { SystemRandom } from '../../system/index.js'
import type { SetupOptions } from '../run-setup.js'
import type { Answers } from './questions.js'
import type { Terminal } from './terminal.js'

export interface SetupRequest extends SetupOptions {
  /** Answers given beforehand: flags over the answers file. */
  readonly given: Answers
  readonly rotateTokens: boolean
  readonly random: SystemRandom
  /** How much a guess at the wallet password costs; the usual cost when undefined. */
  readonly sealCost?: Cost
  /** Undefined: no questions. */
  readonly terminal: Terminal | undefined
  /** Whether new words may be printed: stdout is a terminal. */
  readonly canShowWords: boolean
}
