// What the head of the wallet's seed file tells without the password: a start refuses a file of another chain, and a damaged one.
import { readFileSync } from 'node:fs'
import type { PayValues, SettingProblem } from '../config/index.js'
import { requireSeedOf } from '../grin/seedfile/index.js'
import { messageOf } from '../lib/errors.js'
import { dataFiles } from '../system/index.js'

/** None for a file that is not there yet, or that this user may not read. */
export function seedHeaderProblems({ dataDir, chain }: Partial<PayValues>): readonly SettingProblem[] {
  if (dataDir === undefined || chain === undefined) return []
  const path = dataFiles(dataDir).seed
  const text = readIfPossible(path)
  if (text === undefined) return []
  try {
    requireSeedOf(text, chain)
    return []
  } catch (thrown) {
    return [{ setting: 'PAY_DATA_DIR', text: `PAY_DATA_DIR: ${path}: ${messageOf(thrown)}` }]
  }
}

function readIfPossible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
