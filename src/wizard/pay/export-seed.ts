// `wallet export-seed`: the words once more, to a terminal or into a file that only its owner reads.
import type { Environment } from '../../config/index.js'
import { mnemonicFromEntropy } from '../../grin/keychain/index.js'
import { hasCode } from '../../lib/errors.js'
import { Secret } from '../../lib/secret.js'
import { createFile } from '../../system/index.js'
import { inputMissing } from '../errors.js'
import { passwordOf, tillWallet } from './password.js'
import { type Terminal, wordsText } from './terminal.js'
import { openWallet, requireStopped } from './wallet.js'

export interface ExportRequest {
  readonly environment: Environment
  readonly passwordFile: string | undefined
  readonly wordsOut: string | undefined
  readonly terminal: Terminal | undefined
  readonly canShowWords: boolean
  readonly tell: (text: string) => void
}

const STOP = 'stop the till for this: systemctl stop grinpay-pay; afterwards systemctl start grinpay-pay'

/** Throws DATABASE_IN_USE while the daemon runs, and what opening the wallet throws. */
export async function exportWords(request: ExportRequest): Promise<void> {
  const { environment, wordsOut, canShowWords, tell } = request
  if (wordsOut === undefined && !canShowWords)
    throw inputMissing('seed words are printed to a terminal only: name a file with --words-out')
  const { places, password } = tillWallet(environment)
  const entropy = await openWallet(places, await passwordOf(request.passwordFile, password, request.terminal))
  await requireStopped(places, entropy).catch((thrown: unknown) => {
    throw hasCode(thrown, 'DATABASE_IN_USE') ? Object.assign(thrown as Error, { hint: STOP }) : thrown
  })
  const words = new Secret(mnemonicFromEntropy(entropy.reveal()))
  entropy.wipe()
  if (wordsOut === undefined) return tell(wordsText(words))
  await createFile(wordsOut, `${words.reveal()}\n`, 0o600)
  tell(`${wordsOut}: seed words, readable by you only; move them off this machine`)
}
