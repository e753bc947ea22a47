// A wallet in use whose database is missing: an empty till in its place would forget invoices, payments and replies.
import { existsSync, statSync } from 'node:fs'
import type { PayConfig } from '../../../config/index.js'
import { hasCode } from '../../../lib/errors.js'
import { dataFiles, isNewWallet } from '../../../system/index.js'
import { databaseLost } from '../../errors.js'

/** Throws DATABASE_LOST when the wallet exists, its database does not, and nothing says that it never had one. Changes nothing. */
export function refuseLostDatabase({ dataDir, dbPath }: Pick<PayConfig, 'dataDir' | 'dbPath'>): void {
  const { seed } = dataFiles(dataDir)
  if (isMissing(dbPath) && existsSync(seed) && !isNewWallet(dataDir)) throw databaseLost(dbPath, seed)
}

/** Not there, or empty. What cannot be looked at is for the opener to name. */
function isMissing(path: string): boolean {
  try {
    return statSync(path).size === 0
  } catch (thrown) {
    return hasCode(thrown, 'ENOENT')
  }
}
