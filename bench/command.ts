// What a command costs from its start to its end: processor time, as the shell counts it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../test/support/till-process.js'
import { type Measurement, median } from './measurement.js'
import { commandMs } from './process.js'
import { startTill } from './till.js'

export const name = 'command'

const ROUNDS = 15
const GRINPAY = [process.execPath, join(ROOT, 'bin/run.js')]
const EMPTY = [process.execPath, '-e', '0']

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const till = await startTill(join(folder, 'till'))
  try {
    return [
      { what: 'an empty node process', value: compare(EMPTY).ms, unit: 'ms processor' },
      measured('grinpay --version', ['--version'], 250),
      measured('grinpay invoice create', ['invoice', 'create', '1.5', '--env-file', till.envFile], 450),
    ]
  } finally {
    await till.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function measured(what: string, words: readonly string[], atMost: number): Measurement {
  const { ms, ratio } = compare([...GRINPAY, ...words])
  const target = { of: 'value', atMost } as const
  return { what, value: ms, unit: 'ms processor', ratio: { to: 'node -e 0', value: ratio }, target }
}

/** In turns with an empty process; the first round only warms the file cache. */
function compare(command: readonly string[]): { ms: number; ratio: number } {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => ({ empty: commandMs(EMPTY), own: commandMs(command) })).slice(
    1,
  )
  return { ms: median(rounds.map(({ own }) => own)), ratio: median(rounds.map(({ own, empty }) => own / empty)) }
}
