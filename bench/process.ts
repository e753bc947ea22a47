// What the system knows about a process (Linux: /proc).
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cleanEnvironment } from '../test/support/till-process.js'

/** /proc counts in ticks of 10 ms on every Linux in use. */
const TICK_MS = 10
const KB_PER_MB = 1024

/** Processor time of a running process since its start, user and system, all threads. */
export const processorMsOf = (pid: number): number => processorMsAt(`/proc/${pid}/stat`)

/** The same of its first thread alone, which in Node runs the event loop. */
export const mainThreadMsOf = (pid: number): number => processorMsAt(`/proc/${pid}/task/${pid}/stat`)

function processorMsAt(path: string): number {
  const [, fields = ''] = readFileSync(path, 'utf8').split(/\) (.*)/s)
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}

export const residentMb = (pid: number): number => statusMb(pid, /VmRSS:\s+(\d+) kB/)

/** Without the pages of files that it maps: those are the kernel's to take back. */
export const ownMb = (pid: number): number => statusMb(pid, /RssAnon:\s+(\d+) kB/)

const statusMb = (pid: number, line: RegExp): number =>
  Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / KB_PER_MB

/** Keeps a process with all its threads on one core, counted from 0. False where the machine has no `taskset`. */
export function pin(pid: number, core: number): boolean {
  const { status } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)])
  return status === 0
}

/** Processor time of a whole command from start to end, as the shell counts it. Throws when the command fails. */
export function commandMs(command: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>/dev/null'
  const program = `${script} || { echo failed; exit 1; }`
  const text = execFileSync('bash', ['-c', `{ ${program}; } 2>&1`, 'bash', ...command], {
    encoding: 'utf8',
    env: cleanEnvironment(),
  })
  const [user, system] = text.trim().split(' ').map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000
}
