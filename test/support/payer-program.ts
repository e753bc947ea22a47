// The customer's wallet of the interop suite as a program: one call, one list of JSON lines (test/interop/payer/README.md).
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const PROGRAM = join(ORACLES, 'bin/grinpay-payer')

/** Why there is no payer here, or undefined when there is one. */
export const missingPayer = (): string | undefined =>
  existsSync(PROGRAM) ? undefined : `no grinpay-payer in ${ORACLES}/bin (test/interop/install-rails.sh)`

/** One line the payer printed; `event` says which members it has. */
interface PayerLine {
  readonly event: string
  readonly [member: string]: unknown
}

export interface PayerRun {
  readonly lines: readonly PayerLine[]
  /** The line of that name; throws when there is none. */
  line<T>(event: string): PayerLine & T
}

/** Runs the payer to its end with `--name value` options. Rejects with what it printed when it fails. */
export async function runPayer(
  command: string,
  options: Readonly<Record<string, string | number>> = {},
  input?: object,
): Promise<PayerRun> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(PROGRAM, [command, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input ? JSON.stringify(input) : '')
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`grinpay-payer ${command} ended with ${code}:\n${out}${err}`)
  const lines = out.split('\n').filter(Boolean)
  return payerRun(lines.map((line) => JSON.parse(line) as PayerLine))
}

const payerRun = (lines: readonly PayerLine[]): PayerRun => ({
  lines,
  line<T>(event: string) {
    const found = lines.find((line) => line.event === event)
    if (!found) throw new Error(`no line "${event}" in ${JSON.stringify(lines)}`)
    return found as PayerLine & T
  },
})
