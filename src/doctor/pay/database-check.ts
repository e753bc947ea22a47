// The till's database: there, and with room to grow. Whether it can be written, a running till says itself.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Check } from '../check.js'
import { diskFindings } from '../disk.js'
import { pass, warn } from '../finding.js'

const SMALLER = 'make room: du -xh / | sort -h | tail shows what takes it; or a larger disk'

export const databaseCheck: Check = {
  name: 'database',
  limitMs: 10_000,
  applies: () => true,
  async run({ config: { dbPath }, roomOf }) {
    const disk = await diskFindings({ folder: dirname(dbPath), roomOf, remedy: SMALLER })
    if (existsSync(dbPath)) return [pass(dbPath), ...disk]
    return [warn(`there is none at ${dbPath} yet`, 'the first start makes it: systemctl start grinpay-pay'), ...disk]
  },
}
