// What `setup pay` was asked for, and what is there already. Looking changes nothing.
import { existsSync } from 'node:fs'
import type { Cost } from '../../grin/seedfile/index.js'
import { dataFiles, type Places, type SystemRandom } from '../../system/index.js'
import { presentAnswers } from '../answers.js'
import type { Texts } from '../question.js'
import type { SetupOptions } from '../run-setup.js'
import { readEnvFile } from '../survey.js'
import { PAY_QUESTIONS, type PayAnswers } from './questions.js'
import type { Terminal } from './terminal.js'
import { keepingIn, type PasswordKeeping } from './unit.js'
import type { WalletPlaces } from './wallet.js'

export interface SetupRequest extends SetupOptions {
  /** Answers given beforehand: flags over the answers file. */
  readonly given: PayAnswers
  readonly rotateTokens: boolean
  readonly random: SystemRandom
  /** How much a guess at the wallet password costs; the usual cost when undefined. */
  readonly sealCost?: Cost
  /** Undefined: no questions. */
  readonly terminal: Terminal | undefined
  /** Whether new words may be printed: stdout is a terminal. */
  readonly canShowWords: boolean
}

export interface Survey {
  readonly hasEnvFile: boolean
  /** Settings of the present env file, as text. */
  readonly inForce: Texts
  readonly hasWallet: boolean
  readonly hasIdentity: boolean
  readonly keeping: PasswordKeeping | undefined
  /** The present till as answers: what a reconfiguration starts with. */
  readonly present: PayAnswers
}

/** Everything known before secrets are touched. */
export interface TillContext {
  readonly request: SetupRequest
  readonly places: Places
  /** Whether systemd's own places are used; otherwise everything lies under one prefix. */
  readonly machineWide: boolean
  readonly found: Survey
  readonly answers: PayAnswers
  readonly wallet: WalletPlaces
}

/** Throws ENV_FILE_UNREADABLE. */
export function surveyTill(places: Places): Survey {
  const { seed, identity } = dataFiles(places.dataDir)
  const { hasFile, inForce } = readEnvFile(places.envFile)
  const keeping = keepingIn(places)
  return {
    hasEnvFile: hasFile,
    inForce,
    hasWallet: existsSync(seed),
    hasIdentity: existsSync(identity),
    keeping,
    present: presentAnswers(PAY_QUESTIONS, inForce, { keeping }),
  }
}
