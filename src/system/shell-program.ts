// A program of the operator's behind `sh -c`, with pipes to it. What it starts itself ends with it.
import { type ChildProcess, spawn } from 'node:child_process'

export interface ShellProgramHandlers {
  readonly output: (chunk: Buffer) => void
  readonly errors: (chunk: Buffer) => void
  /** Once, whatever became of it; also when it could not be started. `how` is for the log. */
  readonly exit: (how: string) => void
}

export interface ShellProgram {
  write(text: string): void
  /** Ends its input. */
  end(): void
  /** At once, with everything that it started. */
  kill(): void
}

/** `env` is all that the program sees of the environment. Never throws, and calls no handler before it returned. */
export function startShellProgram(
  command: string,
  { output, errors, exit }: ShellProgramHandlers,
  env: Readonly<Record<string, string>> = programEnvironment(),
): ShellProgram {
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env })
  let isOver = false
  const over = (how: string) => {
    if (isOver) return
    isOver = true
    killGroup(child) // what it left behind would keep the pipes open
    exit(how)
  }
  child.stdout.on('data', output)
  child.stderr.on('data', errors)
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined) // its exit tells
  child.on('error', (error) => over(error.message))
  child.on('exit', (code, signal) => over(signal === null ? `exit code ${code}` : `signal ${signal}`))
  return {
    write: (text) => void (child.stdin.writable && child.stdin.write(text)),
    end: () => void child.stdin.end(),
    kill: () => killGroup(child),
  }
}

/** The shell was made the first of a process group of its own. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing of it is left
  }
}

// What a program that is not ours gets of our environment: what it needs to run, never our tokens and passwords.
/** To find programs, its folder, and how it writes texts and times. */
const NEEDED: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'])
const LOCALE = /^LC_[A-Z]+$/

/** The variables that every program needs, and those named in `also`. Everything else of `variables` stays here. */
export function programEnvironment(
  also: readonly string[] = [],
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const isPassed = (name: string): boolean => NEEDED.has(name) || LOCALE.test(name) || also.includes(name)
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) if (value !== undefined && isPassed(name)) passed[name] = value
  return passed
}
