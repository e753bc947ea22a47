// The program of `../reference`: Grin's Rust crates, asked line by line.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const PROGRAM = join(ORACLES, 'bin/grinpay-reference')
/** Longer than any answer takes on a busy machine. */
const PATIENCE = 60_000

/** Why the program cannot be asked; empty when it can. */
export const referenceMissing = existsSync(PROGRAM)
  ? ''
  : `no grinpay-reference in ${ORACLES}/bin (test/interop/install-rails.sh reference)`

/** What became of a question, on either side. Only the Rust crates panic. */
export type Outcome = { readonly ok: unknown } | { readonly refused: string } | { readonly panicked: string }

export type Ask = (op: string, question: object) => Promise<Outcome>

export interface Reference {
  readonly ask: Ask
  close(): void
}

/** Questions may overlap: answers come in their order. */
export function openReference(): Reference {
  const child = spawn(PROGRAM, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line))
  child.on('exit', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`grinpay-reference ended with ${code}`))
  })
  return {
    async ask(op, question) {
      const line = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }))
      child.stdin.write(`${JSON.stringify({ op, ...question })}\n`)
      return JSON.parse(await inTime(line, child, op))
    },
    close: () => child.stdin.end(),
  }
}

async function inTime(line: Promise<string>, child: ChildProcess, op: string): Promise<string> {
  const timer = setTimeout(() => {
    console.error(`grinpay-reference gave no answer to ${op}`)
    child.kill()
  }, PATIENCE)
  return line.finally(() => clearTimeout(timer))
}

/** The answer that a case cannot go on without. */
export function okOf<T>(outcome: Outcome): T {
  if ('ok' in outcome) return outcome.ok as T
  throw new Error(`the Rust crates ${JSON.stringify(outcome)}`)
}

/** A yes or no as an outcome. */
export const verdictOf = (valid: boolean): Outcome => (valid ? { ok: 'valid' } : { refused: 'invalid' })

/** Of an answer that holds a verdict. */
export const verdictIn = (outcome: Outcome): Outcome =>
  'ok' in outcome ? verdictOf((outcome.ok as { readonly valid: boolean }).valid) : outcome
