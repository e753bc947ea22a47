// What a till costs while nobody pays.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startTillProcess } from '../test/support/till-process.js'
import type { Measurement } from './measurement.js'

export const name = 'idle'

const SETTLE_MS = 20_000
const MEGABYTE = 1024 // of kilobytes, as /proc counts

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / MEGABYTE

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-idle-'))
  const till = await startTillProcess({
    PAY_BIND: `127.0.0.1:${await freePort()}`,
    PAY_CHAIN: 'usernet',
    PAY_NODE_URL: 'http://127.0.0.1:9',
    PAY_DATA_DIR: join(folder, 'data'),
    PAY_DB_PATH: join(folder, 'pay.db'),
    PAY_MNEMONIC:
      'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics',
    PAY_WALLET_PASSWORD: 'bench',
    PAY_API_TOKEN: `pay_live_${'ab'.repeat(32)}`,
  })
  const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  try {
    await pause(SETTLE_MS)
    const [resident, yardstick] = [residentMb(till.child.pid ?? 0), residentMb(empty.pid ?? 0)]
    return [
      {
        what: 'idle till, resident',
        value: resident,
        unit: 'MB',
        ratio: { to: 'an empty node process', value: resident / yardstick },
        target: { of: 'value', atMost: 130 },
      },
    ]
  } finally {
    empty.kill()
    await till.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
