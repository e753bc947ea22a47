// A person at a terminal of the built command (Python's pty, because Node has none).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnvironment, ROOT } from './till-process.js'

export const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

/** What to wait for on the screen, and what to type then. */
export type Line = readonly [waitFor: string, type: string]

export const ENTER = '\r'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

export interface Visit {
  /** Everything that was drawn, without control sequences: each keystroke draws a prompt anew. */
  readonly screen: string
  /** The same with its control sequences. */
  readonly raw: string
  readonly exit: number
  /** What was waited for in vain. */
  readonly missed: readonly string[]
  /** Answers to the `{get URL}` lines. */
  readonly gets: readonly string[]
}

export interface Seat {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
}

/** Types the lines into `grinpay …args` and waits until it ends. */
export function atTerminal(args: readonly string[], lines: readonly Line[], seat: Seat = {}): Visit {
  const { cwd, env = {}, columns = 120 } = seat
  const command = [join(ROOT, 'test/support/terminal.py'), process.execPath, join(ROOT, 'bin/run.js'), ...args]
  const { stdout, stderr } = spawnSync('python3', command, {
    encoding: 'utf8',
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...cleanEnvironment(), TERMINAL_COLUMNS: String(columns), ...env },
    input: JSON.stringify(lines),
    timeout: 100_000,
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}
