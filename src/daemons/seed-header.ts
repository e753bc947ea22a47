// What the head of the wallet's seed file tells without the password: a start refuses a file of another chain, and a damaged one. Where
// there is none yet, a start with PAY_MNEMONIC refuses a short password.
import { readFileSync } from 'node:fs'
import type { PayValues, SettingProblem } from '../config/index.js'
import { requireSeedOf, weakPassword } from '../grin/seedfile/index.js'
import { GrinpayError, hasCode, messageOf } from '../lib/errors.js'
import { dataFiles } from '../system/index.js'

/** None for a file that this user may not read. */
export function seedHeaderProblems(values: Partial<PayValues>): readonly SettingProblem[] {
  const { dataDir, chain } = values
  if (dataDir === undefined || chain === undefined) return []
  const path = dataFiles(dataDir).seed
  try {
    requireSeedOf(readFileSync(path, 'utf8'), chain)
    return []
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return newWalletProblems(values)
    if (!(thrown instanceof GrinpayError)) return []
    return [{ setting: 'PAY_DATA_DIR', text: `PAY_DATA_DIR: ${path}: ${messageOf(thrown)}` }]
  }
}

/** Of a wallet that the next start makes from the words. */
function newWalletProblems({ mnemonic, walletPassword }: Partial<PayValues>): readonly SettingProblem[] {
  const weak = mnemonic && walletPassword && weakPassword(walletPassword.reveal())
  return weak ? [{ setting: 'PAY_WALLET_PASSWORD', text: `PAY_WALLET_PASSWORD: ${weak}` }] : []
}
