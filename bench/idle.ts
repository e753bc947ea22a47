// What a till holds while nobody pays.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measurement } from './measurement.js'
import { residentMb } from './process.js'
import { startTill } from './till.js'

export const name = 'idle'

/** Longer than the till waits until it gives back what its start took. */
const SETTLE_MS = 25_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const till = await startTill(join(folder, 'till'))
  const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  try {
    await pause(SETTLE_MS)
    const [resident, yardstick] = [till.residentMb(), residentMb(empty.pid ?? 0)]
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
