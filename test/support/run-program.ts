// Runs a program of Node with variables of its environment.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PROGRAM_MS = 60_000

/** What it printed. */
export async function runProgramWith(path: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  return (await run(process.execPath, [path], { env, timeout: PROGRAM_MS })).stdout
}
