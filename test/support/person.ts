// A person at a terminal of the built command: one that the system made (Python's pty, because Node has none), or one of this process.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runHere } from './built-command.js'
import type { Line } from './keyboard.js'
import { cleanEnvironment, ROOT } from './till-process.js'

export { CTRL_C, CTRL_D, ENTER, type Line } from './keyboard.js'

export const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

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

/** The same in this process, for commands that end by themselves: none serves, and no `{get URL}`. */
export async function atTerminalHere(
  args: readonly string[],
  lines: readonly Line[],
  seat: Seat = {},
): Promise<Omit<Visit, 'gets'>> {
  const { cwd = tmpdir(), env = {}, columns = 120 } = seat
  const variables = cleanEnvironment({ TERM: 'xterm', COLUMNS: String(columns), LINES: '50', ...env })
  const { screen: raw, exit, missed } = await runHere(args, { cwd, env: variables, columns, lines })
  return { screen: stripVTControlCharacters(raw), raw, exit: exit ?? Number.NaN, missed }
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
