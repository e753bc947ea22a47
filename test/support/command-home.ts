// The built command in a home of its own, as scripts meet it: without a terminal, and nothing of ours in its environment. In this process
// (built-command.ts), or in one of its own where that is what is tested.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Ran, runHere } from './built-command.js'
import { cleanEnvironment, ROOT } from './till-process.js'

export interface Surroundings {
  /** Where it runs, and its HOME. */
  readonly home: string
  readonly variables?: Readonly<Record<string, string>>
}

/** Longer than any command takes that a test does not want to hang. */
const TIMEOUT_MS = 120_000
const MOST_OUTPUT = 64 * 1024 * 1024

/** In this process. */
export async function runBuilt(args: readonly string[], { home, variables = {} }: Surroundings): Promise<Ran> {
  const { stdout, stderr, exit } = await runHere(args, {
    cwd: home,
    env: cleanEnvironment({ HOME: home, ...variables }),
  })
  return { stdout, stderr, exit }
}

/** In a process of its own, which may have input. */
export function spawnBuilt(
  args: readonly string[],
  { home, variables = {}, input = '' }: Surroundings & { readonly input?: string },
): Ran {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    encoding: 'utf8',
    env: cleanEnvironment({ HOME: home, ...variables }),
    cwd: home,
    input,
    timeout: TIMEOUT_MS,
    maxBuffer: MOST_OUTPUT,
  })
  return { stdout, stderr, exit: status }
}

/** A new folder for the tests of one file, deleted after them. */
export function commandHome(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `grinpay-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    at: (...parts: readonly string[]): string => join(folder, ...parts),
    grinpay: (args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      runBuilt(args, { home: folder, variables }),
    spawned: (args: readonly string[], variables: Readonly<Record<string, string>> = {}): Ran =>
      spawnBuilt(args, { home: folder, variables }),
  }
}
