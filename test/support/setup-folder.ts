// A folder for one test of a setup, and what the setup printed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** What the setups of all daemons get beside their answers: a fixed program, no terminal, no checks. */
export const SETUP_DEFAULTS = {
  dryRun: false,
  reconfigure: false,
  skipChecks: true,
  program: { node: '/usr/bin/node', script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' },
  terminal: undefined,
} as const

/** Makes a folder before each test of the file and removes it afterwards; `within` are folders below it. */
export function setupFolder(name: string, ...within: readonly string[]) {
  let root = ''
  /** `output` is what the setup tells, `dialogue` what it says meanwhile. */
  const printed = { output: '', dialogue: '' }
  const forget = () => void Object.assign(printed, { output: '', dialogue: '' })
  const at = (...parts: readonly string[]) => join(root, ...within, ...parts)
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text)
    return at(name)
  }
  const printers = {
    say: (text: string) => {
      printed.dialogue += `${text}\n`
    },
    tell: (text: string) => {
      printed.output += `${text}\n`
    },
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), `grinpay-${name}-`))
    forget()
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  return { at, write, printed, forget, printers }
}
